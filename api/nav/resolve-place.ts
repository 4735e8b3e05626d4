import type { LatLng } from '#schemas/units.js';
import type { Geocoder } from '../ports/geocoder.js';
import type { Mode, PlaceOnRoad } from '../ports/planner.js';
import type { RequestedPlace } from './requested-place.js';

/** A requested place on the map. */
export interface ResolvedPlace {
  readonly at: LatLng;
  readonly onRoad?: PlaceOnRoad;
  /** The geocoder's result; absent for a point. */
  readonly geocoded?: {
    readonly placeId: string;
    readonly partialMatch: boolean;
    readonly types: readonly string[];
    readonly address: string;
  };
}

export interface ResolveOptions {
  readonly mode: Mode;
  readonly language: string;
  /** Of equally good matches, the nearer one is meant. */
  readonly near?: LatLng;
}

/** Undefined if the map has no such place. */
export function resolvePlace(
  geocoder: Geocoder | undefined,
  asked: RequestedPlace,
  { mode, language, near }: ResolveOptions,
): ResolvedPlace | undefined {
  if (asked.kind === 'point') return { at: asked.at };
  const found =
    asked.kind === 'id'
      ? geocoder?.byId(asked.placeId, language)
      : geocoder?.search(asked.text, { language, limit: 1, ...(near === undefined ? {} : { near }) })[0];
  if (found === undefined) return undefined;
  const { place_id: placeId, partial_match: partial, types, formatted_address: address } = found.result;
  const onRoad = found.onRoad(mode);
  return {
    at: found.location,
    ...(onRoad === undefined ? {} : { onRoad }),
    geocoded: { placeId, partialMatch: partial === true, types, address },
  };
}
