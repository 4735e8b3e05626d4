import type { RoadNetwork } from '../network/road-network.js';
import { isMotorized, type TravelMode } from '../network/travel-mode.js';
import type { Lane } from '../route/lane.js';
import { anticipateLanes } from './anticipate-lanes.js';
import { GAP_CM, lanesAt, leadOn } from './lanes.js';
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
  if (!isMotorized(mode) || !edges.some((edge) => network.edgeLanes(edge) !== '')) return found;
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
  for (const { edgeFrom, edgeBehind, edgeTo } of steps.toReversed())
    for (let at = edgeTo - 1; at >= Math.max(1, edgeFrom); at--)
      if (at !== edgeFrom || edgeBehind === at) takeFromNext(network, mode, edges, at, found);
  anticipateLanes(network, edges, steps, found);
  return found;
}

/** Arrows for the next crossing say already here which lanes lead there. */
function takeFromNext(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  at: number,
  found: Map<number, readonly Lane[]>,
): void {
  const lanes = network.edgeLanes(edges[at - 1]);
  const passage = { from: edges[at - 1], to: edges[at], within: edges.subarray(0, 0) };
  const turnsRound = lanes.includes('reverse') && network.edgeLanes(edges[at]) === lanes;
  if (lanes === '' || !(turnsRound || leadOn(network, mode, passage, lanes))) return;
  let cm = 0;
  for (let next = at + 1; next < edges.length; next++) {
    cm += network.arrays.lengthCm[edges[next - 1]];
    const own = network.edgeLanes(edges[next - 1]);
    if (cm > GAP_CM || (own !== '' && own !== lanes)) return;
    const there = found.get(next);
    if (there === undefined) continue;
    found.set(at, there);
    return;
  }
}
