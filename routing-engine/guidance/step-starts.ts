import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import { crossingEnd } from './divided-crossing.js';
import type { ManeuverKind } from './maneuver.js';
import { maneuverAt } from './maneuver-at.js';
import { isRenamed } from './road-likeness.js';
import { isRoundabout, ringNodeStart, roundaboutStarts } from './roundabout.js';
import type { StepStart } from './step-start.js';

/** Where the steps of a path begin: at the departure, and wherever there is something to say. */
export function stepStarts(network: RoadNetwork, mode: TravelMode, edges: Uint32Array): StepStart[] {
  const starts: StepStart[] = [{ edge: 0, named: 0, type: 'depart' }];
  const onRoundabout = (at: number): boolean => isRoundabout(network, edges[at]);
  const roundEnd = (at: number): number => {
    let after = at;
    while (after < edges.length && onRoundabout(after)) after++;
    return after;
  };
  let at = roundEnd(0);
  if (at > 0) starts.push(...roundaboutStarts(network, mode, edges, 0, at));
  // The exit of a roundabout is said; the next node is the one behind it.
  for (at++; at < edges.length; at++) {
    if (onRoundabout(at)) {
      const after = roundEnd(at);
      starts.push(...roundaboutStarts(network, mode, edges, at, after));
      at = after;
      continue;
    }
    const round = ringNodeStart(network, mode, edges, at);
    if (round !== undefined) {
      starts.push(round);
      continue;
    }
    const crossing = crossingEnd(network, mode, edges, at);
    const end = onRoundabout(crossing) ? at : crossing;
    const kind = passing(network, mode, edges, at, end);
    if (kind !== undefined) starts.push({ edge: at, named: end, ...kind });
    at = end;
  }
  return starts;
}

/** A crossing of divided roads with nothing to say at any of its nodes has nothing to say. */
function passing(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  at: number,
  end: number,
): ManeuverKind | undefined {
  const across = (first: number, last: number): ManeuverKind | undefined =>
    maneuverAt(network, mode, {
      from: edges[first - 1],
      to: edges[last],
      within: edges.subarray(first, last),
    });
  if (end === at) return across(at, at);
  for (let node = at; node <= end; node++) {
    const kind = across(node, node);
    if (kind !== undefined && kind.type !== 'new name') return across(at, end);
  }
  return isRenamed(network, edges[at - 1], edges[end])
    ? { type: 'new name', modifier: 'straight' }
    : undefined;
}
