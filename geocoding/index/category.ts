import type { Tags } from '#schemas/osm-sink.js';

/** Keys whose value names the kind of a place, the most specific ones first. */
export const categoryKeys = [
  'aeroway',
  'railway',
  'public_transport',
  'amenity',
  'tourism',
  'shop',
  'historic',
  'leisure',
  'office',
  'craft',
  'natural',
  'man_made',
  'building',
] as const;

export type CategoryKey = (typeof categoryKeys)[number];

/** Keys with many other values: only these values are places that people search for. */
const onlyValues: Readonly<Record<string, ReadonlySet<string>>> = {
  aeroway: new Set(['aerodrome', 'terminal', 'helipad']),
  railway: new Set(['station', 'halt', 'tram_stop']),
  public_transport: new Set(['station']),
  natural: new Set(['peak', 'beach', 'bay', 'cape', 'spring', 'volcano', 'cave_entrance', 'water']),
  man_made: new Set(['lighthouse', 'tower', 'bridge', 'pier', 'windmill']),
};

/** Features that people search for although they have no name of their own. */
const namelessValues: ReadonlySet<string> = new Set([
  'atm',
  'bank',
  'cafe',
  'charging_station',
  'drinking_water',
  'fuel',
  'hospital',
  'parking',
  'pharmacy',
  'police',
  'post_box',
  'post_office',
  'restaurant',
  'supermarket',
  'taxi',
  'toilets',
]);

/** Major destinations, and smaller features of the same name next to them. */
const hubs: ReadonlySet<string> = new Set([
  'aerodrome',
  'terminal',
  'train_station',
  'station',
  'hospital',
  'university',
]);
const beside: ReadonlySet<string> = new Set([
  'atm',
  'bench',
  'bicycle_parking',
  'bicycle_rental',
  'charging_station',
  'parking',
  'parking_entrance',
  'post_box',
  'recycling',
  'taxi',
  'toilets',
  'vending_machine',
]);

/** Additional importance of the category. */
export function categoryImportance(category: string): number {
  if (hubs.has(category)) return 0.15;
  return beside.has(category) ? -0.1 : 0;
}

/** Words of Google's place types where OpenStreetMap's differ. */
const googleWords: Readonly<Record<string, string>> = {
  aerodrome: 'airport',
  terminal: 'airport',
  fuel: 'gas_station',
  place_of_worship: 'place_of_worship',
  hotel: 'lodging',
  hostel: 'lodging',
  guest_house: 'lodging',
  halt: 'train_station',
  tram_stop: 'light_rail_station',
  fast_food: 'meal_takeaway',
  clothes: 'clothing_store',
  doctors: 'doctor',
  attraction: 'tourist_attraction',
  peak: 'natural_feature',
  beach: 'natural_feature',
  bay: 'natural_feature',
  cape: 'natural_feature',
  water: 'natural_feature',
};

/** The kind of a place: the key of the tag that names it, and its value in the words of the index. */
export interface Category {
  readonly key: CategoryKey;
  readonly name: string;
}

/** `amenity=restaurant` is `restaurant`; undefined if the tags describe no searchable place. */
export function categoryOf(tags: Tags): Category | undefined {
  const named = tags.has('name');
  for (const key of categoryKeys) {
    const value = tags.get(key);
    if (value === undefined || value === 'no' || value.length > 40) continue;
    if (onlyValues[key] !== undefined && !onlyValues[key].has(value)) continue;
    if (!named && !(key === 'amenity' || key === 'shop')) continue;
    if (!named && !namelessValues.has(value)) continue;
    return { key, name: ownNames[`${key}=${value}`] ?? value };
  }
  return undefined;
}

/** Values that say too little without their key. */
const ownNames: Readonly<Record<string, string>> = {
  'building=yes': 'building',
  'railway=station': 'train_station',
};

/** The value of the tag of a category. */
export function valueOfCategory(key: string, name: string): string {
  const own = Object.keys(ownNames).find((tag) => tag.startsWith(`${key}=`) && ownNames[tag] === name);
  return own === undefined ? name : own.slice(key.length + 1);
}

/** Google's words for a category. */
export const typesOfCategory = (category: string): string[] => [
  googleWords[category] ?? category,
  'point_of_interest',
  'establishment',
];
