import { edgeFlag } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode } from '../network/travel-mode.js';
import { isTwin } from './choices.js';
import { modifierOf } from './maneuver-modifier.js';
import { isPushed } from './pushing.js';
import { type Ring, ringOf } from './ring.js';
import { isOpen } from './road-likeness.js';
import type { StepStart } from './step-start.js';
import { turnAngle } from './turn-angle.js';

/** A line of ships that is tagged as a roundabout has no exits to count. */
export const isRoundabout = ({ arrays }: RoadNetwork, edge: number): boolean =>
  (arrays.flags[edge] & (edgeFlag.roundabout | edgeFlag.ferry)) === edgeFlag.roundabout;

const isFerry = ({ arrays }: RoadNetwork, edge: number): boolean =>
  (arrays.flags[edge] & edgeFlag.ferry) !== 0;

/** From the entry of a roundabout to its exit; the edges `at` to `after` of the path are on it. */
export function roundaboutStarts(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  at: number,
  after: number,
): StepStart[] {
  const leaves = after < edges.length;
  const named = leaves ? after : at;
  if (at === 0) return leaves ? [exitStart(network, edges, after, ringOf(network, mode, edges[0]))] : [];
  const ring = ringOf(network, mode, edges[at]);
  const exit = leaves ? exitNumber(network, mode, edges[at - 1], edges.subarray(at, after)) : undefined;
  const type = leaves || ring.kind !== 'turn' ? entryTypes[ring.kind] : 'roundabout';
  const modifier = leaves ? modifierOf(turnAngle(network, edges[at - 1], edges[after])) : 'straight';
  // No spreads here: they cost more than the rest.
  const start: StepStart = {
    edge: at,
    named,
    type,
    modifier,
    exit,
    ring: ring.kind === 'rotary' ? edges[at] : undefined,
  };
  if (exit === undefined) return [start];
  const staysOn = !isFerry(network, edges[after]) && !isPushed(network, mode, edges[after]);
  if (ring.kind === 'turn' && staysOn) return [start];
  return [start, exitStart(network, edges, after, ring, exit)];
}

const entryTypes = { roundabout: 'roundabout', rotary: 'rotary', turn: 'roundabout turn' } as const;
const exitTypes = {
  roundabout: 'exit roundabout',
  rotary: 'exit rotary',
  turn: 'exit roundabout',
} as const;

function exitStart(
  network: RoadNetwork,
  edges: Uint32Array,
  after: number,
  { kind }: Ring,
  exit?: number,
): StepStart {
  const modifier = modifierOf(turnAngle(network, edges[after - 1], edges[after]));
  if (isFerry(network, edges[after])) return { edge: after, named: after, type: 'notification', modifier };
  return { edge: after, named: after, type: exitTypes[kind], modifier, exit };
}

/**
 * Where a road leaves a roundabout at the node of the entry, but before it in the direction of traffic, the
 * path has no edge of the ring: the driver goes all the way round. Undefined elsewhere.
 */
export function ringNodeStart(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  at: number,
): StepStart | undefined {
  const { head, firstOut } = network.arrays;
  const [from, to] = [edges[at - 1], edges[at]];
  for (let edge = firstOut[head[from]]; edge < firstOut[head[from] + 1]; edge++) {
    if (!isRoundabout(network, edge) || !isOpen(network, mode, edge)) continue;
    const { kind, edges: ring } = ringOf(network, mode, edge);
    if (ring.length === 0 || crossesIsland(network, ring, from, to)) return undefined;
    if (liesAhead(network, from, edge, to)) return undefined;
    return {
      edge: at,
      named: at,
      type: entryTypes[kind],
      modifier: modifierOf(turnAngle(network, from, to)),
      exit: exitNumber(network, mode, from, ring),
      ...(kind === 'rotary' ? { ring: edge } : {}),
    };
  }
  return undefined;
}

/**
 * Exits that are passed on the ring, plus the one that is taken; a bicycle that is pushed has none. Where a
 * road leaves the ring at the node of the entry, it is passed if it lies ahead of the entry.
 */
function exitNumber(network: RoadNetwork, mode: TravelMode, entry: number, ring: ArrayLike<number>): number {
  const { head, firstOut, copyOf, speedKph } = network.arrays;
  const offset = modeIndex(mode) * network.edgeCount;
  let exits = 1;
  const count = (node: number, isPassed: (out: number) => boolean): void => {
    const counted: number[] = [];
    for (let out = firstOut[node]; out < firstOut[node + 1]; out++) {
      const isOut = copyOf[out] === out && !isRoundabout(network, out) && speedKph[offset + out] > 0;
      const isExit = isOut && !isPushed(network, mode, out);
      if (isExit && isPassed(out) && !counted.some((other) => isTwin(network, out, other))) counted.push(out);
    }
    exits += counted.length;
  };
  count(head[entry], (out) => liesAhead(network, entry, ring[0], out));
  for (let i = 0; i < ring.length - 1; i++) count(head[ring[i]], () => true);
  return exits;
}

/** A road across the island lies on the side to which the ring bends. */
function crossesIsland(
  { arrays, meta }: RoadNetwork,
  ring: readonly number[],
  from: number,
  to: number,
): boolean {
  const { tail, head, bearingIn, bearingOut } = arrays;
  const [first, last] = [ring[0], ring[ring.length - 1]];
  if (tail[first] !== head[from] || head[last] !== head[from]) return false;
  const turn = meta.drivingSide === 'right' ? -1 : 1;
  const aside = (bearing: number): number => (turn * (bearing - bearingOut[first])) & 255;
  const island = aside(bearingIn[last] + 128);
  return [bearingOut[to], bearingIn[from] + 128].some((road) => aside(road) > 0 && aside(road) < island);
}

/** Between the ring and the entry, on the side of the ring that traffic leaves it. */
function liesAhead({ arrays, meta }: RoadNetwork, entry: number, ring: number, out: number): boolean {
  const { bearingIn, bearingOut } = arrays;
  const turn = meta.drivingSide === 'right' ? 1 : -1;
  const from = (bearing: number): number => (turn * (bearing - bearingOut[ring])) & 255;
  return from(bearingOut[out]) < from(bearingIn[entry] + 128);
}
