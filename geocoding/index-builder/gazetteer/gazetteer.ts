import type { Tags } from '#schemas/osm-sink.js';
import type { CategoryKey } from '../../index/category.js';
import type { HouseNumber } from '../../index/house-number.js';
import { limits } from '../../index/limits.js';
import type { PlaceKind } from '../../index/place-identity.js';
import type { PlaceName } from '../../index/place-name.js';
import type { Road } from './road.js';

/** West, south, east, north in 1e-7 degrees. */
export type BoxE7 = [number, number, number, number];

export interface House extends HouseNumber {
  readonly lngE7: number;
  readonly latE7: number;
  /** Identity of the element, or of the street if the number was interpolated. */
  readonly key: number;
  readonly interpolated: boolean;
  readonly postcode: string;
  /** The value of `addr:city`; may be empty. */
  readonly city: string;
}

export interface Place {
  readonly kind: Exclude<PlaceKind, 'house'>;
  /** `town`, `residential`, `restaurant`. */
  readonly category: string;
  /** The key of its tag; only for a point of interest. */
  readonly categoryKey: CategoryKey | undefined;
  readonly names: readonly PlaceName[];
  readonly lngE7: number;
  readonly latE7: number;
  readonly box: BoxE7;
  readonly key: number;
  /** Between 0 and 1: how likely people mean this place when they give only its name. */
  readonly importance: number;
  readonly postcode: string;
  /** Key of the town or village of a street; that of other places is looked up. */
  readonly settlement: number | undefined;
  readonly houses: readonly House[];
  /** Only for a street on the map. */
  readonly road: StreetRoad | undefined;
  /** Only for a country; may be empty. */
  readonly isoCode: string;
}

/** The roads of a street. */
export interface StreetRoad {
  /** By the ids of their ways. */
  readonly roads: readonly Road[];
  /** The road with the street's point. */
  readonly on: Road;
  /** The names of the street, folded, each once. */
  readonly folded: readonly string[];
}

/** A street on the map. */
export interface Street extends Place {
  readonly road: StreetRoad;
}

type Given = 'kind' | 'category' | 'importance' | 'names' | 'lngE7' | 'latE7' | 'box' | 'key';

/**
 * Creates a place from the given fields. All places are created here, so that their objects have one shape,
 * which is fast to read.
 */
export function newPlace(given: Pick<Place, Given> & Partial<Omit<Place, Given>>): Place {
  return {
    kind: given.kind,
    category: given.category,
    categoryKey: given.categoryKey,
    names: given.names,
    lngE7: given.lngE7,
    latE7: given.latE7,
    box: given.box,
    key: given.key,
    importance: given.importance,
    postcode: given.postcode ?? '',
    settlement: given.settlement,
    houses: given.houses ?? noHouses,
    road: given.road,
    isoCode: given.isoCode ?? '',
  };
}

const noHouses: readonly House[] = [];

/** Category and importance of a place. */
export type PlaceRank = Pick<Place, 'kind' | 'category' | 'importance'>;

const spellings = ['alt_name', 'int_name', 'loc_name', 'official_name', 'old_name', 'short_name'] as const;
const languageKey = /^name:([a-z]{2,3}(?:-[A-Za-z]{2,8})?)$/;

/** All names in the tags: the local one first, then by language, then other spellings. */
export function namesIn(tags: Tags): PlaceName[] {
  const names: PlaceName[] = [];
  addName(names, '', tags.get('name'));
  let isSpelled = false;
  const translated: string[] = [];
  for (const key of tags.keys())
    if (key.startsWith('name:')) translated.push(key);
    else if (key.endsWith('_name')) isSpelled = true;
  for (const key of translated.sort()) {
    const language = languageKey.exec(key)?.[1];
    if (language !== undefined) addName(names, language, tags.get(key));
  }
  // Few have one.
  if (isSpelled)
    for (const key of spellings)
      for (const text of tags.get(key)?.split(';') ?? []) addName(names, '*', text);
  return names.length > limits.namesMax ? names.slice(0, limits.namesMax) : names;
}

function addName(names: PlaceName[], language: string, text: string | undefined): void {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '' || trimmed.length > 200) return;
  for (const each of names)
    if (each.text === trimmed && (each.language === language || language === '*')) return;
  names.push({ language, text: trimmed });
}

export function boxOf(lngLatE7: Int32Array): BoxE7 {
  let [west, south, east, north] = [0x7fffffff, 0x7fffffff, -0x7fffffff, -0x7fffffff];
  for (let i = 0; i < lngLatE7.length; i += 2) {
    const lng = lngLatE7[i];
    const lat = lngLatE7[i + 1];
    if (lng < west) west = lng;
    if (lng > east) east = lng;
    if (lat < south) south = lat;
    if (lat > north) north = lat;
  }
  return [west, south, east, north];
}

export function widen(box: BoxE7, other: BoxE7): void {
  box[0] = Math.min(box[0], other[0]);
  box[1] = Math.min(box[1], other[1]);
  box[2] = Math.max(box[2], other[2]);
  box[3] = Math.max(box[3], other[3]);
}

export const middleOf = ([west, south, east, north]: BoxE7): [number, number] => [
  Math.round((west + east) / 2),
  Math.round((south + north) / 2),
];
