import type { AreaColumns } from './areas.js';

/** Longitude and latitude in degrees. */
export type Point = readonly [number, number];
/** A polygon as in GeoJSON: its outer ring counterclockwise, then its holes clockwise. */
export type Polygon = readonly (readonly Point[])[];

/**
 * The polygons of an area. The columns have the rings of each polygon one after the other, the outer one
 * first: a ring that lies in the outer ring, and in no hole of it, is its next hole.
 */
export function areaPolygons(columns: AreaColumns, area: number): Polygon[] {
  const { areaFirstRing } = columns;
  const polygons: Point[][][] = [];
  for (let number = areaFirstRing[area]!; number < areaFirstRing[area + 1]!; number++) {
    const ring = ringOf(columns, number);
    const [outer, ...holes] = polygons.at(-1) ?? [];
    const isHole =
      outer !== undefined && isWithin(ring, outer) && !holes.some((hole) => isWithin(ring, hole));
    if (isHole) polygons.at(-1)!.push(ring);
    else polygons.push([ring]);
  }
  return polygons.map((rings) => rings.map((ring, i) => turned(ring, i === 0)));
}

/** How many points the rings of an area have. */
export const pointsOfArea = ({ areaFirstRing, ringFirst }: AreaColumns, area: number): number =>
  ringFirst[areaFirstRing[area + 1]!]! - ringFirst[areaFirstRing[area]!]!;

function ringOf({ ringFirst, ringLngE7, ringLatE7 }: AreaColumns, ring: number): Point[] {
  const points: Point[] = [];
  for (let i = ringFirst[ring]!; i < ringFirst[ring + 1]!; i++)
    points.push([ringLngE7[i]! / 1e7, ringLatE7[i]! / 1e7]);
  return points;
}

/** Most points decide: rings that touch share some. */
function isWithin(ring: readonly Point[], outer: readonly Point[]): boolean {
  return 2 * ring.filter((point) => holds(outer, point)).length > ring.length;
}

function holds(ring: readonly Point[], [lng, lat]: Point): boolean {
  let inside = false;
  for (let i = 0; i + 1 < ring.length; i++) {
    const [[west, south], [east, north]] = [ring[i]!, ring[i + 1]!];
    if (south > lat === north > lat) continue;
    if (lng < west + ((lat - south) * (east - west)) / (north - south)) inside = !inside;
  }
  return inside;
}

function turned(ring: Point[], counterclockwise: boolean): Point[] {
  let doubleArea = 0;
  for (let i = 0; i + 1 < ring.length; i++)
    doubleArea += ring[i]![0] * ring[i + 1]![1] - ring[i + 1]![0] * ring[i]![1];
  return doubleArea > 0 === counterclockwise ? ring : ring.toReversed();
}
