import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { modeIndex } from '#routing-engine/network/travel-mode.js';
import { E7, type LatLng } from '#schemas/units.js';

/** Degrees of latitude, half a kilometre; more on a map of many countries. */
const squareDeg = 0.005;
const squaresAcrossMax = 1_000;
/** Squares on each side of the one in the middle: together nine, 5 km. */
const reach = 4;

/**
 * The middle of the 5 km with the most roads for cars, which are those of the largest town. The middle of the
 * bounds is elsewhere: an extract may have fields around its town, and a ferry that leads 100 km beyond.
 */
export function middleOfRoads({ arrays, edgeCount, bounds }: RoadNetwork): LatLng {
  const { speedKph, part, tail, nodeLatE7, nodeLngE7 } = arrays;
  const [west, south, east, north] = bounds;
  const shrink = Math.cos(((south + north) / 2) * (Math.PI / 180));
  const side = Math.max(squareDeg, Math.max(north - south, (east - west) * shrink) / squaresAcrossMax);
  const columns = Math.floor(((east - west) * shrink) / side) + 1;
  const rows = Math.floor((north - south) / side) + 1;
  const columnOf = (lng: number): number => Math.floor(((lng - west) * shrink) / side);
  const rowOf = (lat: number): number => Math.floor((lat - south) / side);

  const row = modeIndex('driving') * edgeCount;
  const begins: LatLng[] = [];
  for (let edge = 0; edge < edgeCount; edge++)
    if (speedKph[row + edge]! > 0 && part[row + edge] === 0)
      begins.push({ lat: nodeLatE7[tail[edge]!]! / E7, lng: nodeLngE7[tail[edge]!]! / E7 });
  if (begins.length === 0) return { lat: (south + north) / 2, lng: (west + east) / 2 };

  const counts = new Uint32Array(columns * rows);
  for (const { lat, lng } of begins) counts[rowOf(lat) * columns + columnOf(lng)]!++;
  const around = (square: number): number => {
    const [y, x] = [Math.floor(square / columns), square % columns];
    let sum = 0;
    for (let v = Math.max(0, y - reach); v <= Math.min(rows - 1, y + reach); v++)
      for (let u = Math.max(0, x - reach); u <= Math.min(columns - 1, x + reach); u++)
        sum += counts[v * columns + u]!;
    return sum;
  };
  let [best, most] = [0, 0];
  for (let square = 0; square < counts.length; square++) {
    const sum = counts[square] === 0 ? 0 : around(square);
    if (sum > most) [best, most] = [square, sum];
  }
  const near = begins.filter(
    ({ lat, lng }) =>
      Math.abs(rowOf(lat) - Math.floor(best / columns)) <= reach &&
      Math.abs(columnOf(lng) - (best % columns)) <= reach,
  );
  const mean = (axis: 'lat' | 'lng'): number =>
    Math.round((near.reduce((sum, at) => sum + at[axis], 0) / near.length) * E7) / E7;
  return { lat: mean('lat'), lng: mean('lng') };
}
