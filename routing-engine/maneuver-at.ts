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

/** A way on within this of straight ahead goes on, so that the road has no end here. */
const ONWARD_DEG = 60;

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
  const { head, firstOut, copyOf, speedKph, flags, roadClass, reverse } = network.arrays;
  const back = reverse[from];
  if (back >= 0 && back === copyOf[to]) return { type: 'continue', modifier: 'uturn' };

  // Ways on that the driver could have taken instead, a U-turn apart.
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
  if (others === 0 && !renamed && (changed & (edgeFlag.ferry | edgeFlag.link)) === 0) return undefined;

  const angle = turnAngle(network, from, to);
  const modifier = modifierOf(angle);
  if ((changed & edgeFlag.ferry) !== 0) return { type: 'notification', modifier };
  const merging = mergeAt(network, mode, from, to);
  if (merging !== undefined) return { type: 'merge', modifier: merging };
  if (others === 0) return renamed ? { type: 'new name', modifier } : undefined;
  const ramp = rampAt(network, from, to);
  if (ramp !== undefined) return { type: ramp, modifier };

  if (Math.abs(angle) < STRAIGHT_DEG) {
    const rivalIsLesser =
      Math.abs(rivalAngle) >= FORK_DEG ||
      roadClass[rival] > roadClass[to] ||
      Math.abs(rivalAngle) > Math.abs(angle) + 25;
    if (rivalIsLesser) return renamed ? { type: 'new name', modifier } : undefined;
    return { type: 'fork', modifier: angle < rivalAngle ? 'slight left' : 'slight right' };
  }
  if (!renamed && sameName(network, from, to) && hasName(network, to)) return { type: 'continue', modifier };
  return { type: Math.abs(rivalAngle) < ONWARD_DEG ? 'turn' : 'end of road', modifier };
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
    // Who steers further left than the traffic comes from its right.
    const lean = (bearingIn[from] - bearingIn[main]) & 255;
    return lean >= 128 ? 'slight left' : 'slight right';
  }
  return undefined;
}
