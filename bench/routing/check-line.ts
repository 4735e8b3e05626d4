import type { RawMap } from './raw-map.js';

const E7 = 1e7;
/** Positions in tiles are whole 1e-7 degrees; one more allows for rounding of a division. */
const SAME = 2;

/**
 * Checks that the line consists of surveyed places: every point except the two ends, which are within a road,
 * must be at a node of the named ways. Returns the errors as sentences.
 */
export function checkLine(map: RawMap, edgeIds: readonly string[], lngLat: Float64Array): string[] {
  const surveyed = new Set<string>();
  for (const id of edgeIds)
    for (const ref of map.ways.get(Number(id.slice(0, id.indexOf(':'))))?.refs ?? []) {
      const [lng, lat] = map.places.get(ref) ?? [Number.NaN, Number.NaN];
      surveyed.add(`${lng} ${lat}`);
    }
  const wrongs: string[] = [];
  for (let i = 2; i + 3 < lngLat.length; i += 2) {
    const lng = Math.round(lngLat[i]! * E7);
    const lat = Math.round(lngLat[i + 1]! * E7);
    if (!near(surveyed, lng, lat)) wrongs.push(`the line passes ${lat / E7}, ${lng / E7}, where no node is`);
  }
  return wrongs;
}

function near(surveyed: ReadonlySet<string>, lng: number, lat: number): boolean {
  if (surveyed.has(`${lng} ${lat}`)) return true;
  for (let x = lng - SAME; x <= lng + SAME; x++)
    for (let y = lat - SAME; y <= lat + SAME; y++) if (surveyed.has(`${x} ${y}`)) return true;
  return false;
}
