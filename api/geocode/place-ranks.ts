import type { GeocodeIndex } from '#geocoding/index/geocode-index.js';
import { tagOf } from '#geocoding/index/osm-element.js';
import type { AddressPart } from '../ports/place-finder.js';

/** How exact a place is, by the ranks of Nominatim, `settings/address-levels.json`. */
export interface PlaceRank {
  /** Of the place as a result. */
  readonly search: number;
  /** Of the place as part of an address; 0: of none. */
  readonly address: number;
}

/** By value of `place`, and by the kinds of areas without one. Two ranks, or one for both. */
const places: Readonly<Record<string, number | readonly [number, number]>> = {
  country: 4,
  administrative_area_level_1: 8,
  administrative_area_level_2: 12,
  administrative_area_level_3: 14,
  municipality: 16,
  city: 16,
  town: [18, 16],
  borough: 18,
  village: [19, 16],
  suburb: [19, 20],
  hamlet: 20,
  quarter: [20, 22],
  neighbourhood: 24,
  island: [17, 0],
  isolated_dwelling: [22, 25],
  farm: [22, 25],
  square: 25,
  locality: 25,
};
/** Kinds that follow from the level of an area. */
const byLevel = new Set([
  'country',
  'municipality',
  ...['administrative_area_level_1', 'administrative_area_level_2', 'administrative_area_level_3'],
]);
const minorStreets = new Set(['service', 'cycleway', 'path', 'footway', 'steps', 'bridleway']);
const street: PlaceRank = { search: 26, address: 26 };
const minorStreet: PlaceRank = { search: 27, address: 27 };
const house: PlaceRank = { search: 30, address: 30 };
const natural: PlaceRank = { search: 22, address: 0 };

export function rankOf(index: GeocodeIndex, row: number): PlaceRank {
  if (index.isHouse(row)) return house;
  const [kind, category] = [index.kind(row), index.category(row)];
  if (kind === 'street') return minorStreets.has(category) ? minorStreet : street;
  if (kind === 'poi') return tagOf(index, row)?.key === 'natural' ? natural : house;
  const rank = places[category] ?? 22;
  const [search, address] = typeof rank === 'number' ? [rank, rank] : rank;
  const level = levelOf(index, row);
  if (level === undefined) return { search, address };
  return { search: 2 * level, address: byLevel.has(category) ? 2 * level : address };
}

/** `admin_level` of an area; files of older programs do not have it. */
export function levelOf(index: GeocodeIndex, row: number): number | undefined {
  const area = index.areaOf(row);
  return (area === undefined ? undefined : index.data.areaLevel[area]) || undefined;
}

/** The part of an address that a rank belongs to, in GeocodeJSON. */
export function partOfRank(address: number): AddressPart {
  if (address === 0) return 'other';
  if (address <= 4) return 'country';
  if (address <= 9) return 'state';
  if (address <= 12) return 'county';
  if (address <= 16) return 'city';
  if (address <= 21) return 'district';
  if (address <= 25) return 'locality';
  return address <= 28 ? 'street' : 'house';
}

/** Names of administrative ranks in addresses, by half of the rank. */
const administrative = [
  ...['', 'continent', 'country', 'region', 'state', 'state_district', 'county', 'municipality', 'city'],
  ...['city_district', 'suburb', 'neighbourhood', 'city_block'],
];

/** The name of an area or settlement in an address: its value of `place`, else that of its rank. */
export function labelOf(index: GeocodeIndex, row: number): string {
  const category = index.category(row);
  if (!byLevel.has(category)) return category;
  return administrative[rankOf(index, row).address >> 1] ?? category;
}
