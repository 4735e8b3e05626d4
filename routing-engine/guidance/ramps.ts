import { edgeFlag, roadClasses } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode } from '../network/travel-mode.js';
import type { Choice } from './choices.js';
import type { ManeuverModifier, ManeuverType } from './maneuver.js';
import { besideOf, modifierOf } from './maneuver-modifier.js';
import { isLink, sameName } from './road-likeness.js';
import { BESIDE_DEG, ONWARD_DEG } from './turn-limits.js';

const MOTORWAY = roadClasses.indexOf('motorway');
const TRUNK = roadClasses.indexOf('trunk');

export function rampAt({ arrays }: RoadNetwork, from: number, to: number): ManeuverType | undefined {
  const { flags, roadClass } = arrays;
  if ((flags[from] & edgeFlag.link) !== 0 || (flags[to] & edgeFlag.link) === 0 || roadClass[to] > TRUNK)
    return undefined;
  return roadClass[from] <= TRUNK ? 'off ramp' : 'on ramp';
}

/** From a ramp or motorway into the traffic of a motorway or trunk road: the side that it lies on. */
export function mergeAt(
  network: RoadNetwork,
  mode: TravelMode,
  from: number,
  to: number,
): ManeuverModifier | undefined {
  const { arrays, edgeCount } = network;
  const { flags, roadClass, firstIn, inEdges, head, bearingIn, speedKph } = arrays;
  if ((flags[to] & edgeFlag.link) !== 0 || roadClass[from] > TRUNK || roadClass[to] > TRUNK) return undefined;
  const isRamp = (flags[from] & edgeFlag.link) !== 0;
  if (!isRamp && (roadClass[from] !== MOTORWAY || roadClass[to] !== MOTORWAY)) return undefined;
  if (!isRamp && sameName(network, from, to)) return undefined;
  for (let i = firstIn[head[from]]; i < firstIn[head[from] + 1]; i++) {
    const main = inEdges[i];
    if ((flags[main] & edgeFlag.link) !== 0 || roadClass[main] > TRUNK) continue;
    if (main === from || main === arrays.reverse[to] || speedKph[modeIndex(mode) * edgeCount + main] === 0)
      continue;
    if (!isRamp) {
      network.requireEdge(main);
      if (!sameName(network, main, to)) continue;
    }
    // A driver who heads further left than the main road joins it from its right.
    const lean = (bearingIn[from] - bearingIn[main]) & 255;
    return lean >= 128 ? 'slight left' : 'slight right';
  }
  return undefined;
}

/** A ramp that leaves almost straight on has the side of the road that it lies on. */
export function rampSide(
  network: RoadNetwork,
  type: ManeuverType,
  angle: number,
  choices: readonly Choice[],
): ManeuverModifier {
  const modifier = modifierOf(angle);
  if (modifier !== 'straight') return modifier;
  const main = choices.find(
    ({ edge, angle: other }) =>
      Math.abs(other) < (type === 'off ramp' ? ONWARD_DEG : BESIDE_DEG) && !isLink(network, edge),
  );
  const beside = main ?? choices.find(({ angle: other }) => Math.abs(other) < BESIDE_DEG);
  return beside === undefined ? modifier : besideOf(angle, beside.angle);
}
