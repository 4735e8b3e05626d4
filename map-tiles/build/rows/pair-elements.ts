import type { BuildMemory } from '#map-data/arrays/build-memory.js';
import type { MapElements, TaggedWay } from '#osm/elements/map-elements.js';
import type { Tags } from '#schemas/osm-sink.js';
import { ContentMixer } from '../hashing/content-mixer.js';
import {
  type ElementTable,
  type HashedElements,
  hashElements,
  hashInto,
  isBorder,
  isMultipolygon,
  levelsOfBorders,
  placeOf,
  tableOf,
} from './element-table.js';

/** The elements of an extract compared with those of the previous one. */
export interface PairedElements {
  readonly elements: HashedElements;
  /** By element the previous one of the same kind and id, −1 if there is none. */
  readonly twins: Int32Array;
  /** 1 if the features of an element equal those of its previous version. */
  readonly isSame: Uint8Array;
}

/** Pairs with a table of which only the hashes are left. */
export function pairByHash(before: ElementTable, source: MapElements): PairedElements {
  const elements = hashElements(source);
  const twins = twinsOf(before, elements);
  const isSame = new Uint8Array(twins.length);
  const [known, hashes] = [before.hashes, elements.hashes];
  for (let element = 0; element < twins.length; element++) {
    const twin = twins[element]!;
    if (twin < 0) continue;
    const [a, b] = [hashes[2 * element]!, hashes[2 * element + 1]!];
    if (known[2 * twin] === a && known[2 * twin + 1] === b) isSame[element] = 1;
  }
  return { elements, twins, isSame };
}

/** Pairs with a table that has its elements: the same object is unchanged and is not read. */
export function pairByIdentity(
  before: HashedElements,
  source: MapElements,
  { scratch, kept }: BuildMemory,
): PairedElements & { readonly changed: ChangedElements } {
  const count = source.nodes.length + source.ways.length + source.relations.length;
  const twins = scratch.int32('element twins', count).fill(-1);
  const isSame = scratch.uint8('same elements', count).fill(0);
  const ids = kept.float64('element ids', count);
  const hashes = kept.uint32('element hashes', 2 * count);
  const changed = new ChangedElements();
  const others: number[] = [];
  let [start, startBefore] = [0, 0];
  for (const kind of ['nodes', 'ways', 'relations'] as const) {
    const a: readonly Identified[] = before.source[kind];
    const b: readonly Identified[] = source[kind];
    let [i, j] = [0, 0];
    while (j < b.length || i < a.length) {
      const run = sameFrom(a, i, b, j);
      const [now, then] = [start + j, startBefore + i];
      if (run > 0) {
        isSame.fill(1, now, now + run);
        countUp(twins, now, now + run, then);
        ids.set(before.ids.subarray(then, then + run), now);
        hashes.set(before.hashes.subarray(2 * then, 2 * (then + run)), 2 * now);
        i += run;
        j += run;
        continue;
      }
      const [old, young] = [a[i], b[j]];
      if (old !== undefined && (young === undefined || old.id <= young.id)) {
        changed.add(kind, old);
        i++;
      }
      if (young !== undefined && (old === undefined || young.id <= old.id)) {
        changed.add(kind, young);
        if (young.id === old?.id) twins[now] = then;
        ids[now] = young.id;
        others.push(now);
        j++;
      }
    }
    start += b.length;
    startBefore += a.length;
  }
  const levels = changed.hasBorder ? levelsOfBorders(source) : before.adminLevels;
  const elements = tableOf(source, ids, hashes, levels);
  others.push(...waysOfOtherLevel(before.adminLevels, levels, elements));
  others.push(...relationsOver(changed.wayIds, elements));
  const mixer = new ContentMixer();
  for (const element of others) {
    isSame[element] = 0;
    hashInto(elements, element, mixer);
  }
  return { elements, twins, isSame, changed };
}

/** How many elements from a position on are the same objects in both lists. */
function sameFrom(a: readonly unknown[], i: number, b: readonly unknown[], j: number): number {
  const most = Math.min(a.length - i, b.length - j);
  let count = 0;
  while (count < most && a[i + count] === b[j + count]) count++;
  return count;
}

function countUp(numbers: Int32Array, from: number, to: number, first: number): void {
  for (let at = from; at < to; at++) numbers[at] = first + at - from;
}

interface Identified {
  readonly id: number;
  readonly tags: Tags;
}

/** The added, removed and changed ways and relations, previous and current. */
class ChangedElements {
  readonly ways: TaggedWay[] = [];
  readonly wayIds = new Set<number>();
  hasBorder = false;

  add(kind: keyof MapElements, element: Identified): void {
    if (kind === 'nodes') return;
    this.hasBorder ||= isBorder(element.tags);
    if (kind === 'relations') return;
    this.ways.push(element as TaggedWay);
    this.wayIds.add(element.id);
  }
}

/** A way may be part of a border by a relation alone. */
function* waysOfOtherLevel(
  before: ReadonlyMap<number, number>,
  now: ReadonlyMap<number, number>,
  { ids, nodes, ways }: ElementTable,
): Iterable<number> {
  if (before === now) return;
  const wayIds = ids.subarray(nodes, nodes + ways);
  for (const id of new Set([...before.keys(), ...now.keys()])) {
    const place = before.get(id) === now.get(id) ? -1 : placeOf(wayIds, id);
    if (place >= 0) yield nodes + place;
  }
}

/** The multipolygons that have one of the ways as a member. */
function* relationsOver(
  wayIds: ReadonlySet<number>,
  { source: { relations }, nodes, ways }: HashedElements,
): Iterable<number> {
  if (wayIds.size === 0) return;
  for (const [place, { tags, members }] of relations.entries())
    if (isMultipolygon(tags) && members.some(({ type, id }) => type === 'way' && wayIds.has(id)))
      yield nodes + ways + place;
}

function twinsOf(before: ElementTable, now: ElementTable): Int32Array {
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
