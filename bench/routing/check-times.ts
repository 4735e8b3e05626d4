import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { Metric } from '#routing-engine/overlay/metric.js';
import { dijkstra } from '#routing-engine/reference/dijkstra.js';
import { findNear } from '#routing-engine/route/find-near.js';
import type { TripAnswer } from './engine.js';
import type { Pair } from './pairs.js';

const JUDGED_S_MAX = 5;
const JUDGED_MAX = 100;

/**
 * Compares an even sample of the answers with plain Dijkstra for a few seconds; returns their number. Throws
 * if one differs by a millisecond, because the figures are then invalid.
 */
export function checkTimes(
  network: RoadNetwork,
  metric: Metric,
  pairs: readonly Pair[],
  answers: readonly TripAnswer[],
): number {
  const end = performance.now() + 1_000 * JUDGED_S_MAX;
  const step = Math.max(1, Math.floor(answers.length / JUDGED_MAX));
  let judged = 0;
  for (let i = 0; i < answers.length && performance.now() < end; i += step) {
    const [fromLat, fromLng, toLat, toLng] = pairs[i]!;
    const outcome = findNear(network, metric, {
      from: { point: { lat: fromLat, lng: fromLng } },
      to: { point: { lat: toLat, lng: toLng } },
      ...{ avoid: 0, maxMeters: 1_000, count: 1 },
    });
    if (outcome.status === 'no-snap') continue;
    const [starts, goals] =
      outcome.status === 'ok' ? [outcome.starts, outcome.goals] : [[outcome.from], [outcome.to]];
    const wanted = dijkstra(network, metric, starts, 0, goals).costTo(goals);
    const seconds = answers[i]?.[1];
    const again = outcome.status === 'ok' ? outcome.paths[0]!.durationMs : undefined;
    if (again !== wanted || (seconds === undefined ? undefined : Math.round(seconds * 1_000)) !== wanted)
      throw new Error(
        `void: pair ${i} takes ${wanted} ms by Dijkstra, ${again} ms by the overlay, ${seconds} s`,
      );
    judged++;
  }
  return judged;
}
