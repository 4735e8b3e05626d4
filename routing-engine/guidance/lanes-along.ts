import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode } from '../network/travel-mode.js';
import type { Lane } from '../route/lane.js';
import { lanesAt } from './lanes.js';

/** A driver changes lanes between two crossings if there is this much time between them. */
const CHANGE_S = 15;

/** The part of a path that a step is for: its first edge, the one behind its maneuver, and its end. */
export interface StepEdges {
  readonly edgeFrom: number;
  readonly edgeBehind: number;
  readonly edgeTo: number;
}

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
  let next: number | undefined;
  for (const at of [...found.keys()].reverse()) {
    if (next !== undefined && secondsBetween(network, mode, edges, at, next) <= CHANGE_S)
      found.set(at, narrowed(found.get(at)!, found.get(next)!));
    next = at;
  }
  return found;
}

function secondsBetween(
  { arrays, edgeCount }: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  from: number,
  to: number,
): number {
  const offset = modeIndex(mode) * edgeCount;
  let seconds = 0;
  for (let at = from; at < to; at++)
    seconds += (arrays.lengthCm[edges[at]] * 0.036) / Math.max(1, arrays.speedKph[offset + edges[at]]);
  return seconds;
}

/**
 * As many lanes as lead here are those of the road behind, from left to right. With another number, those on
 * the side on which the next lanes are.
 */
function narrowed(here: readonly Lane[], next: readonly Lane[]): readonly Lane[] {
  const valid = [...here.keys()].filter((at) => here[at].valid);
  const wanted = [...next.keys()].filter((at) => next[at].valid);
  const [first, last] = [wanted[0], wanted[wanted.length - 1]];
  const kept =
    valid.length === next.length
      ? wanted.map((at) => valid[at])
      : first === 0
        ? valid.slice(0, wanted.length)
        : last === next.length - 1
          ? valid.slice(-wanted.length)
          : valid;
  return here.map((lane, at) => (lane.valid && !kept.includes(at) ? { ...lane, valid: false } : lane));
}
