import { bearingDeg } from '#routing-engine/network/earth.js';
import { edgeFlag, type RoadClass } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { cutLine } from '#routing-engine/route/path-geometry.js';
import { bearingMetres, type FormOfWay } from './line-reference.js';

/** Classes of OpenStreetMap as functional road classes; every map has a mapping of its own. */
const functionalClass: Partial<Record<RoadClass, number>> = {
  motorway: 0,
  trunk: 1,
  primary: 2,
  secondary: 3,
  tertiary: 4,
  unclassified: 5,
  residential: 6,
};
const leastImportant = 7;

export const frcOf = (network: RoadNetwork, edge: number): number =>
  functionalClass[network.edgeClass(edge)] ?? leastImportant;

/** A main road that is one-way has its other direction beside it. */
const dividedClasses: readonly RoadClass[] = ['trunk', 'primary'];

export function fowOf(network: RoadNetwork, edge: number): FormOfWay {
  const flags = network.edgeFlags(edge);
  const name = network.edgeClass(edge);
  if ((flags & edgeFlag.roundabout) !== 0) return 'roundabout';
  if ((flags & edgeFlag.link) !== 0) return 'slipRoad';
  if (name === 'motorway') return 'motorway';
  if (dividedClasses.includes(name) && !isDrivable(network, network.reverseOf(edge)))
    return 'multipleCarriageway';
  return 'singleCarriageway';
}

/** An original that cars may use; copies that turn restrictions made lie over their originals. */
export const isDrivable = (network: RoadNetwork, edge: number | undefined): edge is number =>
  edge !== undefined &&
  network.freeFlowKph(edge, 'driving') > 0 &&
  (network.edgeFlags(edge) & edgeFlag.copy) === 0;

/**
 * Bearing from a place on an edge to the place 20 m on along it, or to its end when that is nearer. `back`:
 * against the direction of travel, as the last point of a line has it.
 */
export function bearingAt(network: RoadNetwork, edge: number, fraction: number, back = false): number {
  const share = bearingMetres / Math.max(network.edgeLengthM(edge), bearingMetres);
  const [from, to] = back ? [fraction - share, fraction] : [fraction, fraction + share];
  const line = cutLine(network.edgeGeometry(edge), from, to);
  const [lng, lat] = [line[0]!, line[1]!];
  const [endLng, endLat] = [line[line.length - 2]!, line[line.length - 1]!];
  return back ? bearingDeg(endLng, endLat, lng, lat) : bearingDeg(lng, lat, endLng, endLat);
}
