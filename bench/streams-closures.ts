import { seededRandom } from '#platform/random/random.js';
import type { CrossingSettings } from '#simulated-city/crossing.js';
import { appendResult } from './append-result.js';
import { closureDelays, falseClosures } from './streams/closure-runs.js';
import { mean, percentile } from './streams/statistics.js';

/**
 * How late is a closure found, compared with what an ideal silence test needs at the same risk, and how many
 * are false? Crossings with signals, jams, dead phones and drivers who leave their route anyway; all from one
 * seed, no clock, no network.
 */
const edgeDays = Number(process.env['EDGE_DAYS'] ?? 12_000);
const closures = Number(process.env['CLOSURES'] ?? 60);
const seed = Number(process.env['SEED'] ?? 1);
const rates = numbers('RATES', '0.2,0.5,1,2,4');
const guidedShares = numbers('GUIDED', '0,0.3,1');
/** Users who report each closure in its first minutes, and as many liars at every crossing, all day. */
const reporters = Number(process.env['REPORTERS'] ?? 0);
const random = seededRandom(seed);

function numbers(name: string, otherwise: string): number[] {
  return (process.env[name] ?? otherwise).split(',').map(Number);
}

/** Four crossings in one partition; the middle exit is measured. */
const crossings = (perMinute: number, guidedShare: number): CrossingSettings[] =>
  Array.from({ length: 4 }, (_, crossing) => ({
    exits: [0.35, 0.4, 0.25].map((share, exit) => ({
      edgeId: `c${crossing}e${exit}`,
      lengthM: 60 + 80 * exit,
      freeFlowKph: 50,
      share,
    })),
    arrivalsPerMinute: perMinute / 0.4,
    guidedShare,
    leavesRoute: 0.02,
    cycleS: crossing % 2 === 0 ? 90 : 0,
    jamsPerDay: 0.5,
    outagesPerDay: 0.3,
  }));

interface Row {
  readonly guidedShare: number;
  readonly passagesPerMinute: number;
  readonly edgeDays: number;
  readonly falseClosures: number;
  readonly found: number;
  readonly of: number;
  readonly overBound: { readonly mean: number; readonly median: number; readonly p90: number };
  readonly overBoundAtRisk001: number;
  readonly delayS: number;
  readonly reopenedS: number;
}

const rows: Row[] = [];
for (const guidedShare of guidedShares) {
  for (const perMinute of rates) {
    const city = crossings(perMinute, guidedShare);
    const perDay = city.length * 3;
    const quietDays = Math.max(2, Math.round(edgeDays / perDay / rates.length / guidedShares.length));
    const wrong = falseClosures(city, quietDays, random, reporters);
    // Half of the closures where a signal makes platoons.
    const delays = [0, 1].flatMap((turn) =>
      closureDelays([city[turn]!, city[1 - turn]!], closures / 2, 5 * 3_600_000, random, reporters),
    );
    const found = delays.filter(({ foundAfterMs }) => foundAfterMs !== undefined);
    const ratios = found.map(({ foundAfterMs, boundMs }) => foundAfterMs! / boundMs);
    const row: Row = {
      guidedShare,
      passagesPerMinute: perMinute,
      edgeDays: wrong.edgeDays,
      falseClosures: wrong.closures,
      found: found.length,
      of: delays.length,
      overBound: { mean: mean(ratios), median: percentile(ratios, 0.5), p90: percentile(ratios, 0.9) },
      overBoundAtRisk001: mean(found.map(({ foundAfterMs, shortBoundMs }) => foundAfterMs! / shortBoundMs)),
      delayS: percentile(
        found.map(({ foundAfterMs }) => foundAfterMs! / 1_000),
        0.5,
      ),
      reopenedS: percentile(
        found.flatMap(({ reopenedAfterMs }) =>
          reopenedAfterMs === undefined ? [] : [reopenedAfterMs / 1_000],
        ),
        0.5,
      ),
    };
    rows.push(row);
    console.error(JSON.stringify(row));
  }
}
const all = { edgeDays: 0, falseClosures: 0 };
for (const row of rows) {
  all.edgeDays += row.edgeDays;
  all.falseClosures += row.falseClosures;
}
const overBound = Object.fromEntries(
  guidedShares.map((share) => [
    `guided ${share}`,
    mean(rows.filter(({ guidedShare }) => guidedShare === share).map((row) => row.overBound.mean)),
  ]),
);
const result = {
  seed,
  reporters,
  ...all,
  falsePer1000EdgeDays: (1_000 * all.falseClosures) / all.edgeDays,
  overBound,
  rows,
};
console.log(JSON.stringify(result, undefined, 2));
if (process.env['APPEND'] !== '0') appendResult('streams-closures', result);
