import { mapClock } from '#routing-engine/arrival-times/map-clock.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { applyChanges, freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import type { CityRoads } from './city-roads.js';

/** The roads of the simulated world are the platform's own map; what is closed in the world is not on it. */
export function networkRoads(network: RoadNetwork): CityRoads {
  const empty = freeFlowMetric(network, 'driving');
  return {
    edgeCount: network.edgeCount,
    edgeLengthM: (edge) => network.edgeLengthM(edge),
    edgeGeometry: (edge) => network.edgeGeometry(edge),
    freeFlowKph: (edge) => network.freeFlowKph(edge, 'driving'),
    localMs: mapClock(network),
    edgeId: (edge) => network.edgeId(edge),
    edgeByStableId: (id) => network.edgeByStableId(id),
    reverseOf: (edge) => network.reverseOf(edge),
    findPath(from, fraction, to, closed) {
      const changes = [...closed].map((edge) => ({ edge, closed: true }) as const);
      const metric = changes.length === 0 ? empty : applyChanges(network, empty, changes, 1);
      const outcome = findRoute(network, metric, {
        from: [{ edge: from, fraction }],
        to: [{ edge: to, fraction: 1 }],
      });
      return outcome.status === 'ok' ? [...outcome.path.edges] : undefined;
    },
  };
}
