import { farthestPoints } from '../route/farthest-points.js';

/**
 * Pixels of a map (256 per tile) in which the complete line fits at the chosen zoom, and that a point may lie
 * beside it.
 */
const VIEW_PX = 1_024;
const ASIDE_PX = 0.5;
const ZOOM_MAX = 18;

const radians = Math.PI / 180;
const mercatorDeg = (lat: number): number => Math.asinh(Math.tan(lat * radians)) / radians;

/** Degrees of longitude to a pixel at the deepest zoom of a web map at which all points fit one view. */
function pixelDeg(lines: readonly Float64Array[]): number {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const line of lines)
    for (let at = 0; at < line.length; at += 2) {
      west = Math.min(west, line[at]);
      east = Math.max(east, line[at]);
      south = Math.min(south, line[at + 1]);
      north = Math.max(north, line[at + 1]);
    }
  const spanDeg = Math.max(east - west, mercatorDeg(north) - mercatorDeg(south), 1e-9);
  const zoom = Math.floor(Math.log2((360 * VIEW_PX) / (256 * spanDeg)));
  return 360 / 256 / 2 ** Math.max(0, Math.min(ZOOM_MAX, zoom));
}

/**
 * Simplifies lines for a map of all of them: points that lie within half a pixel of the rest are left out.
 * The ends of each line stay. Lines are [lng, lat, …] in degrees. Distances are on the Mercator plane.
 */
export function simplifyLines(lines: readonly Float64Array[]): Float64Array[] {
  const asideDeg = ASIDE_PX * pixelDeg(lines);
  return lines.map((line) => simplify(line, asideDeg));
}

function simplify(line: Float64Array, asideDeg: number): Float64Array {
  const plane = line.map((degrees, at) => (at % 2 === 0 ? degrees : mercatorDeg(degrees)));
  const kept = farthestPoints(plane, [[0, line.length / 2 - 1]], asideDeg);
  return line.filter((_, at) => kept[at >> 1] === 1);
}
