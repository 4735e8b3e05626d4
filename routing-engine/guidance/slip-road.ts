import { edgeFlag } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import { withCurvedLink } from './curved-link.js';
import { modifierOf } from './maneuver-modifier.js';
import { dismounts } from './pushing.js';
import { goesOn, isLink, isOneway, isOpen } from './road-likeness.js';
import type { StepStart } from './step-start.js';
import { turnAngle } from './turn-angle.js';

/** A road that cuts a corner, at most: one that is tagged as a link, and any other. */
const LINK_CM = 15_000;
const SLIP_CM = 4_200;
/** From where it leaves to the crossing, and from there to where it ends, at most. */
const SIDE_CM = 15_000;
const SIDE_EDGES = 6;
/** Roads within this angle run straight on. */
const ONWARD_DEG = 45;
/** Over a slip road one turns by at least this angle. */
const TURN_DEG = 25;
/** From one carriageway onto the other, at least. */
const BACK_DEG = 140;

/**
 * A slip road cuts the corner of two roads that cross nearby: a driver turns from one onto the other, and
 * that is one maneuver.
 */
export function joinSlipRoads(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  starts: readonly StepStart[],
): StepStart[] {
  const isPushedOver = (at: number, end: number): boolean =>
    dismounts(network, mode, edges.subarray(at - 1, end + 1));
  const joined: StepStart[] = [];
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i];
    const next = starts[i + 1];
    const end = turns.has(start.type) ? slipEnd(network, edges, start.edge) : start.edge;
    const isAlone = next === undefined || next.edge > end || (next.edge === end && joins.has(next.type));
    const turn =
      end > start.edge && start.named <= end && isAlone && !isPushedOver(start.edge, end)
        ? turnOver(network, mode, edges, start.edge, end)
        : undefined;
    if (turn === undefined) {
      const before = joined.at(-1);
      const earliest = before === undefined ? edges.length : (before.behind ?? before.named);
      joined.push(withCurvedLink(network, mode, edges, start, earliest));
    } else {
      const named = next?.edge === end ? next.named : end;
      joined.push({ ...turn, edge: start.edge, named });
      if (next?.edge === end) i++;
    }
  }
  return joined;
}

const turns: ReadonlySet<string> = new Set([
  'turn',
  'continue',
  'fork',
  'end of road',
  'off ramp',
  'on ramp',
]);
const joins: ReadonlySet<string> = new Set([...turns, 'new name', 'merge']);

/** Where the link or the short road that begins at `at` has ended; `at` if it is too long for a slip road. */
function slipEnd({ arrays }: RoadNetwork, edges: Uint32Array, at: number): number {
  const { flags, wayId, lengthCm } = arrays;
  const first = edges[at];
  const isSlip = (flags[first] & edgeFlag.link) !== 0;
  let lengthOfAll = 0;
  let end = at;
  for (; end < edges.length; end++) {
    const edge = edges[end];
    const isPart = isSlip ? (flags[edge] & edgeFlag.link) !== 0 : wayId[edge] === wayId[first];
    if (!isPart && end > at) break;
    if ((flags[edge] & (edgeFlag.roundabout | edgeFlag.ferry)) !== 0) return at;
    lengthOfAll += lengthCm[edge];
    if (lengthOfAll > (isSlip ? LINK_CM : SLIP_CM)) return at;
  }
  return end < edges.length ? end : at;
}

function turnOver(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  at: number,
  end: number,
): Pick<StepStart, 'type' | 'modifier'> | undefined {
  const [from, to] = [edges[at - 1], edges[end]];
  if ((network.arrays.flags[to] & (edgeFlag.roundabout | edgeFlag.ferry)) !== 0) return undefined;
  const type = goesOn(network, from, to) ? 'continue' : 'turn';
  const angle = turnAngle(network, from, to);
  const isDivided = isOneway(network, mode, from) && isOneway(network, mode, to);
  if (type === 'continue' && isDivided && Math.abs(angle) >= BACK_DEG) return { type, modifier: 'uturn' };
  if (Math.abs(angle) < TURN_DEG || !endsThere(network, mode, edges[end - 1], to)) return undefined;
  if (!cutsCorner(network, mode, from, edges[at], edges[end - 1])) return undefined;
  return { type, modifier: modifierOf(angle) };
}

