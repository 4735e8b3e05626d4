import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import { choicesAt } from './choices.js';
import { modifierOf } from './maneuver-modifier.js';
import { goesOn, isLink } from './road-likeness.js';
import type { StepStart } from './step-start.js';
import { turnAngle } from './turn-angle.js';
import { TURN_DEG } from './turn-limits.js';

/** A link that leads round a corner is no longer than this. */
const LINK_CM = 4_200;
/** From one carriageway onto the other, at least. */
const BACK_DEG = 150;

/**
 * A link that begins nearly straight on, so that nothing is said there, and bends to where another road is
 * joined: the turn begins where the link leaves. `earliest` is the first edge behind the maneuver before.
 */
export function withCurvedLink(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  start: StepStart,
  earliest: number,
): StepStart {
  if (!joins.has(start.type) || !isLink(network, edges[start.edge - 1])) return start;
  let first = start.edge - 1;
  let cm = network.arrays.lengthCm[edges[first]];
  while (first > earliest && isLink(network, edges[first - 1])) {
    first--;
    cm += network.arrays.lengthCm[edges[first]];
  }
  if (first <= earliest || cm > LINK_CM) return start;
  const [from, to] = [edges[first - 1], edges[start.behind ?? start.named]];
  const angle = turnAngle(network, from, to);
  const passage = { from, to: edges[first], within: edges.subarray(0, 0) };
  if (Math.abs(angle) < TURN_DEG || choicesAt(network, mode, passage).length === 0) return start;
  const isOnward = goesOn(network, from, to);
  const isBack = Math.abs(angle) >= BACK_DEG;
  if (isBack && !isOnward) return start;
  const modifier = isBack ? 'uturn' : modifierOf(angle);
  return { ...start, edge: first, type: isOnward ? 'continue' : 'turn', modifier };
}

const joins: ReadonlySet<string> = new Set(['turn', 'continue', 'new name', 'end of road']);
