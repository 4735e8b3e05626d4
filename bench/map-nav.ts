import { readFileSync } from 'node:fs';
import { appendResult, spread } from './append-result.js';
import { askInTurns } from './map/ask-in-turns.js';
import { type HttpEngine, startEngines } from './map/http-engines.js';
import { Missing } from './missing.js';
import { howToInstall, peersInstalled } from './peers/peers-folder.js';
import { type Area, chosenAreas, dataFile, hasFile } from './routing/areas.js';
import { openArea } from './routing/open-area.js';
import { randomPairs } from './routing/pairs.js';
import { percentile } from './routing/statistics.js';

/**
 * How long does a client wait for a route with its line and its instructions, over HTTP and under load,
 * beside OSRM and Valhalla with the same pairs? Rounds are interleaved; each engine has one thread for
 * searches. PAIRS: `known` (default), or `random:SEED`, places drawn from all public roads of the area.
 */
const rounds = Number(process.env['ROUNDS'] ?? 5);
const perRound = Number(process.env['COUNT'] ?? 200);
const connections = Number(process.env['CONNECTIONS'] ?? 2);
const areas = chosenAreas<Area>(process.env['AREAS'], ['heidelberg', 'malta']);
const asked = process.env['PAIRS'];
const drawn = asked ?? (areas.every((area) => hasFile(`pairs-${area}.json`)) ? 'known' : 'random:1');
if (!peersInstalled())
  throw new Missing(`This is measured beside OSRM and Valhalla. Install: ${howToInstall}`);
const warmUp = 100;

type Pair = readonly [readonly [number, number], readonly [number, number]];

async function pairsIn(area: Area): Promise<Pair[]> {
  if (drawn === 'known') return JSON.parse(readFileSync(dataFile(`pairs-${area}.json`), 'utf8')) as Pair[];
  const seed = Number(/^random:(\d+)$/.exec(drawn)?.[1]);
  if (Number.isNaN(seed)) throw new Missing(`PAIRS is known or random:SEED, not ${drawn}`);
  const pairs = randomPairs(await openArea(area), rounds * perRound + warmUp, seed);
  return pairs.map(([fromLat, fromLng, toLat, toLng]) => [
    [fromLat, fromLng],
    [toLat, toLng],
  ]);
}

/** Of each round by itself. */
const byRound = (waitedMs: readonly number[], share: number) =>
  spread(
    Array.from({ length: rounds }, (_, round) =>
      percentile(waitedMs.slice(round * perRound, (round + 1) * perRound), share),
    ),
  );

for (const area of areas) {
  const pairs = await pairsIn(area);
  const engines = await startEngines(area);
  const took = new Map<HttpEngine, { waitedMs: number[]; cpuMsEach: number[]; metres: (number | null)[] }>();
  for (const engine of engines) {
    took.set(engine, { waitedMs: [], cpuMsEach: [], metres: [] });
    await askInTurns(engine, pairs.slice(-warmUp), connections);
  }
  for (let round = 0; round < rounds; round++)
    for (const engine of engines) {
      const asked = pairs.slice(round * perRound, (round + 1) * perRound);
      const before = engine.cpuSeconds();
      const answers = await askInTurns(engine, asked, connections);
      const of = took.get(engine)!;
      of.cpuMsEach.push((1_000 * (engine.cpuSeconds() - before)) / asked.length);
      of.waitedMs.push(...answers.map(({ waitedMs }) => waitedMs));
      of.metres.push(...answers.map(({ metres }) => metres));
    }
  for (const engine of engines) await engine.close();

  const [ours] = engines;
  const own = took.get(ours!)!;
  const figures = Object.fromEntries(
    engines.map((engine) => {
      const { waitedMs, cpuMsEach, metres } = took.get(engine)!;
      const both = metres.flatMap((each, at) =>
        each === null || own.metres[at] === null ? [] : [own.metres[at]! / each],
      );
      const p50Ms = percentile(waitedMs, 0.5);
      const p99Ms = percentile(waitedMs, 0.99);
      return [
        engine.name,
        {
          p50Ms,
          p99Ms,
          p50MsByRound: byRound(waitedMs, 0.5),
          p99MsByRound: byRound(waitedMs, 0.99),
          cpuMsEach: spread(cpuMsEach),
          unanswered: metres.filter((each) => each === null).length,
          distanceRatio: percentile(both, 0.5),
          oursOver: {
            p50: Number((percentile(own.waitedMs, 0.5) / p50Ms).toFixed(3)),
            p99: Number((percentile(own.waitedMs, 0.99) / p99Ms).toFixed(3)),
          },
        },
      ];
    }),
  );
  for (const [name, { unanswered, distanceRatio }] of Object.entries(figures))
    if (unanswered > 0.05 * own.metres.length || Math.abs(distanceRatio - 1) > 0.1)
      throw new Error(
        `void: ${name} leaves ${unanswered} unanswered, distances differ ${distanceRatio} times`,
      );
  if (process.env['TRIAL'] === undefined)
    appendResult('map-nav', { area, pairs: drawn, rounds, perRound, connections, engines: figures });
  console.log(area, JSON.stringify(figures, undefined, 1));
}
