import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import type { Lane } from '../route/lane.js';
import { anticipateLanes } from './anticipate-lanes.js';
import { lanesAt } from './lanes.js';
import type { StepEdges } from './step-edges.js';

/**
 * The lanes before the crossings of a path, by the edge behind the crossing. Lanes are valid from which the
 * driver need not change for the next crossing soon after.
 */
export function lanesAlong(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  steps: readonly StepEdges[],
): ReadonlyMap<number, readonly Lane[]> {
  const found = new Map<number, readonly Lane[]>();
  if (mode !== 'driving' || !edges.some((edge) => network.edgeLanes(edge) !== '')) return found;
  for (const { edgeFrom, edgeBehind, edgeTo } of steps)
    for (let at = Math.max(1, edgeFrom); at < edgeTo; at++) {
      const lanes =
        at === edgeFrom
          ? lanesAt(network, mode, edges, at, edgeBehind)
          : at <= edgeBehind && network.edgeLanes(edges[at - 1]) === ''
            ? found.get(edgeFrom)
            : lanesAt(network, mode, edges, at, at);
      if (lanes !== undefined) found.set(at, lanes);
    }
  anticipateLanes(network, edges, steps, found);
  return found;
}
