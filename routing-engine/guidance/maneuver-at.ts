import { edgeFlag, roadClasses } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode } from '../network/travel-mode.js';
import type { ManeuverModifier, ManeuverType } from './maneuver.js';

export interface ManeuverKind {
  readonly type: ManeuverType;
  readonly modifier: ManeuverModifier;
}

/** Degrees from straight on, clockwise, −180 to 180. */
export function turnAngle({ arrays }: RoadNetwork, from: number, to: number): number {
  const change = (arrays.bearingOut[to] - arrays.bearingIn[from]) & 255;
  return ((change < 128 ? change : change - 256) * 360) / 256;
}

/** The same by the drawn lines at the node: stored bearings are taken some metres from it. */
function angleAtNode({ arrays }: RoadNetwork, from: number, to: number): number {
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

/** The greater of both. */
function sharpest(network: RoadNetwork, from: number, to: number): number {
  const far = turnAngle(network, from, to);
  if (Math.abs(far) >= TURN_DEG) return far;
  const near = angleAtNode(network, from, to);
  return Math.abs(far) >= Math.abs(near) ? far : near;
}

export function modifierOf(angle: number): ManeuverModifier {
  const size = Math.abs(angle);
  if (size < 20) return 'straight';
  const side = angle > 0 ? 'right' : 'left';
  if (size < 60) return `slight ${side}`;
  if (size < 125) return side;
  return size < 172 ? `sharp ${side}` : 'uturn';
}

/** The side of the other road that a nearly straight one lies on. */
const besideOf = (angle: number, other: number): ManeuverModifier =>
  angle < other ? 'slight left' : 'slight right';

/** Below this angle, an exit counts as straight if no other is straighter. */
const STRAIGHT_DEG = 40;
/** Two exits within this angle make a fork. */
const FORK_DEG = 50;

/** An exit within this angle continues the road, so that it does not end here. */
const ONWARD_DEG = 60;
/**
 * From here on a bend is a turn where a road branches off. Bearings are stored in steps of 1.4°: a little
 * below 60°.
 */
const TURN_DEG = 57;
/** Beyond this angle a road comes from behind, so it is not the crossbar of a T. */
const CROSSBAR_DEG = 125;

/**
 * The maneuver of a driver who goes from one edge to the next outside of roundabouts; undefined where the
 * route is obvious. Turn types are OSRM's.
 */
export function maneuverAt(
  network: RoadNetwork,
  mode: TravelMode,
  from: number,
  to: number,
): ManeuverKind | undefined {
  const { head, firstOut, copyOf, speedKph, flags, roadClass, reverse } = network.arrays;
  const back = reverse[from];
  if (back >= 0 && back === copyOf[to]) return { type: 'continue', modifier: 'uturn' };

  // Other exits that the driver could have taken, U-turns excluded.
  const node = head[from];
  const offset = modeIndex(mode) * network.edgeCount;
  let others = 0;
  let rival = -1;
  let rivalAngle = 180;
  for (let edge = firstOut[node]; edge < firstOut[node + 1]; edge++) {
    if (copyOf[edge] !== edge || edge === copyOf[to] || edge === back || speedKph[offset + edge] === 0)
      continue;
    others++;
    const angle = turnAngle(network, from, edge);
    if (rival >= 0 && Math.abs(angle) >= Math.abs(rivalAngle)) continue;
    rival = edge;
    rivalAngle = angle;
  }
  const renamed = isRenamed(network, from, to);
  const changed = flags[from] ^ flags[to];
  const angle = turnAngle(network, from, to);
  const modifier = modifierOf(angle);
  if ((changed & edgeFlag.ferry) !== 0) return { type: 'notification', modifier };
  const merging = mergeAt(network, mode, from, to);
  if (merging !== undefined) return { type: 'merge', modifier: merging };
  if (others === 0)
    return forcedAt(network, mode, from, to) ?? (renamed ? { type: 'new name', modifier } : undefined);
  const ramp = rampAt(network, from, to);
  if (ramp !== undefined) {
    const isBeside = modifier === 'straight' && modifierOf(rivalAngle) === 'straight';
    return { type: ramp, modifier: isBeside ? besideOf(angle, rivalAngle) : modifier };
  }

  if (Math.abs(angle) < STRAIGHT_DEG) {
    const rivalIsLesser =
      Math.abs(rivalAngle) >= FORK_DEG ||
      roadClass[rival] > roadClass[to] ||
      Math.abs(rivalAngle) > Math.abs(angle) + 25;
    if (!rivalIsLesser) return { type: 'fork', modifier: besideOf(angle, rivalAngle) };
    return cornerAt(network, mode, from, to) ?? (renamed ? { type: 'new name', modifier } : undefined);
  }
  if (goesOn(network, from, to)) return { type: 'continue', modifier };
  return { type: Math.abs(rivalAngle) < ONWARD_DEG ? 'turn' : 'end of road', modifier };
}

/**
 * A turn where no other road may be entered. A driver sees incoming one-way roads and roads for other
 * vehicles, and needs an instruction. A bend of the road is not a turn, unless it ends on a through road.
 */
function forcedAt(
  network: RoadNetwork,
  mode: TravelMode,
  from: number,
  to: number,
): ManeuverKind | undefined {
  const angle = sharpest(network, from, to);
  if (Math.abs(angle) < TURN_DEG) return undefined;
  if (isSameRoad(network, mode, from, to) && !joinsThrough(network, mode, from, to)) return undefined;
  const forbidden = straightestForbidden(network, mode, from, to);
  if (forbidden === undefined) return undefined;
  const modifier = modifierOf(angle);
  const ramp = rampAt(network, from, to);
  if (ramp !== undefined) return { type: ramp, modifier };
  if (goesOn(network, from, to)) return { type: 'continue', modifier };
  return { type: forbidden < ONWARD_DEG || forbidden > CROSSBAR_DEG ? 'turn' : 'end of road', modifier };
}

/**
 * Others come straight onto `to` from a road of the same or a higher class: that is the through road, and the
 * road that is left ends on it.
 */
function joinsThrough(network: RoadNetwork, mode: TravelMode, from: number, to: number): boolean {
  const { head, firstIn, inEdges, copyOf, reverse, speedKph, roadClass } = network.arrays;
  const offset = modeIndex(mode) * network.edgeCount;
  for (let i = firstIn[head[from]]; i < firstIn[head[from] + 1]; i++) {
    const edge = inEdges[i];
    if (copyOf[edge] !== edge || edge === copyOf[from] || edge === reverse[to]) continue;
    if (speedKph[offset + edge] === 0 || roadClass[edge] > roadClass[to]) continue;
    if (Math.abs(turnAngle(network, edge, to)) < STRAIGHT_DEG) return true;
  }
  return false;
}

/** A turn at the crossing itself of roads that run on nearly straight some metres from it. */
function cornerAt(
  network: RoadNetwork,
  mode: TravelMode,
  from: number,
  to: number,
): ManeuverKind | undefined {
  const angle = angleAtNode(network, from, to);
  if (Math.abs(angle) < TURN_DEG) return undefined;
  if (isSameRoad(network, mode, from, to) && !leadsAhead(network, mode, from, to)) return undefined;
  return { type: goesOn(network, from, to) ? 'continue' : 'turn', modifier: modifierOf(angle) };
}

/**
 * Some road other than `to` may be entered near straight ahead. Throws `CellsMissing` where its line is not
 * loaded.
 */
function leadsAhead(network: RoadNetwork, mode: TravelMode, from: number, to: number): boolean {
  const { head, firstOut, copyOf, speedKph, reverse } = network.arrays;
  const offset = modeIndex(mode) * network.edgeCount;
  for (let edge = firstOut[head[from]]; edge < firstOut[head[from] + 1]; edge++)
    if (
      copyOf[edge] === edge &&
      edge !== copyOf[to] &&
      edge !== reverse[from] &&
      speedKph[offset + edge] > 0 &&
      network.edgePoints(edge) > 0 &&
      Math.abs(angleAtNode(network, from, edge)) < ONWARD_DEG
    )
      return true;
  return false;
}

/**
 * Degrees from straight ahead of the straightest road that may not be entered: an incoming one-way road, or
 * one for other vehicles. A driver sees it and must be shown which road to take. Undefined if there is none.
 */
function straightestForbidden(
  { arrays, edgeCount }: RoadNetwork,
  mode: TravelMode,
  from: number,
  to: number,
): number | undefined {
  const { head, firstOut, firstIn, inEdges, copyOf, reverse, speedKph, roadClass } = arrays;
  const { bearingIn, bearingOut } = arrays;
  const offset = modeIndex(mode) * edgeCount;
  const node = head[from];
  let straightest: number | undefined;
  const see = (edge: number, bearing: number): void => {
    const back = reverse[edge];
    if (copyOf[edge] !== edge || edge === copyOf[from] || edge === copyOf[to]) return;
    if (back >= 0 && (back === copyOf[from] || back === copyOf[to])) return;
    const isUsed = speedKph[offset + edge] > 0 || (back >= 0 && speedKph[offset + back] > 0);
    if (!isUsed && roadClass[edge] > TRACK) return;
    const change = (bearing - bearingIn[from]) & 255;
    const degrees = (Math.min(change, 256 - change) * 360) / 256;
    if (straightest === undefined || degrees < straightest) straightest = degrees;
  };
  for (let edge = firstOut[node]; edge < firstOut[node + 1]; edge++) see(edge, bearingOut[edge]);
  for (let i = firstIn[node]; i < firstIn[node + 1]; i++) see(inEdges[i], bearingIn[inEdges[i]] + 128);
  return straightest;
}

/** Whether the road bends, as its users see it. */
function isSameRoad(network: RoadNetwork, mode: TravelMode, a: number, b: number): boolean {
  const { arrays, edgeCount } = network;
  const { roadClass, flags, zone } = arrays;
  const offset = modeIndex(mode) * edgeCount;
  return (
    sameName(network, a, b) &&
    roadClass[a] === roadClass[b] &&
    ((flags[a] ^ flags[b]) & edgeFlag.link) === 0 &&
    (zone[offset + a] === 0) === (zone[offset + b] === 0)
  );
}

/** The road keeps its name, or its number if it has no name. */
export const goesOn = (network: RoadNetwork, a: number, b: number): boolean =>
  sameName(network, a, b) && hasName(network, b);
const hasName = ({ arrays }: RoadNetwork, edge: number): boolean =>
  arrays.name[edge] !== 0 || arrays.ref[edge] !== 0;
const sameName = ({ arrays }: RoadNetwork, a: number, b: number): boolean =>
  arrays.name[a] === arrays.name[b] && (arrays.name[a] !== 0 || arrays.ref[a] === arrays.ref[b]);
/** A road without a name for a few metres is still the same road. */
const isRenamed = (network: RoadNetwork, a: number, b: number): boolean =>
  hasName(network, a) && hasName(network, b) && !sameName(network, a, b);

const TRUNK = roadClasses.indexOf('trunk');
/** The last class of the roads that are made for vehicles. */
const TRACK = roadClasses.indexOf('track');

function rampAt({ arrays }: RoadNetwork, from: number, to: number): ManeuverType | undefined {
  const { flags, roadClass } = arrays;
  if ((flags[from] & edgeFlag.link) !== 0 || (flags[to] & edgeFlag.link) === 0 || roadClass[to] > TRUNK)
    return undefined;
  return roadClass[from] <= TRUNK ? 'off ramp' : 'on ramp';
}

/** From a ramp into the traffic of a motorway or trunk road: the side that it lies on. */
function mergeAt(
  { arrays, edgeCount }: RoadNetwork,
  mode: TravelMode,
  from: number,
  to: number,
): ManeuverModifier | undefined {
  const { flags, roadClass, firstIn, inEdges, head, bearingIn, speedKph } = arrays;
  if ((flags[from] & edgeFlag.link) === 0 || (flags[to] & edgeFlag.link) !== 0) return undefined;
  if (roadClass[from] > TRUNK || roadClass[to] > TRUNK) return undefined;
  for (let i = firstIn[head[from]]; i < firstIn[head[from] + 1]; i++) {
    const main = inEdges[i];
    if ((flags[main] & edgeFlag.link) !== 0 || roadClass[main] > TRUNK) continue;
    if (main === from || main === arrays.reverse[to] || speedKph[modeIndex(mode) * edgeCount + main] === 0)
      continue;
    // A driver who heads further left than the main road joins it from its right.
    const lean = (bearingIn[from] - bearingIn[main]) & 255;
    return lean >= 128 ? 'slight left' : 'slight right';
  }
  return undefined;
}