/** A link, or a road that does not go on beyond the one that it leads to. */
function endsThere(network: RoadNetwork, mode: TravelMode, slip: number, to: number): boolean {
  if (isLink(network, slip)) return true;
  return !onwards(network, mode, slip).some((edge) => edge !== to);
}

/** The roads on which one could go on nearly straight. */
function onwards(network: RoadNetwork, mode: TravelMode, edge: number): number[] {
  const { head, firstOut, copyOf, reverse } = network.arrays;
  const found: number[] = [];
  for (let out = firstOut[head[edge]]; out < firstOut[head[edge] + 1]; out++)
    if (
      copyOf[out] === out &&
      out !== reverse[edge] &&
      isOpen(network, mode, out) &&
      Math.abs(turnAngle(network, edge, out)) < ONWARD_DEG
    )
      found.push(out);
  return found;
}

/**
 * Whether the road that is left goes on to a crossing, from which another road leads, in either direction, to
 * where the slip road ends.
 */
function cutsCorner(
  network: RoadNetwork,
  mode: TravelMode,
  from: number,
  slip: number,
  slipEnd: number,
): boolean {
  const { copyOf, head, lengthCm } = network.arrays;
  const goal = head[slipEnd];
  let before = from;
  let alongCm = 0;
  for (let steps = 0; steps < SIDE_EDGES; steps++) {
    const ahead = onwards(network, mode, before).filter((edge) => edge !== copyOf[slip]);
    const main = straightest(network, before, ahead);
    if (main === undefined) return false;
    alongCm += lengthCm[main];
    if (alongCm > SIDE_CM) return false;
    if (leadsTo(network, mode, main, goal)) return true;
    before = main;
  }
  return false;
}

const straightest = (network: RoadNetwork, from: number, choices: readonly number[]): number | undefined =>
  choices.length === 0
    ? undefined
    : choices.reduce((best, edge) =>
        Math.abs(turnAngle(network, from, edge)) < Math.abs(turnAngle(network, from, best)) ? edge : best,
      );

/** A road that crosses at the end of `main` reaches the goal, in or against its direction. */
function leadsTo(network: RoadNetwork, mode: TravelMode, main: number, goal: number): boolean {
  const { head, tail, firstOut, firstIn, inEdges, lengthCm, copyOf, reverse } = network.arrays;
  const node = head[main];
  if (node === goal) return false;
  const walk = (first: number, isOut: boolean): boolean => {
    let alongCm = 0;
    let edge: number | undefined = first;
    for (let steps = 0; edge !== undefined && steps < SIDE_EDGES; steps++) {
      alongCm += lengthCm[edge];
      if (alongCm > SIDE_CM) return false;
      if ((isOut ? head[edge] : tail[edge]) === goal) return true;
      edge = isOut
        ? straightest(network, edge, onwards(network, mode, edge))
        : comingFrom(network, mode, edge);
    }
    return false;
  };
  for (let out = firstOut[node]; out < firstOut[node + 1]; out++)
    if (copyOf[out] === out && out !== reverse[main] && isOpen(network, mode, out) && walk(out, true))
      return true;
  for (let i = firstIn[node]; i < firstIn[node + 1]; i++) {
    const edge = inEdges[i];
    if (copyOf[edge] === edge && edge !== main && reverse[edge] < 0 && isOpen(network, mode, edge))
      if (walk(edge, false)) return true;
  }
  return false;
}

/** The road that goes straight on into `edge`. */
function comingFrom(network: RoadNetwork, mode: TravelMode, edge: number): number | undefined {
  const { tail, firstIn, inEdges, copyOf, reverse } = network.arrays;
  let best: number | undefined;
  for (let i = firstIn[tail[edge]]; i < firstIn[tail[edge] + 1]; i++) {
    const before = inEdges[i];
    if (copyOf[before] !== before || before === reverse[edge] || !isOpen(network, mode, before)) continue;
    const angle = Math.abs(turnAngle(network, before, edge));
    if (angle < ONWARD_DEG && (best === undefined || angle < Math.abs(turnAngle(network, best, edge))))
      best = before;
  }
  return best;
}
