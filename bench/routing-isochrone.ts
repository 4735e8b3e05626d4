import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { answerIsochroneTask } from '#routing-engine/tasks/isochrone-task.js';
import { appendResult, spread } from './append-result.js';
import type { Area } from './routing/areas.js';
import { openArea } from './routing/open-area.js';
import { readOptions } from './routing/options.js';
import { randomPairs } from './routing/pairs.js';

/** CPU of isochrones from random places, snapping and drawing included, on one thread, without traffic. */
const options = readOptions();
const asked = [
  ['driving', 15],
  ['driving', 5],
  ['bicycling', 15],
  ['walking', 15],
] as const;
const PLACES = 20;

async function measure(area: Area): Promise<void> {
  const network = await openArea(area);
  const places = randomPairs(network, PLACES, options.seed).map(([lat, lng]) => ({ lat, lng }));
  for (const [mode, minutes] of asked) {
    const metric = freeFlowMetric(network, mode);
    const contours = [{ kind: 'ms', limit: 60_000 * minutes }] as const;
    const round = (): void => {
      for (const point of places) {
        const found = answerIsochroneTask(network, { metric, point, contours, avoid: 0, denoise: 0 });
        if (found.status === 'too-large') throw new Error('the area is too large');
      }
    };
    round();
    const cpuMs = Array.from({ length: options.rounds }, () => {
      const before = process.cpuUsage();
      round();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000 / PLACES;
    });
    appendResult('routing-isochrone', {
      area,
      mode,
      minutes,
      seed: options.seed,
      meridian: { cpuMs: spread(cpuMs) },
    });
    console.log(`${area}, ${mode}, ${minutes} min: ${spread(cpuMs).median} ms`);
  }
}

for (const area of options.areas) await measure(area);
