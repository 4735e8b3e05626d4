import { appendResult } from './append-result.js';
import { chosenAreas } from './routing/areas.js';
import { openExtract } from './routing/open-area.js';
import { firstHour } from './streams/first-hour.js';

/**
 * How wrong are arrival times in the first hour of a platform that knows no trip, compared with free flow and
 * with true speeds? On maps and seeds that the prior was not trained on.
 */
const areas = chosenAreas<string>(process.env['AREAS'], ['malta', 'goteborg']);
const seeds = (process.env['SEEDS'] ?? '1,2').split(',').map(Number);
const drivers = Number(process.env['DRIVERS'] ?? 150);
const minutes = Number(process.env['MINUTES'] ?? 60);
/** A Monday, at seven. */
const startMs = 1_794_787_200_000 + 7 * 3_600_000;

const runs = [];
for (const area of areas) {
  const network = await openExtract(area);
  for (const seed of seeds) {
    const { all, parts, trained } = await firstHour({ network, seed, startMs, minutes, drivers });
    const ratio = (mape: number): number => Number((mape / all.freeFlowMape).toFixed(3));
    const run = {
      ...{ area, seed, ...all, trained },
      overFreeFlow: ratio(all.mape),
      oracleOverFreeFlow: ratio(all.oracleMape),
      byTenMinutes: parts.map(({ trips, mape, freeFlowMape, covered }) => ({
        ...{ trips, overFreeFlow: Number((mape / freeFlowMape).toFixed(3)), covered },
      })),
    };
    runs.push(run);
    console.error(JSON.stringify(run));
  }
}
const result = { areas, drivers, minutes, runs };
console.log(JSON.stringify(result, undefined, 2));
if (process.env['APPEND'] !== '0') appendResult('streams-arrivals', result);
