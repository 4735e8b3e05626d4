import type { MapElements, TaggedRelation, TaggedWay } from '../osm/map-elements.js';
import type { Tags } from '../osm/osm-sink.js';
import { ContentMixer } from './content-mixer.js';
import type { WayOf } from './draw-element.js';

/** Nodes, then ways, then relations, each ascending by id: who they are, and a hash of all that is drawn of them. */
export interface ElementTable {
  readonly nodes: number;
  readonly ways: number;
  readonly ids: Float64Array;
  /** [2 an element] */
  readonly hashes: Uint32Array;
}

export interface HashedElements extends ElementTable {
  /** By id of a way, of the borders that it is part of the highest. */
  readonly adminLevels: ReadonlyMap<number, number>;
  readonly wayOf: WayOf;
}

/** Reads each tag and each coordinate once, and makes nothing. */
export function hashElements({ nodes, ways, relations }: MapElements): HashedElements {
  const count = nodes.length + ways.length + relations.length;
  const ids = new Float64Array(count);
  const hashes = new Uint32Array(2 * count);
  const mixer = new ContentMixer();
  let at = 0;
  const finish = (id: number): void => {
    ids[at] = id;
    hashes[2 * at] = mixer.a;
    hashes[2 * at + 1] = mixer.b;
    at++;
    mixer.reset();
  };
  for (const { id, tags, lngE7, latE7 } of nodes) {
    mixTags(mixer, tags);
    mixer.add(lngE7);
    mixer.add(latE7);
    finish(id);
  }
  const adminLevels = levelsOfBorders(ways, relations);
  for (const way of ways) {
    mixTags(mixer, way.tags);
    mixLine(mixer, way);
    const level = adminLevels.get(way.id);
    if (level !== undefined) mixer.add(level);
    finish(way.id);
  }
  const wayIds = ids.subarray(nodes.length, nodes.length + ways.length);
  const wayOf: WayOf = (id) => ways[placeOf(wayIds, id)];
  for (const { id, tags, members } of relations) {
    mixTags(mixer, tags);
    if (tags.get('type') === 'multipolygon')
      for (const member of members) {
        mixer.add(member.role === 'inner' ? 1 : 0);
        const way = member.type === 'way' ? wayOf(member.id) : undefined;
        if (way !== undefined) mixLine(mixer, way);
      }
    finish(id);
  }
  return { nodes: nodes.length, ways: ways.length, ids, hashes, adminLevels, wayOf };
}

/** By element of `now` the element of `before` of the same kind and id, −1 where there is none. */
export function twinsOf(before: ElementTable, now: ElementTable): Int32Array {
  const twins = new Int32Array(now.ids.length).fill(-1);
  const [a, b] = [before.ids, now.ids];
  const [endsA, endsB] = [endsOfKinds(before), endsOfKinds(now)];
  let i = 0;
  let j = 0;
  for (const [kind, endB] of endsB.entries()) {
    for (const endA = endsA[kind]!; j < endB; j++) {
      const id = b[j]!;
      while (i < endA && a[i]! < id) i++;
      if (i < endA && a[i] === id) twins[j] = i++;
    }
    i = endsA[kind]!;
  }
  return twins;
}

const endsOfKinds = ({ nodes, ways, ids }: ElementTable): readonly number[] => [
  nodes,
  nodes + ways,
  ids.length,
];

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
function levelsOfBorders(
  ways: readonly TaggedWay[],
  relations: readonly TaggedRelation[],
): Map<number, number> {
  const levels = new Map<number, number>();
  const lower = (id: number, tags: Tags): void => {
    const level = Number(tags.get('admin_level'));
    if (Number.isInteger(level) && level >= 2) levels.set(id, Math.min(level, levels.get(id) ?? level));
  };
  for (const { id, tags } of ways) if (tags.get('boundary') === 'administrative') lower(id, tags);
  for (const { tags, members } of relations)
    if (tags.get('boundary') === 'administrative')
      for (const { type, id } of members) if (type === 'way') lower(id, tags);
  return levels;
}

/** Of several of one id the first; −1 where there is none. */
function placeOf(ids: Float64Array, id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return ids[low] === id ? low : -1;
}
