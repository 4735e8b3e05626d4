import { findElement } from '#osm/elements/find-element.js';
import type { MapElements, TaggedRelation, TaggedWay } from '#osm/elements/map-elements.js';
import { assemblePolygons, type MemberLine } from '#osm/polygons/assemble-polygons.js';
import { doubleArea } from '#osm/polygons/ring-geometry.js';
import type { Tags } from '#schemas/osm-sink.js';
import type { AreaColumns } from '../../index/areas.js';
import { foldText } from '../../index/fold-text.js';
import { limits } from '../../index/limits.js';
import { identityKey } from '../../index/place-identity.js';
import type { PlaceName } from '../../index/place-name.js';
import {
  type BoxE7,
  boxOf,
  namesIn,
  newPlace,
  type Place,
  type PlaceRank,
  widen,
} from '../gazetteer/gazetteer.js';
import { areSame, Memo } from '../gazetteer/memo.js';
import { placeRank } from './extract-places.js';
import type { ExtractedFeatures } from './extracted-features.js';
import { isSamePlace } from './same-place.js';

/** An administrative area with its rings and its place. */
export interface Boundary {
  readonly place: Place;
  readonly rings: readonly Int32Array[];
  readonly relationId: number;
  /** `admin_level`, 1 to 12; 0 without one. */
  readonly level: number;
}

/** The kind of place of an administrative level, unless the boundary has a `place` tag. */
const ranks: Readonly<Record<string, PlaceRank>> = {
  2: { kind: 'country', category: 'country', importance: 1 },
  3: { kind: 'region', category: 'administrative_area_level_1', importance: 0.9 },
  4: { kind: 'region', category: 'administrative_area_level_1', importance: 0.9 },
  5: { kind: 'region', category: 'administrative_area_level_2', importance: 0.8 },
  6: { kind: 'region', category: 'administrative_area_level_2', importance: 0.8 },
  7: { kind: 'region', category: 'administrative_area_level_3', importance: 0.75 },
  8: { kind: 'settlement', category: 'municipality', importance: 0.75 },
  9: { kind: 'suburb', category: 'suburb', importance: 0.6 },
  10: { kind: 'suburb', category: 'suburb', importance: 0.55 },
  11: { kind: 'suburb', category: 'neighbourhood', importance: 0.45 },
};

/** An administrative relation with a complete border. */
interface Outline {
  readonly relation: TaggedRelation;
  readonly rank: PlaceRank;
  readonly names: readonly PlaceName[];
  readonly rings: readonly Int32Array[];
  readonly box: BoxE7;
  readonly size: number;
}

/**
 * The administrative areas of an extract; the same objects as long as no border, label or settlement changes.
 */
export class BoundaryCache {
  readonly #outlines = new Memo<TaggedRelation, Outline | undefined>(({ id }) => id);
  #last: readonly Outline[] = [];
  #populated: readonly Place[] = [];
  #boundaries: readonly Boundary[] = [];

