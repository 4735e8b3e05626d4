import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import type { RawMap } from './raw-map.js';
import { crossingOf } from './raw-steps.js';

const E7 = 1e7;
/** Positions in tiles are whole 1e-7 degrees; one more allows for rounding of a division. */
const SAME = 2;

/**
 * Checks that the line consists of surveyed places: every point except the two ends, which are within a road,
 * must be at a node of the named ways, and lead to the next along such a way or, on foot, straight inside an
 * area. Returns the errors as sentences.
 */
export function checkLine(
  map: RawMap,
  edgeIds: readonly string[],
  lngLat: Float64Array,
  mode: TravelMode,
): string[] {
  const keyOf = (ref: number): string => (map.places.get(ref) ?? [Number.NaN, Number.NaN]).join(' ');
  const surveyed = new Set<string>();
  const joined = new Set<string>();
  const join = (a: number, b: number): void => {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      surveyed.add(keyOf(one));
      joined.add(`${keyOf(one)} ${keyOf(other)}`);
    }
  };
  for (const id of edgeIds) {
    const refs = map.ways.get(Number(id.slice(0, id.indexOf(':'))))?.refs ?? [];
    for (const [at, ref] of refs.entries()) if (at > 0) join(refs[at - 1]!, ref);
    const crossing = mode === 'walking' ? crossingOf(map, id) : undefined;
    if (crossing !== undefined) join(crossing.from, crossing.to);
  }
  const wrongs: string[] = [];
  let before: string | undefined;
  for (let i = 2; i + 3 < lngLat.length; i += 2) {
    const lng = Math.round(lngLat[i]! * E7);
    const lat = Math.round(lngLat[i + 1]! * E7);
    const here = near(surveyed, lng, lat);
    if (here === undefined) wrongs.push(`the line passes ${lat / E7}, ${lng / E7}, where no node is`);
    else if (before !== undefined && before !== here && !joined.has(`${before} ${here}`))
      wrongs.push(`no way leads from ${before} to ${here}`);
    before = here;
  }
  return wrongs;
}

/** The surveyed place at a point of the line. */
function near(surveyed: ReadonlySet<string>, lng: number, lat: number): string | undefined {
  if (surveyed.has(`${lng} ${lat}`)) return `${lng} ${lat}`;
  for (let x = lng - SAME; x <= lng + SAME; x++)
    for (let y = lat - SAME; y <= lat + SAME; y++) if (surveyed.has(`${x} ${y}`)) return `${x} ${y}`;
  return undefined;
}
