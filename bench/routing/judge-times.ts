import { findRoute } from '#routing-engine/find-route.js';
import type { Metric } from '#routing-engine/metric.js';
import { dijkstra } from '#routing-engine/reference/dijkstra.js';
import type { RoadNetwork } from '#routing-engine/road-network.js';
import { snapPair } from '#routing-engine/snap.js';
import type { TripAnswer } from './engine.js';
import type { Pair } from './pairs.js';

const JUDGED_S_MAX = 5;
const JUDGED_MAX = 100;

/**
 * Compares answers with plain Dijkstra, as many as go into a few seconds, spread over all; returns how many. Throws when one
 * differs by a millisecond: the figures are void.
 */
export function judgeTimes(
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
    const { from, to } = snapPair(
      network,
      { lat: fromLat, lng: fromLng },
      { lat: toLat, lng: toLng },
      { mode: metric.mode, maxMeters: 1_000 },
    );
    const wanted = dijkstra(network, metric, from, 0, to).costTo(to);
    const seconds = answers[i]?.[1];
    const outcome = findRoute(network, metric, { from, to });
    const again = outcome.status === 'ok' ? outcome.path.durationMs : undefined;
    if (again !== wanted || (seconds === undefined ? undefined : Math.round(seconds * 1_000)) !== wanted)
      throw new Error(
        `void: pair ${i} takes ${wanted} ms by Dijkstra, ${again} ms by the overlay, ${seconds} s`,
      );
    judged++;
  }
  return judged;
}