  /**
   * The smallest first. Areas with an incomplete border, for example at the edge of the extract, are skipped,
   * because their content is undefined. `known` are the places of nodes and ways: a place that labels an
   * area, or has its name and is inside it, represents that area and keeps its identity and point.
   */
  of(
    { relations, ways }: MapElements,
    { waysAreSame }: ExtractedFeatures,
    known: readonly Place[],
  ): readonly Boundary[] {
    const last = new Map(this.#last.map((outline) => [outline.relation, outline]));
    const outlines = this.#outlines
      .of(
        relations,
        (relation) => outlineOf(relation, ways, last.get(relation)),
        (_, relation) => !isAdministrative(relation) || waysAreSame(relation),
      )
      .filter((outline) => outline !== undefined);
    const populated = known.filter(({ kind }) => kind === 'settlement' || kind === 'suburb');
    if (!areSame(outlines, this.#last) || !areSame(populated, this.#populated))
      this.#boundaries = boundariesOf(outlines, populated, this.#boundaries);
    [this.#last, this.#populated] = [outlines, populated];
    return this.#boundaries;
  }
}

/** An area equal to one in `before` is the same object. */
function boundariesOf(
  outlines: readonly Outline[],
  populated: readonly Place[],
  before: readonly Boundary[],
): Boundary[] {
  const known = new Map(before.map((boundary) => [boundary.place.key, boundary]));
  const byName = new Map<string, Place[]>();
  for (const place of populated) {
    const name = foldText(place.names[0]!.text);
    byName.set(name, [...(byName.get(name) ?? []), place]);
  }
  const byKey = new Map(populated.map((place) => [place.key, place]));
  const taken = new Set<Place>();
  const found: { readonly boundary: Boundary; readonly size: number }[] = [];
  for (const { relation, rank, names, rings, box, size } of outlines) {
    const { tags, members } = relation;
    const labels = members.filter(({ type, role }) => type === 'node' && role === 'label');
    const same = [
      byKey.get(identityKey('relation', relation.id)),
      ...labels.map(({ id }) => byKey.get(identityKey('node', id))),
      ...(byName.get(foldText(names[0]!.text)) ?? []).filter(({ lngE7, latE7 }) =>
        isInside(rings, lngE7, latE7),
      ),
    ].find((place) => place !== undefined && !taken.has(place));
    const isSame = same !== undefined && (rank.kind === 'settlement' || rank.kind === 'suburb');
    if (isSame) taken.add(same);
    const place = newPlace({
      ...(isSame && same.kind === rank.kind
        ? { category: same.category, importance: same.importance, kind: same.kind }
        : rank),
      ...(same === undefined ? pointIn(rings) : { lngE7: same.lngE7, latE7: same.latE7 }),
      names: isSame ? joined(same.names, names) : names,
      box,
      key: isSame ? same.key : identityKey('relation', relation.id),
      postcode: tags.get('postal_code') ?? (isSame ? same.postcode : ''),
      isoCode: (tags.get('ISO3166-1:alpha2') ?? tags.get('ISO3166-1') ?? '').slice(0, 2).toUpperCase(),
    });
    const last = known.get(place.key);
    const own = last !== undefined && isSamePlace(last.place, place) ? last.place : place;
    // Only an unchanged relation keeps its rings.
    const isKept = last?.place === own && last.rings === rings;
    const boundary = isKept ? last : { place: own, rings, relationId: relation.id, level: levelOf(tags) };
    found.push({ boundary, size });
  }
  return found
    .sort((a, b) => a.size - b.size || a.boundary.place.key - b.boundary.place.key)
    .map(({ boundary }) => boundary);
}

function levelOf(tags: Tags): number {
  const level = tags.get('admin_level') ?? '';
  return /^([1-9]|1[0-2])$/.test(level) ? Number(level) : 0;
}

const isAdministrative = ({ tags, members }: TaggedRelation): boolean =>
  tags.get('boundary') === 'administrative' && members.length <= limits.boundaryMembersMax;

/** `before` is kept if its rings are unchanged: a road that is a border often changes without moving. */
function outlineOf(
  relation: TaggedRelation,
  ways: readonly TaggedWay[],
  before: Outline | undefined,
): Outline | undefined {
  if (!isAdministrative(relation)) return undefined;
  const rank = rankOf(relation.tags);
  const names = namesIn(relation.tags);
  const rings = rank === undefined || names.length === 0 ? undefined : wholeRings(relation, ways);
  if (rank === undefined || rings === undefined) return undefined;
  if (before !== undefined && areAlike(before.rings, rings)) return before;
  const box = boxOf(new Int32Array());
  for (const ring of rings) widen(box, boxOf(ring));
  return { relation, rank, names, rings, box, size: sizeOf(rings) };
}

const areAlike = (a: readonly Int32Array[], b: readonly Int32Array[]): boolean =>
  a.length === b.length && a.every((ring, index) => areSame(ring, b[index]!));

/** An island or a locality is not an administrative area. */
const administered: ReadonlySet<string> = new Set([
  ...['city', 'town', 'village', 'hamlet', 'borough', 'suburb', 'quarter', 'neighbourhood'],
]);

function rankOf(tags: Tags): PlaceRank | undefined {
  const place = tags.get('place') ?? '';
  return (administered.has(place) ? placeRank(place) : undefined) ?? ranks[tags.get('admin_level') ?? ''];
}

/** Undefined when a member is not in the extract or a ring does not close. */
function wholeRings(
  { members }: TaggedRelation,
  ways: readonly TaggedWay[],
): readonly Int32Array[] | undefined {
  const lines: MemberLine[] = [];
  for (const { type, id, role } of members) {
    if (type !== 'way') continue;
    const way = findElement(ways, id);
    if (way === undefined || way.lngLatE7.length < 4) return undefined;
    lines.push({ lngLatE7: way.lngLatE7, ends: way.ends, inner: role === 'inner' });
  }
  const { polygons, broken } = assemblePolygons(lines);
  return broken > 0 || polygons.length === 0 ? undefined : polygons.flat();
}

/** Rings of areas as columns, in the order given. */
export function columnsOf(areas: readonly (readonly Int32Array[])[]): AreaColumns {
  const rings = areas.flat();
  const areaFirstRing = new Uint32Array(areas.length + 1);
  for (const [area, own] of areas.entries()) areaFirstRing[area + 1] = areaFirstRing[area] + own.length;
  const ringFirst = new Uint32Array(rings.length + 1);
  for (const [ring, { length }] of rings.entries()) ringFirst[ring + 1] = ringFirst[ring] + length / 2;
  const ringLngE7 = new Int32Array(ringFirst[rings.length]);
  const ringLatE7 = new Int32Array(ringFirst[rings.length]);
  for (const [ring, line] of rings.entries())
    for (let i = 0; i < line.length; i += 2) {
      ringLngE7[ringFirst[ring] + i / 2] = line[i];
      ringLatE7[ringFirst[ring] + i / 2] = line[i + 1];
    }
  return { areaFirstRing, ringFirst, ringLngE7, ringLatE7 };
}

/** A point inside: the middle of the widest section at the middle latitude. */
function pointIn(rings: readonly Int32Array[]): { readonly lngE7: number; readonly latE7: number } {
  const lats = rings.flatMap((ring) => Array.from(ring).filter((_, i) => i % 2 === 1));
  const south = lats.reduce((least, lat) => Math.min(least, lat), 0x7fffffff);
  const north = lats.reduce((most, lat) => Math.max(most, lat), -0x7fffffff);
  const lat = Math.round((south + north) / 2);
  const crossings: number[] = [];
  for (const ring of rings)
    for (let i = 0; i + 3 < ring.length; i += 2)
      if (ring[i + 1] > lat !== ring[i + 3] > lat)
        crossings.push(
          ring[i] + ((lat - ring[i + 1]) * (ring[i + 2] - ring[i])) / (ring[i + 3] - ring[i + 1]),
        );
  crossings.sort((a, b) => a - b);
  let [lng, widest] = [rings[0]![0]!, -1];
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const width = crossings[i + 1] - crossings[i];
    if (width > widest) [lng, widest] = [Math.round(crossings[i] + width / 2), width];
  }
  return { lngE7: lng, latE7: lat };
}

/** For one point; for many, use `Areas`. */
function isInside(rings: readonly Int32Array[], lngE7: number, latE7: number): boolean {
  let inside = false;
  for (const ring of rings)
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [south, north] = [ring[i + 1], ring[i + 3]];
      if (south > latE7 === north > latE7) continue;
      if (lngE7 < ring[i] + ((latE7 - south) * (ring[i + 2] - ring[i])) / (north - south)) inside = !inside;
    }
  return inside;
}

/** For the order of areas, which holes do not change. */
function sizeOf(rings: readonly Int32Array[]): number {
  return rings.reduce((sum, ring) => sum + Math.abs(doubleArea(ring)), 0);
}

/** The names of the point first, then different names of the area. */
function joined(own: readonly PlaceName[], more: readonly PlaceName[]): PlaceName[] {
  const others = more.filter(
    ({ language, text }) =>
      !own.some((each) => each.text === text || (language !== '*' && each.language === language)),
  );
  return [...own, ...others].slice(0, limits.namesMax);
}
