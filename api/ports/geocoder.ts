import type { GeocodeResult } from '#schemas/http/geocode.js';
import type { LatLng } from '#schemas/units.js';
import type { PlaceFinder } from './place-finder.js';
import type { Mode, PlaceOnRoad } from './planner.js';

/** One result, with fields that the public answer does not show. */
export interface GeocodedPlace {
  readonly result: GeocodeResult;
  readonly location: LatLng;
  /** The most telling line, and the rest of the address. */
  readonly mainText: string;
  readonly secondaryText: string;
  onRoad(mode: Mode): PlaceOnRoad | undefined;
}

export interface PlaceQuery {
  /** A language tag; names are given in it where the map has them. Empty: as on the ground. */
  readonly language: string;
  /** Of equally good matches, the nearer one is meant. */
  readonly near?: LatLng;
  readonly limit: number;
}

/**
 * The geocoding records of the specification, pairs of a coordinate and a place, looked up from either side.
 * All answers come from one index, whose edges are those of `tilesetId`.
 *
 * ```ts
 * geocoder.search('Storgatan 5', { language: 'sv', limit: 1 })[0]?.location
 * ```
 */
export interface Geocoder {
  readonly tilesetId: string;
  /** The same places with their elements of OpenStreetMap. */
  readonly places: PlaceFinder;
  /** Best first; empty when nothing fits well enough. */
  search(address: string, query: PlaceQuery): GeocodedPlace[];
  /** The same while the last word is being typed. */
  complete(input: string, query: PlaceQuery): GeocodedPlace[];
  /** What is at a place, the most exact first. A record lies exactly at its own coordinate. */
  at(location: LatLng, query: PlaceQuery): GeocodedPlace[];
  byId(placeId: string, language: string): GeocodedPlace | undefined;
}
