import { seededRandom } from '#platform/random/random.js';
import { networkRoads } from '#simulated-city/network-roads.js';
import { appendResult, spread } from './append-result.js';
import { chosenArea } from './routing/areas.js';
import { openArea } from './routing/open-area.js';
import { type ArrivalErrors, arrivalErrors } from './streams/arrival-runs.js';

/**
 * How wrong are arrival times on days that nothing was learnt from, beside free-flow times? Real roads,
 * simulated weeks.
 */
const area = chosenArea('goteborg');
const rounds = Number(process.env['ROUNDS'] ?? 5);
const tripsPerDay = Number(process.env['TRIPS'] ?? 400);
const roads = networkRoads(await openArea(area));
const all: ArrivalErrors[] = [];
const firstSeed = Number(process.env['SEED'] ?? 1);
for (let seed = firstSeed; seed < firstSeed + rounds; seed++) {
  const settings = { seed, routes: 200, tripsPerDay, days: [14, 21, 14] as const };
  const errors = await arrivalErrors(roads, settings, seededRandom(seed + 1_000));
  all.push(errors);
  console.error(seed, JSON.stringify(errors));
}
const result = {
  area,
  tripsPerDay,
  trips: all.reduce((sum, { trips }) => sum + trips, 0),
  oursOverFreeFlow: spread(all.map(({ mape }) => mape['ours']! / mape['free flow']!)),
  mape: Object.fromEntries(
    Object.keys(all[0]!.mape).map((who) => [who, spread(all.map(({ mape }) => mape[who]!))]),
  ),
  covered: spread(all.map(({ covered }) => covered)),
  coveredWithoutSteering: spread(all.map(({ coveredWithoutSteering }) => coveredWithoutSteering)),
  coveredByHorizon: all[0]!.coveredByHorizon.map((_, i) =>
    spread(all.map(({ coveredByHorizon }) => coveredByHorizon[i]!)),
  ),
  coveredOfTheWorstDay: Math.min(...all.map(({ coveredOfADay: [least] }) => least)),
  width: spread(all.map(({ width }) => width)),
  biasOfOurs: spread(all.map(({ biasOfOurs }) => biasOfOurs)),
};
console.log(JSON.stringify(result, undefined, 2));
if (process.env['APPEND'] !== '0') appendResult('streams-eta', result);
