import { edgeFlag, roadClasses } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode } from '../network/travel-mode.js';

export const hasName = ({ arrays }: RoadNetwork, edge: number): boolean =>
  arrays.name[edge] !== 0 || arrays.ref[edge] !== 0;

export const sameName = ({ arrays }: RoadNetwork, a: number, b: number): boolean =>
  arrays.name[a] === arrays.name[b] && (arrays.name[a] !== 0 || arrays.ref[a] === arrays.ref[b]);

/** The road keeps its name, or its number if it has no name. */
export const goesOn = (network: RoadNetwork, a: number, b: number): boolean =>
  sameName(network, a, b) && hasName(network, b);

/**
 * A road without a name for a few metres is still the same road, and so is its other end: `West 42nd Street`
 * and `East 42nd Street`.
 */
export function isRenamed(network: RoadNetwork, a: number, b: number): boolean {
  if (!hasName(network, a) || !hasName(network, b) || sameName(network, a, b)) return false;
  const { name } = network.arrays;
  if (name[a] === 0 || name[b] === 0) return true;
  return withoutCompass(network.edgeName(a)) !== withoutCompass(network.edgeName(b));
}

const compassPoint = /^(?:[ns][ew]?|[ew]|(?:north|south)(?:-?(?:east|west))?|east|west)\.?$/i;

/** A name without the point of the compass before or behind it. */
function withoutCompass(name: string): string {
  const words = name.split(' ');
  if (words.length < 2) return name;
  if (compassPoint.test(words[0]!)) return words.slice(1).join(' ');
  return compassPoint.test(words.at(-1)!) ? words.slice(0, -1).join(' ') : name;
}

/** Whether the road bends, as its users see it. */
export function isSameRoad(network: RoadNetwork, mode: TravelMode, a: number, b: number): boolean {
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

export const isOpen = ({ arrays, edgeCount }: RoadNetwork, mode: TravelMode, edge: number): boolean =>
  arrays.speedKph[modeIndex(mode) * edgeCount + edge] > 0;

export function isOneway(network: RoadNetwork, mode: TravelMode, edge: number): boolean {
  const back = network.arrays.reverse[edge];
  return back < 0 || !isOpen(network, mode, back);
}

/** Both lead over one square: people on foot see open ground there, not roads. */
export const isSameGround = ({ arrays: { flags, wayId } }: RoadNetwork, a: number, b: number): boolean =>
  ((flags[a] | flags[b]) & edgeFlag.acrossArea) !== 0 && wayId[a] === wayId[b];

export const isLink = ({ arrays }: RoadNetwork, edge: number): boolean =>
  (arrays.flags[edge] & edgeFlag.link) !== 0;

const SERVICE = roadClasses.indexOf('service');

/** One of them is at least twice as far down the list of classes, or for access only. */
export const isFarLess = ({ arrays: { roadClass } }: RoadNetwork, lesser: number, than: number): boolean =>
  roadClass[lesser] + 1 >= 2 * (roadClass[than] + 1) ||
  (roadClass[lesser] >= SERVICE && roadClass[than] < SERVICE);
