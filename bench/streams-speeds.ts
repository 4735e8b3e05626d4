import { seededRandom } from '#platform/random/random.js';
import { networkRoads } from '#simulated-city/network-roads.js';
import { appendResult, spread } from './append-result.js';
import { chosenArea } from './routing/areas.js';
import { openArea } from './routing/open-area.js';
import { type SpeedErrors, speedErrors } from './streams/speed-runs.js';

/**
 * How wrong is a live speed, compared with the naive mean of the speeds that phones report on the edge? Real
 * roads, simulated traffic with known true speeds, days that were not used for learning. The naive mean gets
 * the best of its windows and points that are already on the right edge.
 */
const area = chosenArea('goteborg');
const rounds = Number(process.env['ROUNDS'] ?? 5);
const edges = Number(process.env['EDGES'] ?? 100);
const roads = networkRoads(await openArea(area));
const cases = { 'phones stand beside one road in four': 25, 'no phone stands': 0 };
const result: Record<string, unknown> = { area, edges, rounds };
for (const [name, standing] of Object.entries(cases)) {
  const all: SpeedErrors[] = [];
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const settings = { edges, perMinute: 3.5, learningPerMinute: 0.5, weeks: 3, seed: round, standing };
    const errors = speedErrors(roads, settings, seededRandom(100 + round));
    const naive = Math.min(
      ...Object.entries(errors).flatMap(([who, error]) => (who.startsWith('naive') ? [error] : [])),
    );
    all.push(errors);
    ratios.push(errors['ours']! / naive);
    console.error(name, round, JSON.stringify(errors), (errors['ours']! / naive).toFixed(3));
  }
  result[name] = {
    oursOverNaive: spread(ratios),
    meanError: Object.fromEntries(
      Object.keys(all[0]!).map((who) => [who, spread(all.map((errors) => errors[who]!))]),
    ),
  };
}
console.log(JSON.stringify(result, undefined, 2));
if (process.env['APPEND'] !== '0') appendResult('streams-speeds', result);
