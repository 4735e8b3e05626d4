import { edgeFlag } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import { goesOn, isOneway } from './road-likeness.js';

/** Half and quarter of a turn in the units of stored bearings, 256ths. */
const HALF = 128;
/** The carriageways of a road that divides here, at most: 60°. */
const DIVIDES = 43;

/** A change of direction as −128 to 127. */
const signed = (change: number): number => {
  const clockwise = change & 255;
  return clockwise < HALF ? clockwise : clockwise - 256;
};
const degrees = (change: number): number => (signed(change) * 360) / 256;

/** Degrees from one stored bearing to another, clockwise, −180 to 180. */
export const turned = (from: number, to: number): number => degrees(to - from);

/** Degrees from straight on, clockwise, −180 to 180. */
export const turnAngle = ({ arrays }: RoadNetwork, from: number, to: number): number =>
  degrees(arrays.bearingOut[to] - arrays.bearingIn[from]);

/**
 * The same as a driver sees it who knows the course of the roads: a road that divides into carriageways at
 * the crossing, or did up to it, runs between them.
 */
export const courseAngle = (network: RoadNetwork, mode: TravelMode, from: number, to: number): number =>
  degrees(leavingCourse(network, mode, to) - arrivingCourse(network, mode, from));

export function leavingCourse(network: RoadNetwork, mode: TravelMode, edge: number): number {
  const { bearingOut, bearingIn } = network.arrays;
  const oncoming = oncomingAt(network, mode, edge);
  if (oncoming === undefined) return bearingOut[edge];
  return bearingOut[edge] + signed(bearingIn[oncoming] + HALF - bearingOut[edge]) / 2;
}

/** The carriageway of oncoming traffic where a road divides: it ends at the node at which `edge` begins. */
export function oncomingAt(network: RoadNetwork, mode: TravelMode, edge: number): number | undefined {
  const { bearingOut, tail, firstIn, inEdges, bearingIn } = network.arrays;
  if (!canBeCarriageway(network, mode, edge)) return undefined;
  for (let i = firstIn[tail[edge]]; i < firstIn[tail[edge] + 1]; i++) {
    const other = inEdges[i];
    // Seen from the crossing, traffic towards it is on the other side.
    const apart = besideOncoming(network, bearingIn[other] + HALF - bearingOut[edge], -1);
    if (apart !== 0 && areCarriageways(network, mode, edge, other)) return other;
  }
  return undefined;
}

export function arrivingCourse(network: RoadNetwork, mode: TravelMode, edge: number): number {
  const { bearingIn, head, firstOut, bearingOut } = network.arrays;
  const own = bearingIn[edge];
  if (!canBeCarriageway(network, mode, edge)) return own;
  for (let other = firstOut[head[edge]]; other < firstOut[head[edge] + 1]; other++) {
    const apart = besideOncoming(network, bearingOut[other] + HALF - own, 1);
    if (apart !== 0 && areCarriageways(network, mode, edge, other)) return own + apart / 2;
  }
  return own;
}

/**
 * The change of direction if it is small enough, and to the side (where one drives on the right: −1 left, 1
 * right) on which oncoming traffic makes it; else 0.
 */
function besideOncoming({ meta }: RoadNetwork, change: number, side: 1 | -1): number {
  const apart = signed(change);
  const size = meta.drivingSide === 'right' ? side * apart : -side * apart;
  return size > 0 && size <= DIVIDES ? apart : 0;
}

const notCarriageway = edgeFlag.link | edgeFlag.roundabout | edgeFlag.ferry;
const canBeCarriageway = (network: RoadNetwork, mode: TravelMode, edge: number): boolean =>
  (network.arrays.flags[edge] & notCarriageway) === 0 && isOneway(network, mode, edge);

function areCarriageways(network: RoadNetwork, mode: TravelMode, a: number, b: number): boolean {
  const { roadClass } = network.arrays;
  if (roadClass[a] !== roadClass[b] || !canBeCarriageway(network, mode, b)) return false;
  network.requireEdge(b);
  return goesOn(network, a, b);
}

/** By the drawn lines at the node: stored bearings are taken some metres from it. */
export function angleAtNode({ arrays }: RoadNetwork, from: number, to: number): number {
  const { head, nodeLngE7, nodeLatE7, shapeLngE7, shapeLatE7 } = arrays;
  const lng = nodeLngE7[head[from]];
  const lat = nodeLatE7[head[from]];
  const before = pointBeside(arrays, from, false);
  const after = pointBeside(arrays, to, true);
  const perLng = Math.cos((lat * 1e-7 * Math.PI) / 180);
  const inX = (lng - (before < 0 ? nodeLngE7[-1 - before] : shapeLngE7[before])) * perLng;
  const inY = lat - (before < 0 ? nodeLatE7[-1 - before] : shapeLatE7[before]);
  const outX = ((after < 0 ? nodeLngE7[-1 - after] : shapeLngE7[after]) - lng) * perLng;
  const outY = (after < 0 ? nodeLatE7[-1 - after] : shapeLatE7[after]) - lat;
  return (Math.atan2(inY * outX - inX * outY, inX * outX + inY * outY) * 180) / Math.PI;
}

/**
 * The point of an edge's line next to its tail or its head: its place among the shape points, or −1 − node
 * for the other end.
 */
function pointBeside(
  { piece, firstShape, flags, head, tail }: RoadNetwork['arrays'],
  edge: number,
  isTail: boolean,
): number {
  const first = firstShape[piece[edge]];
  const last = firstShape[piece[edge] + 1] - 1;
  if (last < first) return -1 - (isTail ? head[edge] : tail[edge]);
  return isTail === ((flags[edge] & edgeFlag.against) === 0) ? first : last;
}
