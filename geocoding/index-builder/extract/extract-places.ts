import { findElement } from '#osm/elements/find-element.js';
import type { TaggedNode, TaggedRelation, TaggedWay } from '#osm/elements/map-elements.js';
import type { Tags } from '#schemas/osm-sink.js';
import { type CategoryKey, categoryImportance, categoryOf } from '../../index/category.js';
import { identityKey } from '../../index/place-identity.js';
import type { PlaceName } from '../../index/place-name.js';
import {
  type BoxE7,
  boxOf,
  middleOf,
  namesIn,
  newPlace,
  type Place,
  type PlaceRank,
  widen,
} from '../gazetteer/gazetteer.js';

/**
 * Importance of each kind of settlement, and how far its name reaches next to a larger one, in kilometres.
 */
const settlements: Readonly<Record<string, { readonly importance: number; readonly reachKm: number }>> = {
  city: { importance: 1, reachKm: 12 },
  town: { importance: 0.85, reachKm: 5 },
  village: { importance: 0.7, reachKm: 2.5 },
  hamlet: { importance: 0.45, reachKm: 1 },
};
const suburbs: Readonly<Record<string, number>> = {
  suburb: 0.6,
  quarter: 0.55,
  borough: 0.6,
  neighbourhood: 0.45,
  island: 0.5,
  locality: 0.3,
  square: 0.35,
  isolated_dwelling: 0.25,
  farm: 0.25,
};

/** The smallest kind of settlement with this reach; a city if none has. */
export const categoryOfReach = (reachKm: number): string =>
  Object.keys(settlements).findLast((each) => settlements[each]!.reachKm >= reachKm) ?? 'city';

export const reachKmOf = (place: Place): number => settlements[place.category]?.reachKm ?? 1;

/** The rank of a value of `place`; undefined for uninhabited places. */
export function placeRank(type: string): PlaceRank | undefined {
  const settlement = settlements[type];
  if (settlement !== undefined)
    return { kind: 'settlement', category: type, importance: settlement.importance };
  return suburbs[type] === undefined
    ? undefined
    : { kind: 'suburb', category: type, importance: suburbs[type] };
}

/** An element with its place. */
export interface Located {
  readonly kind: 'node' | 'way' | 'relation';
  readonly id: number;
  readonly tags: Tags;
  readonly lngE7: number;
  readonly latE7: number;
  readonly box: BoxE7;
}

export function locatedNode({ id, tags, lngE7, latE7 }: TaggedNode): Located {
  return { kind: 'node', id, tags, lngE7, latE7, box: [lngE7, latE7, lngE7, latE7] };
}

/** An area becomes a point too: the middle of its box. */
export function locatedWay({ id, tags, lngLatE7 }: TaggedWay): Located {
  const box = boxOf(lngLatE7);
  const [lngE7, latE7] = middleOf(box);
  return { kind: 'way', id, tags, lngE7, latE7, box };
}

/** Undefined if none of its ways is in the extract. */
export function locatedRelation(
  { id, tags, members }: TaggedRelation,
  ways: readonly TaggedWay[],
): Located | undefined {
  const box = boxOf(new Int32Array());
  for (const member of members) {
    const way = member.type === 'way' ? findElement(ways, member.id) : undefined;
    if (way !== undefined && way.lngLatE7.length > 0) widen(box, boxOf(way.lngLatE7));
  }
  if (box[0] > box[2]) return undefined;
  const [lngE7, latE7] = middleOf(box);
  return { kind: 'relation', id, tags, lngE7, latE7, box };
}

/** A settlement, a part of one, or a place that people go to; undefined for everything else. */
export function placeOf(element: Located): Place | undefined {
  const { kind, tags } = element;
  const rank = placeRank(tags.get('place') ?? '');
  if (rank !== undefined) {
    const names = namesIn(tags);
    if (names.length > 0) return placeAt(element, rank.kind, rank.category, names, rank.importance);
  }
  if (tags.has('highway') && kind !== 'node' && !tags.has('amenity')) return undefined;
  const category = categoryOf(tags);
  if (category === undefined) return undefined;
  const names = namesIn(tags);
  const known = tags.has('wikidata') || tags.has('wikipedia') ? 0.2 : 0;
  const importance = (names.length > 0 ? 0.25 : 0.1) + known + categoryImportance(category.name);
  return placeAt(element, 'poi', category.name, names, importance, category.key);
}

function placeAt(
  { kind: elementKind, id, tags, lngE7, latE7, box }: Located,
  kind: Place['kind'],
  category: string,
  names: readonly PlaceName[],
  importance: number,
  categoryKey?: CategoryKey,
): Place {
  const key = identityKey(elementKind, id);
  const postcode = tags.get('addr:postcode') ?? '';
  return newPlace({ kind, category, categoryKey, names, lngE7, latE7, box, key, importance, postcode });
}
