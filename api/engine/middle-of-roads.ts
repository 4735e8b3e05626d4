import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { modeIndex } from '#routing-engine/network/travel-mode.js';
import { E7, type LatLng } from '#schemas/units.js';

/**
 * The median of the roads for cars: in the town, however far single roads lead out of it. The middle of the
 * bounds is not: an extract may hold a ferry that leads 100 km beyond its town.
 */
export function middleOfRoads({ arrays, edgeCount, bounds }: RoadNetwork): LatLng {
  const { speedKph, part, tail, nodeLatE7, nodeLngE7 } = arrays;
  const row = modeIndex('driving') * edgeCount;
  const nodes: number[] = [];
  for (let edge = 0; edge < edgeCount; edge++)
    if (speedKph[row + edge]! > 0 && part[row + edge] === 0) nodes.push(tail[edge]!);
  const median = (column: Int32Array): number =>
    Int32Array.from(nodes, (node) => column[node]!).sort()[nodes.length >> 1]! / E7;
  if (nodes.length > 0) return { lat: median(nodeLatE7), lng: median(nodeLngE7) };
  const [west, south, east, north] = bounds;
  return { lat: (south + north) / 2, lng: (west + east) / 2 };
}
