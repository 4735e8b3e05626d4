import type { LatLng } from '#schemas/units.js';
import * as messages from './messages.js';

/** Degrees: west, south, east, north. */
export type Bounds = readonly [west: number, south: number, east: number, north: number];

export type PlaceOutcome =
  | { readonly ok: true; readonly place: LatLng }
  | { readonly ok: false; readonly message: string };

const refuse = (message: string): PlaceOutcome => ({ ok: false, message });

/** Decimal degrees without exponent; the quantifiers are bounded and disjoint, so matching is linear. */
const decimal = /^[+-]?\d{1,3}(?:\.\d{1,15})?$/;

function holds([west, south, east, north]: Bounds, lat: number, lng: number, marginDeg: number): boolean {
  return (
    lat >= south - marginDeg && lat <= north + marginDeg && lng >= west - marginDeg && lng <= east + marginDeg
  );
}

/** A place just outside the map may still snap to its edge; about 1 km. */
const rimDeg = 0.01;

/**
 * Reads `lat,lng`. Swapped coordinates are the commonest mistake of newcomers, so a pair that only makes
 * sense the other way round is refused with that question instead of an answer that nothing is near.
 */
export function parsePlace(text: string, coverage: Bounds): PlaceOutcome {
  const parts = text.split(',').map((part) => part.trim());
  const [latText, lngText] = parts;
  if (parts.length !== 2 || !decimal.test(latText ?? '') || !decimal.test(lngText ?? ''))
    return refuse(messages.notPlace);
  const lat = Number(latText);
  const lng = Number(lngText);
  if (!holds(coverage, lat, lng, rimDeg) && holds(coverage, lng, lat, rimDeg))
    return refuse(messages.swapped(lat, lng));
  if (Math.abs(lat) > 90) return refuse(messages.badLatitude(lat));
  if (Math.abs(lng) > 180) return refuse(messages.badLongitude(lng));
  return { ok: true, place: { lat, lng } };
}
