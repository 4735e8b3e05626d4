import { lowerBound } from '#map-data/arrays/lower-bound.js';
import type { MapElements, TaggedNode, TaggedRelation, TaggedWay } from '#osm/elements/map-elements.js';
import type { Tags } from '#schemas/osm-sink.js';
import type { WayOf } from '../features/element-features.js';
import { ContentMixer } from '../hashing/content-mixer.js';

/** Nodes, then ways, then relations, each ascending by id: their ids, and a hash of their features. */
export interface ElementTable {
  readonly nodes: number;
  readonly ways: number;
  readonly ids: Float64Array;
  /** [2 an element] */
  readonly hashes: Uint32Array;
}

export interface HashedElements extends ElementTable {
  readonly source: MapElements;
  /** The highest border level of a way, by its id. */
  readonly adminLevels: ReadonlyMap<number, number>;
  readonly wayOf: WayOf;
}

/** Reads each tag and each coordinate once, without allocations. */
export function hashElements(source: MapElements): HashedElements {
  const { nodes, ways, relations } = source;
  const count = nodes.length + ways.length + relations.length;
  const ids = new Float64Array(count);
  let at = 0;
  for (const { id } of nodes) ids[at++] = id;
  for (const { id } of ways) ids[at++] = id;
  for (const { id } of relations) ids[at++] = id;
  const hashes = new Uint32Array(2 * count);
  const table = tableOf(source, ids, hashes, levelsOfBorders(source));
  const mixer = new ContentMixer();
  for (let element = 0; element < count; element++) hashInto(table, element, mixer);
  return table;
}

/** @param ids of all elements. The caller fills in the hashes. */
export function tableOf(
  source: MapElements,
  ids: Float64Array,
  hashes: Uint32Array,
  adminLevels: ReadonlyMap<number, number>,
): HashedElements {
  const { nodes, ways } = source;
  const wayIds = ids.subarray(nodes.length, nodes.length + ways.length);
  const wayOf: WayOf = (id) => ways[placeOf(wayIds, id)];
  return { source, nodes: nodes.length, ways: ways.length, ids, hashes, adminLevels, wayOf };
}

/** Hashes one element of a table. */
export function hashInto(table: HashedElements, element: number, mixer: ContentMixer): void {
  const { source, nodes, ways, hashes, adminLevels, wayOf } = table;
  mixer.reset();
  if (element < nodes) mixNode(mixer, source.nodes[element]!);
  else if (element < nodes + ways) {
    const way = source.ways[element - nodes]!;
    mixWay(mixer, way, adminLevels.get(way.id));
  } else mixRelation(mixer, source.relations[element - nodes - ways]!, wayOf);
  hashes[2 * element] = mixer.a;
  hashes[2 * element + 1] = mixer.b;
}

function mixNode(mixer: ContentMixer, { tags, lngE7, latE7 }: TaggedNode): void {
  mixTags(mixer, tags);
  mixer.add(lngE7);
  mixer.add(latE7);
}

function mixWay(mixer: ContentMixer, way: TaggedWay, adminLevel: number | undefined): void {
  mixTags(mixer, way.tags);
  mixLine(mixer, way);
  if (adminLevel !== undefined) mixer.add(adminLevel);
}

function mixRelation(mixer: ContentMixer, { tags, members }: TaggedRelation, wayOf: WayOf): void {
  mixTags(mixer, tags);
  if (!isMultipolygon(tags)) return;
  for (const member of members) {
    mixer.add(member.role === 'inner' ? 1 : 0);
    const way = member.type === 'way' ? wayOf(member.id) : undefined;
    if (way !== undefined) mixLine(mixer, way);
  }
}

/** Whether a relation consists of the lines of its members. */
export const isMultipolygon = (tags: Tags): boolean => tags.get('type') === 'multipolygon';

function mixTags(mixer: ContentMixer, tags: Tags): void {
  mixer.add(tags.size);
  for (const [key, value] of tags) {
    mixer.text(key);
    mixer.text(value);
  }
}

function mixLine(mixer: ContentMixer, { lngLatE7, ends }: TaggedWay): void {
  mixer.numbers(lngLatE7);
  mixer.id(ends[0]);
  mixer.id(ends[1]);
}

/** A way that is a border of several levels is drawn as that of the highest. */
export function levelsOfBorders({ ways, relations }: MapElements): Map<number, number> {
  const levels = new Map<number, number>();
  const lower = (id: number, tags: Tags): void => {
    const level = Number(tags.get('admin_level'));
    if (Number.isInteger(level) && level >= 2) levels.set(id, Math.min(level, levels.get(id) ?? level));
  };
  for (const { id, tags } of ways) if (isBorder(tags)) lower(id, tags);
  for (const { tags, members } of relations)
    if (isBorder(tags)) for (const { type, id } of members) if (type === 'way') lower(id, tags);
  return levels;
}

export const isBorder = (tags: Tags): boolean => tags.get('boundary') === 'administrative';

/** The first of several with one id; −1 if there is none. */
export function placeOf(ids: Float64Array, id: number): number {
  const at = lowerBound(ids, id);
  return ids[at] === id ? at : -1;
}
