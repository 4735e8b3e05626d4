import type { LatLng } from '#schemas/units.js';

/** An element of OpenStreetMap. */
export interface OsmElement {
  readonly type: 'node' | 'way' | 'relation';
  readonly id: number;
}

/** Parts of an address as in GeocodeJSON, from the most exact on; `other` is part of none. */
export const addressParts = [
  ...(['house', 'street', 'locality', 'district', 'city', 'county', 'state', 'country'] as const),
  'other',
] as const;
export type AddressPart = (typeof addressParts)[number];

/** What a filter asks of a place, computed when it is read. */
export interface PlaceFacts {
  readonly kind: 'settlement' | 'suburb' | 'street' | 'poi' | 'house' | 'region' | 'country';
  readonly part: AddressPart;
  /** How exact it is, as Nominatim ranks places: 4 for a country, 30 for a house. */
  readonly rank: number;
  /** The same as part of an address; 0: of none. */
  readonly addressRank: number;
  /** Number of the place in this release of the map. */
  readonly placeId: number;
  /** Absent for what is known only from addresses. */
  readonly element: OsmElement | undefined;
  /** The main tag; absent where the map does not have it. */
  readonly tag: { readonly key: string; readonly value: string } | undefined;
  readonly location: LatLng;
  /** ISO code in upper case; may be empty. */
  readonly countryCode: string;
  /** Whether a text is a name of this part of the address; true where the map does not have the part. */
  isIn(part: 'city' | 'county' | 'state' | 'country' | 'postcode', text: string): boolean;
}

/** One line of an address. */
export interface AddressLine {
  /** In the words of Nominatim: `house_number`, `road`, `suburb`, `city`, `postcode`. */
  readonly label: string;
  readonly part: AddressPart | undefined;
  /** `admin_level` of an administrative area. */
  readonly level: number | undefined;
  readonly text: string;
}

/** Rings of longitude and latitude in degrees, as in GeoJSON: the outer one, then the holes. */
export type Polygon = readonly (readonly (readonly [number, number])[])[];

/** The border of an area. */
export interface Border {
  readonly points: number;
  polygons(): readonly Polygon[];
}

export interface AddressedPlace {
  readonly facts: PlaceFacts;
  /** Of a street, the nearest place on it where one was asked for. */
  readonly location: LatLng;
  /** West, south, east, north in degrees; absent for a point. */
  readonly box: readonly [number, number, number, number] | undefined;
  /** Only of an administrative area. */
  readonly border: Border | undefined;
  /** Its label in an address, see `AddressLine`; absent for a place without a tag. */
  readonly label: string | undefined;
  /** 0 to 1. */
  readonly importance: number;
  /** Empty for a house, and for places without one. */
  readonly name: string;
  /** By key: `name`, `name:de`. */
  readonly names: Readonly<Record<string, string>>;
  /** The place itself and what is around it, from the most exact on, with the postcode before the country. */
  readonly address: readonly AddressLine[];
}

export interface FindOptions {
  /** Names are in the first of these that the map has, else in the local language. */
  readonly languages: readonly string[];
  readonly limit: number;
  readonly accepts: (facts: PlaceFacts) => boolean;
}

export interface SearchOptions extends FindOptions {
  /** The last word may be unfinished. */
  readonly prefix: boolean;
  readonly near?: LatLng;
  /** What nearness counts, as `Nearness` of the search. */
  readonly nearness?: { readonly radiusM: number; readonly importance: number };
}

/**
 * The places of the geocoder with their elements of OpenStreetMap and the parts of their addresses, for the
 * layouts of other geocoders.
 */
export interface PlaceFinder {
  /** Whether points of interest have tags. */
  readonly hasTags: boolean;
  /** Best first. */
  search(text: string, options: SearchOptions): AddressedPlace[];
  /** What is at a place: houses and places, the street, then the areas from the smallest on. */
  at(location: LatLng, options: FindOptions): AddressedPlace[];
  /** Nearest first. */
  nearest(location: LatLng, options: FindOptions & { readonly radiusM: number }): AddressedPlace[];
  ofElement(element: OsmElement, languages: readonly string[]): AddressedPlace | undefined;
}
