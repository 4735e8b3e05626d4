import { edgeFlag, roadClasses } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode } from '../network/travel-mode.js';
import type { ManeuverKind } from './maneuver.js';
import { modifierOf } from './maneuver-modifier.js';
import { rampAt } from './ramps.js';
import { goesOn, hasName, isSameGround, isSameRoad } from './road-likeness.js';
import { angleAtNode, turnAngle } from './turn-angle.js';
import { CROSSBAR_DEG, ONWARD_DEG, STRAIGHT_DEG, TURN_DEG } from './turn-limits.js';

/** The last class of the roads that are made for vehicles. */
const TRACK = roadClasses.indexOf('track');

/**
 * A turn where no other road may be entered. A driver sees incoming one-way roads and roads for other
 * vehicles, and needs an instruction. A bend of the road is not a turn, unless it ends on a through road.
 */
export function forcedAt(
  network: RoadNetwork,
  mode: TravelMode,
  from: number,
  to: number,
): ManeuverKind | undefined {
  const angle = sharpest(network, from, to);
  if (Math.abs(angle) < TURN_DEG) return undefined;
  // Nothing on open ground shows the way.
  if (isBorder(network, from, to))
    return { type: goesOn(network, from, to) ? 'continue' : 'turn', modifier: modifierOf(angle) };
  const forbidden = straightestForbidden(network, mode, from, to);
  if (forbidden === undefined) return undefined;
  // A driver cannot follow the name of a road that has none, past a road that leads straight ahead.
  const isPlainBend =
    isSameRoad(network, mode, from, to) && (hasName(network, to) || forbidden >= STRAIGHT_DEG);
  if (isPlainBend && !joinsThrough(network, mode, from, to)) return undefined;
  const modifier = modifierOf(angle);
  const ramp = rampAt(network, from, to);
  if (ramp !== undefined) return { type: ramp, modifier };
  if (goesOn(network, from, to)) return { type: 'continue', modifier };
  return { type: forbidden < ONWARD_DEG || forbidden > CROSSBAR_DEG ? 'turn' : 'end of road', modifier };
}

/** Where people on foot come to a square, or leave it. */
const isBorder = (network: RoadNetwork, from: number, to: number): boolean =>
  ((network.arrays.flags[from] ^ network.arrays.flags[to]) & edgeFlag.acrossArea) !== 0 &&
  !isSameGround(network, from, to);

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
export function cornerAt(
  network: RoadNetwork,
  mode: TravelMode,
  from: number,
  to: number,
): ManeuverKind | undefined {
  const angle = angleAtNode(network, from, to);
  if (Math.abs(angle) < ONWARD_DEG) return undefined;
  if (isSameRoad(network, mode, from, to) && !leadsAhead(network, mode, from, to)) return undefined;
  return { type: goesOn(network, from, to) ? 'continue' : 'turn', modifier: modifierOf(angle) };
}

/**
 * Some road other than `to` may be entered near straight ahead. Throws `CellsMissing` where its line is not
 * loaded.
 */
export function leadsAhead(network: RoadNetwork, mode: TravelMode, from: number, to: number): boolean {
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

/** The greater of both. */
function sharpest(network: RoadNetwork, from: number, to: number): number {
  const far = turnAngle(network, from, to);
  if (Math.abs(far) >= TURN_DEG) return far;
  const near = angleAtNode(network, from, to);
  return Math.abs(far) >= Math.abs(near) ? far : near;
}
