import type { LatLng } from '#schemas/units.js';
import { type Bounds, parsePlace } from './parse-place.js';

/** What a caller may give as origin or destination. */
export type RequestedPlace =
  | { readonly kind: 'point'; readonly at: LatLng }
  | { readonly kind: 'address'; readonly text: string }
  | { readonly kind: 'id'; readonly placeId: string };

export type RequestedPlaceOutcome =
  | { readonly ok: true; readonly place: RequestedPlace }
  | { readonly ok: false; readonly message: string };

const idPrefix = 'place_id:';

/**
 * `35.91,14.5` is a point, `place_id:n123` a place from an earlier geocoder answer, anything else an address.
 */
export function requestedPlace(text: string, coverage: Bounds): RequestedPlaceOutcome {
  const trimmed = text.trim();
  if (trimmed.startsWith(idPrefix))
    return { ok: true, place: { kind: 'id', placeId: trimmed.slice(idPrefix.length).trim() } };
  if (/\p{L}/u.test(trimmed)) return { ok: true, place: { kind: 'address', text: trimmed } };
  const point = parsePlace(trimmed, coverage);
  return point.ok ? { ok: true, place: { kind: 'point', at: point.place } } : point;
}
