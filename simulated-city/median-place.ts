import type { LatLng } from '#schemas/units.js';
import type { DrivableRoads } from './route-walker.js';

/** The median of the beginnings of some edges, by latitude and by longitude; 0, 0 for none. */
export function medianPlace(roads: DrivableRoads, edges: readonly number[]): LatLng {
  const lines = edges.map((edge) => roads.edgeGeometry(edge));
  const median = (axis: 0 | 1): number =>
    lines.map((line) => line[axis]!).toSorted((a, b) => a - b)[lines.length >> 1] ?? 0;
  return { lng: median(0), lat: median(1) };
}
