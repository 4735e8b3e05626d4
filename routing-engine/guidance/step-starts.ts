import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import { crossingEnd } from './divided-crossing.js';
import { type KnownCrossings, knownCrossings } from './known-crossings.js';
import type { ManeuverKind } from './maneuver.js';
import { maneuverAt } from './maneuver-at.js';
import { dismountAt } from './pushing.js';
import { isRenamed } from './road-likeness.js';
import { isRoundabout, ringNodeStart, roundaboutStarts } from './roundabout.js';
import type { StepStart } from './step-start.js';

/** Where the steps of a path begin: at the departure, and wherever there is something to say. */
export function stepStarts(network: RoadNetwork, mode: TravelMode, edges: Uint32Array): StepStart[] {
  const starts: StepStart[] = [{ edge: 0, named: 0, type: 'depart' }];
  const known = knownCrossings(network, mode);
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
    if (known.isSilent(edges[at - 1], edges[at])) continue;
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
    const crossing = crossingEnd(network, mode, edges, at, known);
    const end = onRoundabout(crossing) ? at : crossing;
    const kind =
      end === at
        ? atNode(network, mode, edges[at - 1], edges[at], known)
        : passing(network, mode, edges, at, end, known);
    if (kind !== undefined) starts.push({ edge: at, named: end, type: kind.type, modifier: kind.modifier });
    else if (end === at) known.setSilent(edges[at - 1], edges[at]);
    at = end;
  }
  return starts;
}

const atNode = (
  network: RoadNetwork,
  mode: TravelMode,
  from: number,
  to: number,
  known: KnownCrossings,
): ManeuverKind | undefined =>
  known.maneuver(
    from,
    to,
    () => maneuverAt(network, mode, { from, to, within: nothing }) ?? dismountAt(network, mode, from, to),
  );

const nothing = new Uint32Array(0);

/** A crossing of divided roads with nothing to say at any of its nodes has nothing to say. */
function passing(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  at: number,
  end: number,
  known: KnownCrossings,
): ManeuverKind | undefined {
  const [from, to] = [edges[at - 1], edges[end]];
  for (let node = at; node <= end; node++) {
    const kind = atNode(network, mode, edges[node - 1], edges[node], known);
    if (kind !== undefined && kind.type !== 'new name')
      return (
        maneuverAt(network, mode, { from, to, within: edges.subarray(at, end) }) ??
        dismountAt(network, mode, from, to)
      );
  }
  return isRenamed(network, from, to) ? { type: 'new name', modifier: 'straight' } : undefined;
}
