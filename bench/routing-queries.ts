import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { appendResult, spread } from './append-result.js';
import type { Area } from './routing/areas.js';
import { checkTimes } from './routing/check-times.js';
import type { AnswerKind, TripAnswer } from './routing/engine.js';
import { interleaved } from './routing/interleaved.js';
import { openArea } from './routing/open-area.js';
import { readOptions } from './routing/options.js';
import { ourEngine, ourTaskEngine } from './routing/our-engine.js';
import { pairsOf } from './routing/pairs.js';
import { startPeers } from './routing/peer-engines.js';
import { progress } from './routing/progress.js';
import { median, percentile } from './routing/statistics.js';

/**
 * How many routes per CPU-second, beside OSRM, Valhalla and GraphHopper on the same pairs, in process, on one
 * thread? Afterwards our answers are compared with plain Dijkstra and the peers' distances with ours, else
 * the figures are void.
 */
const options = readOptions();
for (const area of options.areas)
  for (const answer of ['times', 'full'] as const)
    if (options.answer === 'both' || options.answer === answer) await measure(area, answer);

async function measure(area: Area, answer: AnswerKind): Promise<void> {
  const network = await openArea(area);
  const pairs = pairsOf(area, network, options.pairs, options.count, options.seed);
  const own = answer === 'full' ? [ourEngine(network), ourTaskEngine(network)] : [ourEngine(network)];
  const engines = [...own, ...(options.alone ? [] : await startPeers(area))];
  const bar = progress(`${area}, ${answer}`);
  const series = await interleaved(engines, pairs, options.rounds, answer, bar.show);
  bar.end();
  await Promise.all(engines.map((engine) => engine.close()));

  const ours = series.get('meridian')!;
  const judged = checkTimes(network, freeFlowMetric(network, 'driving'), pairs, ours.answers);
  const figures = Object.fromEntries(
    [...series].map(([name, { perCpuSecond, tookMs, answers }]) => [
      name,
      {
        perCpuSecond: spread(perCpuSecond),
        oursOver: spread(ours.perCpuSecond.map((rate, round) => rate / perCpuSecond[round]!)),
        p50Ms: percentile(tookMs, 0.5),
        p99Ms: percentile(tookMs, 0.99),
        unanswered: answers.filter((each) => each === null).length,
        distanceRatio: distanceRatio(ours.answers, answers),
      },
    ]),
  );
  for (const [name, { unanswered, distanceRatio: ratio }] of Object.entries(figures))
    if (unanswered > 0.05 * pairs.length || Math.abs(ratio - 1) > 0.1)
      throw new Error(`void: ${name} leaves ${unanswered} pairs unanswered, distances differ ${ratio} times`);
  appendResult('routing-queries', {
    area,
    answer,
    pairs: options.pairs,
    seed: options.seed,
    perRound: Math.floor(pairs.length / options.rounds),
    judged,
    engines: figures,
  });
  console.log(`${area}, ${answer === 'times' ? 'distance and time' : 'with geometry and instructions'}`);
  for (const [name, { perCpuSecond, oursOver, p50Ms, p99Ms, unanswered }] of Object.entries(figures))
    console.log(
      `  ${name.padEnd(15)} ${String(Math.round(perCpuSecond.median)).padStart(6)} a CPU-second ` +
        `(${Math.round(perCpuSecond.least)}–${Math.round(perCpuSecond.greatest)})` +
        `, ours over it ${oursOver.median.toFixed(2)}; p50 ${p50Ms} ms, p99 ${p99Ms} ms; ` +
        `${unanswered} unanswered`,
    );
}

/** Median of our distances over theirs, for pairs that both answered. */
function distanceRatio(ours: readonly TripAnswer[], theirs: readonly TripAnswer[]): number {
  const ratios = ours.flatMap((own, i) => {
    const their = theirs[i];
    return own && their && their[0] > 0 ? [own[0] / their[0]] : [];
  });
  return Number(median(ratios).toFixed(4));
}
