import { describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { edgesAtHours } from '#routing-engine/network/at-hours.js';
import { RoadNetwork } from '#routing-engine/network/road-network.js';
import { modeIndex, type TravelMode } from '#routing-engine/network/travel-mode.js';
import { applyHours } from '#routing-engine/overlay/apply-hours.js';
import { LANDMARKS, landmarksOf } from '#routing-engine/overlay/landmarks.js';
import { applyChanges, CLOSED, freeFlowMetric, type Metric } from '#routing-engine/overlay/metric.js';
import { KEY_MAX } from '#routing-engine/overlay/packed-heap.js';
import { dijkstra } from '#routing-engine/reference/dijkstra.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import { runs } from '../property-runs.js';
import { drawMap } from './ascii-map.js';
import { any, randomTown } from './random-town.js';

/** A town of private roads, and of roads that are shut at night. */
async function town(random: () => number): Promise<RoadNetwork> {
  const tags = (): Record<string, string> => ({
    ...(random() < 0.15 ? { access: 'private' } : {}),
    ...(random() < 0.15 ? { 'motor_vehicle:conditional': 'no @ (22:00-06:00)' } : {}),
  });
  const [drawing, rules] = randomTown(random, tags, 0.1);
  return (await drawMap(drawing, { ...rules, stepM: 100, cellNodesMax: [3, 8] })).network;
}

/** Some roads are faster than at free flow, some slower, some closed; those with hours are open. */
function liveMetric(network: RoadNetwork, mode: TravelMode, random: () => number): Metric {
  const free = applyHours(network, freeFlowMetric(network, mode), edgesAtHours(network, mode));
  const open = edgesAtHours(network, mode);
  const changes = Array.from({ length: 8 }, () => {
    const edge = Math.floor(random() * network.edgeCount);
    return random() < 0.2 ? ({ edge, closed: true } as const) : { edge, speedKph: 10 + 90 * random() };
  });
  return applyChanges(network, free, changes, 1, open);
}

describe('landmarks', () => {
  it('bound every way under any metric, and searches by them are exact', async () => {
    const random = seeded(1201);
    const seen = { bounded: 0, tight: 0, faster: 0, private: 0, atHours: 0 };
    for (let round = 0; round < runs(40); round++) {
      const network = await town(random);
      const mode = any<TravelMode>(['driving', 'driving', 'truck', 'bicycling'], random);
      const metric = liveMetric(network, mode, random);
      const { boundaryEdge, zone } = network.arrays;
      const { from, to } = landmarksOf(network, mode);
      if (metric.leastRatio < 1) seen.faster++;
      if (edgesAtHours(network, mode).size > 0) seen.atHours++;
      for (const [at, start] of boundaryEdge.entries()) {
        if (metric.costMs[start] === CLOSED) continue;
        const goals = boundaryEdge.map((_, i) => i).filter(() => random() < 0.15);
        for (const goal of goals) {
          const edge = boundaryEdge[goal]!;
          if (metric.costMs[edge] === CLOSED) continue;
          const [begin, end] = [[{ edge: start, fraction: 1 }], [{ edge, fraction: 1 }]];
          const ms = dijkstra(network, metric, begin, 0, end).costTo(end);
          const found = findRoute(network, metric, { from: begin, to: end });
          expect(found.status === 'ok' ? found.path.durationMs : undefined).toBe(ms);
          if (ms === undefined) continue;
          if (zone[modeIndex(mode) * network.edgeCount + edge] !== 0) seen.private++;
          for (let i = 0; i < LANDMARKS; i++)
            for (const [near, far] of [
              [from[LANDMARKS * at + i]!, from[LANDMARKS * goal + i]!],
              [to[LANDMARKS * goal + i]!, to[LANDMARKS * at + i]!],
            ] as const) {
              if (near === KEY_MAX) continue;
              expect(ms).toBeGreaterThanOrEqual(metric.leastRatio * (far === KEY_MAX ? 0 : far - near));
              if (far === KEY_MAX) continue;
              seen.bounded++;
              if (far - near > 0.8 * ms) seen.tight++;
            }
        }
      }
    }
    const rounds = runs(40);
    expect(seen.faster).toBeGreaterThan(rounds / 4);
    expect(seen.atHours).toBeGreaterThan(rounds / 2);
    expect(seen.private).toBeGreaterThan(rounds);
    expect(seen.tight / seen.bounded).toBeGreaterThan(0.1);
  });

  it('are made once and seen by all threads, which share the memory', async () => {
    const network = await town(seeded(7));
    const { arrays, meta } = network;
    const made = landmarksOf(network, 'driving');
    expect(arrays.landmarksMs.buffer).toBeInstanceOf(SharedArrayBuffer);
    // As a thread receives it.
    const other = new RoadNetwork(meta, arrays);
    const [, second] = [made.from.fill(3), landmarksOf(other, 'driving')];
    expect(second.from.every((ms) => ms === 3)).toBe(true);
    expect(Atomics.load(arrays.landmarksMade, modeIndex('walking'))).toBe(0);
  });
});
