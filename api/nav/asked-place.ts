import type { LatLng } from '#schemas/units.js';
import { type Bounds, parsePlace } from './parse-place.js';

/** What a caller may name as origin or destination. */
export type AskedPlace =
  | { readonly kind: 'point'; readonly at: LatLng }
  | { readonly kind: 'address'; readonly text: string }
  | { readonly kind: 'id'; readonly placeId: string };

export type AskedPlaceOutcome =
  | { readonly ok: true; readonly place: AskedPlace }
  | { readonly ok: false; readonly message: string };

const idPrefix = 'place_id:';

/**
 * `57.7,11.97` is a point, `place_id:n123` a place that the geocoder named before, anything else an address.
 */
export function askedPlace(text: string, coverage: Bounds): AskedPlaceOutcome {
  const trimmed = text.trim();
  if (trimmed.startsWith(idPrefix))
    return { ok: true, place: { kind: 'id', placeId: trimmed.slice(idPrefix.length).trim() } };
  if (/\p{L}/u.test(trimmed)) return { ok: true, place: { kind: 'address', text: trimmed } };
  const point = parsePlace(trimmed, coverage);
  return point.ok ? { ok: true, place: { kind: 'point', at: point.place } } : point;
}
