import { edgeFlag } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { snap } from '#routing-engine/snap/snap.js';
import type { Coordinates, Roads } from '../ports/roads.js';
import type { RoadLine } from '../road-tiles/road-line.js';
import { middleOfRoads } from './middle-of-roads.js';
import { navigationTiles } from './navigation-tiles.js';

const isDrivable = (network: RoadNetwork, edge: number): boolean => network.freeFlowKph(edge, 'driving') > 0;

function lineOf(network: RoadNetwork, edge: number): Coordinates {
  const lngLat = network.edgeGeometry(edge);
  return Array.from({ length: lngLat.length / 2 }, (_, point) => [
    lngLat[2 * point]!,
    lngLat[2 * point + 1]!,
  ]);
}

/** Ramps have their own style, like OpenStreetMap's own classes. */
function roadClass(network: RoadNetwork, edge: number): string {
  const name = network.edgeClass(edge);
  return (network.edgeFlags(edge) & edgeFlag.link) === 0 ? name : `${name}_link`;
}

/** One-way for drivers; a street that pedestrians use in both directions has edges in both directions. */
function isOneway(network: RoadNetwork, edge: number): boolean {
  const reverse = network.reverseOf(edge);
  return isDrivable(network, edge) !== (reverse !== undefined && isDrivable(network, reverse));
}

function* roadLines(network: RoadNetwork): Iterable<RoadLine> {
  for (const edge of network.arrays.pieceEdge)
    yield {
      class: roadClass(network, edge),
      name: network.edgeName(edge),
      ref: network.edgeRef(edge),
      oneway: isOneway(network, edge),
      coordinates: lineOf(network, edge),
    };
}

/** The road network as the gateway shows it. */
export const engineRoads = (network: RoadNetwork, name: string): Roads => ({
  tilesetId: network.tilesetId,
  area: { name, bounds: network.bounds, middle: middleOfRoads(network) },
  edgeCount: network.edgeCount,
  cellCount: network.cellCount,
  edgeOf: (edgeId) => network.edgeByStableId(edgeId),
  edgeIdOf: (edge) => network.edgeId(edge),
  nameOf: (edge) => network.edgeName(edge) || network.edgeRef(edge),
  lineOf: (edge) => lineOf(network, edge),
  oppositeOf(edge, modes) {
    const reverse = network.reverseOf(edge);
    if (reverse === undefined) return undefined;
    return modes.some((mode) => network.freeFlowKph(reverse, mode) > 0) ? reverse : undefined;
  },
  nearest(place, maxMeters, modes) {
    const found = modes.flatMap((mode) => snap(network, place, { mode, maxMeters, limit: 1 }));
    return found.toSorted((a, b) => a.distanceM - b.distanceM)[0]?.edge;
  },
  tilesBetween: (start, destination) => navigationTiles(network, start, destination),
  lines: () => roadLines(network),
});
