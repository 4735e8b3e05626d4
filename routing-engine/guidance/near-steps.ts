import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import { choicesAt } from './choices.js';
import { modifierOf } from './maneuver-modifier.js';
import { dismounts } from './pushing.js';
import { goesOn, hasName, sameName } from './road-likeness.js';
import type { StepStart } from './step-start.js';
import { turnAngle } from './turn-angle.js';
import { TURN_DEG } from './turn-limits.js';

/** Two maneuvers this near to each other are one for a driver. */
const NEAR_CM = 3_000;
/** A crossing with an offset of up to this much is crossed straight on. */
const OFFSET_CM = 300;
/** A road that has another name for so short a stretch, such as a bridge, keeps its name. */
const RENAMED_CM = 10_500;
/** Up to here, a turn without another way, or a name that begins straight on, belongs to the turn before. */
const FORCED_NAME_CM = 6_500;
const STRAIGHT_NAME_CM = 4_500;
/** Over a road without a name and another way, a driver turns round between roads this far apart. */
const UTURN_CM = 6_500;
/** Beyond, a driver who turns twice to the same side has turned round. */
const UTURN_DEG = 150;
const STRAIGHT_DEG = 40;

/** Says once what a driver does at once. */
export function joinNearSteps(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  starts: readonly StepStart[],
): StepStart[] {
  const joined: StepStart[] = [];
  for (let i = 0; i < starts.length; i++) {
    const second = starts[i + 1];
    const first = named(network, edges, starts[i], second?.edge ?? edges.length);
    const both =
      second === undefined || first.edge === 0
        ? undefined
        : dismounts(network, mode, edges.subarray(first.edge - 1, second.named + 1))
          ? undefined
          : together(network, mode, edges, first, second, starts[i + 2]?.edge ?? edges.length);
    if (both === undefined) joined.push(first);
    else {
      if (both !== 'nothing') joined.push(both);
      i++;
    }
  }
  return joined;
}

/** A turn into a road whose name begins a few metres on is a turn into the road of that name. */
function named(network: RoadNetwork, edges: Uint32Array, start: StepStart, end: number): StepStart {
  if (!turns.has(start.type) || hasName(network, edges[start.named])) return start;
  let cm = 0;
  for (let at = start.named; at < end; at++) {
    if (hasName(network, edges[at])) {
      const isSame = start.type === 'turn' && goesOn(network, edges[start.edge - 1], edges[at]);
      const behind = start.behind ?? start.named;
      return { ...start, named: at, behind, type: isSame ? 'continue' : start.type };
    }
    cm += network.arrays.lengthCm[edges[at]];
    if (cm > NEAR_CM) return start;
  }
  return start;
}

function together(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  first: StepStart,
  second: StepStart,
  end: number,
): StepStart | 'nothing' | undefined {
  const cm = lengthBetween(network, edges, first.edge, second.edge);
  if (cm > RENAMED_CM) return undefined;
  const [from, to] = [edges[first.edge - 1], edges[second.named]];
  if (first.type === 'new name' && second.type === 'new name' && sameName(network, from, to))
    return 'nothing';
  if (!turns.has(first.type)) return undefined;
  const [one, other] = [sideOf(first), sideOf(second)];
  const angle = turnAngle(network, from, to);
  const through = { edge: first.edge, named: second.named };
  const isOnward = goesOn(network, from, to);
  const isBoth = one !== 'straight' && one === other;
  const mayBeForced =
    cm <=
      (second.type === 'new name'
        ? FORCED_NAME_CM
        : hasName(network, edges[first.edge])
          ? NEAR_CM
          : UTURN_CM) &&
    one !== 'straight' &&
    first.modifier !== 'uturn' &&
    second.modifier !== 'uturn' &&
    (turns.has(second.type) || second.type === 'new name');
  const forced = mayBeForced && isForced(network, mode, edges, first, second);
  if (
    isBoth &&
    turns.has(second.type) &&
    isOnward &&
    Math.abs(angle) >= UTURN_DEG &&
    (cm <= NEAR_CM || forced)
  )
    return { ...through, type: 'continue', modifier: 'uturn' };
  const bend = turnAngle(network, edges[second.edge - 1], edges[second.behind ?? second.named]);
  const isTurn = second.type !== 'new name' || Math.abs(bend) >= STRAIGHT_DEG;
  const isBack = isBoth && Math.abs(angle) >= UTURN_DEG;
  if (forced && !isBack && (isBoth || (cm <= NEAR_CM && isTurn))) {
    const own = turnAngle(network, from, edges[first.behind ?? first.named]);
    const isMore = (isBoth || first.type === 'fork') && Math.abs(angle) >= Math.abs(own);
    const type = isOnward ? 'continue' : 'turn';
    if (isMore) return { ...through, type, modifier: modifierOf(angle) };
    // The lanes of the first are those of its own turn, unless the second is one too.
    const behind =
      Math.abs(bend) < TURN_DEG ? (first.behind ?? first.named) : (second.behind ?? second.named);
    return { ...first, named: second.named, behind, type };
  }
  if (second.type === 'new name') {
    const isStraight = second.modifier === 'straight';
    const isNear = cm <= (isStraight && first.type === 'continue' ? STRAIGHT_NAME_CM : NEAR_CM);
    const isObvious = isStraight && (forced || first.type === 'continue');
    const isLong = lengthBetween(network, edges, second.edge, end) > (isObvious ? cm / 2 : cm);
    if (!isNear || !isLong || first.type === 'fork' || isOnward) return undefined;
    const type = first.type === 'continue' ? 'turn' : first.type;
    return { ...first, named: second.named, behind: first.behind ?? first.named, type };
  }
  if (cm > NEAR_CM || !turns.has(second.type) || one === 'straight' || other === 'straight') return undefined;
  if (one !== other) {
    const isStreet = hasName(network, from) && hasName(network, to);
    if (cm > OFFSET_CM || Math.abs(angle) >= STRAIGHT_DEG || !isStreet) return undefined;
    return sameName(network, from, to)
      ? 'nothing'
      : { ...through, type: 'new name', modifier: modifierOf(angle) };
  }
  const keeps = first.type === 'fork' || first.type === 'continue';
  return keeps && second.type === 'end of road' && sideOf({ modifier: modifierOf(angle) }) === one
    ? { ...through, type: isOnward ? 'continue' : 'turn', modifier: modifierOf(angle) }
    : undefined;
}

/** From the first maneuver to behind the second, the driver has no other way. */
function isForced(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  first: StepStart,
  second: StepStart,
): boolean {
  for (let at = (first.behind ?? first.named) + 1; at <= (second.behind ?? second.named); at++) {
    const passage = { from: edges[at - 1], to: edges[at], within: edges.subarray(0, 0) };
    if (choicesAt(network, mode, passage).length > 0) return false;
  }
  return true;
}

const turns: ReadonlySet<string> = new Set(['turn', 'continue', 'fork', 'end of road']);

const sideOf = ({ modifier }: Pick<StepStart, 'modifier'>): 'left' | 'right' | 'straight' =>
  modifier?.endsWith('left') === true ? 'left' : modifier?.endsWith('right') === true ? 'right' : 'straight';

function lengthBetween({ arrays }: RoadNetwork, edges: Uint32Array, from: number, to: number): number {
  let cm = 0;
  for (let at = from; at < to; at++) cm += arrays.lengthCm[edges[at]];
  return cm;
}
