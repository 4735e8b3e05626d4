import { edgeFlag, roadClasses } from './edge-flags.js';
import type { ManeuverModifier, ManeuverType } from './maneuver.js';
import type { RoadNetwork } from './road-network.js';
import { modeIndex, type TravelMode } from './travel-mode.js';

export interface ManeuverKind {
  readonly type: ManeuverType;
  readonly modifier: ManeuverModifier;
}

/** Degrees from straight on, clockwise, −180 to 180. */
export function turnAngle({ arrays }: RoadNetwork, from: number, to: number): number {
  const change = (arrays.bearingOut[to] - arrays.bearingIn[from]) & 255;
  return ((change < 128 ? change : change - 256) * 360) / 256;
}

export function modifierOf(angle: number): ManeuverModifier {
  const size = Math.abs(angle);
  if (size < 20) return 'straight';
  const side = angle > 0 ? 'right' : 'left';
  if (size < 60) return `slight ${side}`;
  if (size < 125) return side;
  return size < 172 ? `sharp ${side}` : 'uturn';
}

/** Below this a way on counts as straight, where nothing else is straighter. */
const STRAIGHT_DEG = 40;
/** Two ways on that lie so close together make a fork. */
const FORK_DEG = 50;

/**
 * What to tell a driver who goes from one edge to the next outside of roundabouts; undefined where the way on is
 * obvious. Turn types are OSRM's.
 */
export function maneuverAt(
  network: RoadNetwork,
  mode: TravelMode,
  from: number,
  to: number,
): ManeuverKind | undefined {
  const { arrays } = network;
  if (network.reverseOf(from) === arrays.copyOf[to]) return { type: 'continue', modifier: 'uturn' };
  const ferryFrom = (arrays.flags[from] & edgeFlag.ferry) !== 0;
  const ferryTo = (arrays.flags[to] & edgeFlag.ferry) !== 0;
  const angle = turnAngle(network, from, to);
  const modifier = modifierOf(angle);
  if (ferryFrom !== ferryTo) return { type: 'notification', modifier };

  const others = otherWays(network, mode, from, to);
  const renamed = isRenamed(network, from, to);
  if (others.length === 0) return renamed ? { type: 'new name', modifier } : undefined;

  const ramp = rampAt(network, from, to);
  if (ramp !== undefined) return { type: ramp, modifier };

  const rival = others.find((other) => Math.abs(turnAngle(network, from, other)) < FORK_DEG);
  if (Math.abs(angle) < STRAIGHT_DEG) {
    const rivalIsLesser =
      rival === undefined ||
      arrays.roadClass[rival] > arrays.roadClass[to] ||
      Math.abs(turnAngle(network, from, rival)) > Math.abs(angle) + 25;
    if (rivalIsLesser) return renamed ? { type: 'new name', modifier } : undefined;
    const side = angle < turnAngle(network, from, rival) ? 'slight left' : 'slight right';
    return { type: 'fork', modifier: side };
  }
  if (!renamed && sameName(network, from, to) && hasName(network, to)) return { type: 'continue', modifier };
  const goesOn = others.some((other) => Math.abs(turnAngle(network, from, other)) < 60);
  return { type: goesOn || others.length < 1 ? 'turn' : 'end of road', modifier };
}

/** Ways on that the driver could have taken instead, a U-turn apart. */
function otherWays(network: RoadNetwork, mode: TravelMode, from: number, to: number): number[] {
  const { head, firstOut, copyOf, speedKph } = network.arrays;
  const offset = modeIndex(mode) * network.edgeCount;
  const back = network.reverseOf(from);
  const others: number[] = [];
  for (let edge = firstOut[head[from]]; edge < firstOut[head[from] + 1]; edge++)
    if (copyOf[edge] === edge && edge !== copyOf[to] && edge !== back && speedKph[offset + edge] > 0)
      others.push(edge);
  return others;
}

const hasName = ({ arrays }: RoadNetwork, edge: number): boolean =>
  arrays.name[edge] !== 0 || arrays.ref[edge] !== 0;
const sameName = ({ arrays }: RoadNetwork, a: number, b: number): boolean =>
  arrays.name[a] === arrays.name[b] && (arrays.name[a] !== 0 || arrays.ref[a] === arrays.ref[b]);
/** A road that loses its name for a few metres has not changed. */
const isRenamed = (network: RoadNetwork, a: number, b: number): boolean =>
  hasName(network, a) && hasName(network, b) && !sameName(network, a, b);

const TRUNK = roadClasses.indexOf('trunk');

function rampAt({ arrays }: RoadNetwork, from: number, to: number): ManeuverType | undefined {
  const linkFrom = (arrays.flags[from] & edgeFlag.link) !== 0;
  const linkTo = (arrays.flags[to] & edgeFlag.link) !== 0;
  const fastFrom = arrays.roadClass[from] <= TRUNK;
  const fastTo = arrays.roadClass[to] <= TRUNK;
  if (linkFrom === linkTo) return undefined;
  if (linkTo && fastTo) return fastFrom ? 'off ramp' : 'on ramp';
  return linkFrom && fastFrom && fastTo ? 'merge' : undefined;
}
