import type { MapElements, TaggedWay } from '../osm/map-elements.js';
import type { Tags } from '../osm/osm-sink.js';
import { ContentMixer } from './content-mixer.js';
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

/** The elements of an extract beside those of the one before. */
export interface PairedElements {
  readonly elements: HashedElements;
  /** By element the one of the same kind and id before, −1 where there is none. */
  readonly twins: Int32Array;
  /** 1 where what is drawn of an element is what was drawn of its twin. */
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

/** Pairs with a table that knows its elements: what is the same object is what it was, and is not looked into. */
export function pairByIdentity(
  before: HashedElements,
  source: MapElements,
): PairedElements & { readonly changed: ChangedElements } {
  const count = source.nodes.length + source.ways.length + source.relations.length;
  const twins = new Int32Array(count).fill(-1);
  const isSame = new Uint8Array(count);
  const ids = new Float64Array(count);
  const changed = new ChangedElements();
  let [start, startBefore] = [0, 0];
  for (const kind of ['nodes', 'ways', 'relations'] as const) {
    const [a, b]: readonly (readonly Identified[])[] = [before.source[kind], source[kind]];
    const see = kind === 'nodes' ? () => {} : (element: Identified) => changed.add(kind, element);
    let i = 0;
    for (let j = 0; j < b!.length; j++) {
      const element = b![j]!;
      if (i < a!.length && a![i] === element) {
        isSame[start + j] = 1;
        twins[start + j] = startBefore + i;
        ids[start + j] = before.ids[startBefore + i]!;
        i++;
        continue;
      }
      while (i < a!.length && before.ids[startBefore + i]! < element.id) see(a![i++]!);
      if (a![i] === element) {
        // Those before it are gone.
        j--;
        continue;
      }
      ids[start + j] = element.id;
      see(element);
      if (i < a!.length && before.ids[startBefore + i] === element.id) {
        twins[start + j] = startBefore + i;
        see(a![i++]!);
      }
    }
    while (i < a!.length) see(a![i++]!);
    start += b!.length;
    startBefore += a!.length;
  }
  const levels = changed.hasBorder ? levelsOfBorders(source) : before.adminLevels;
  const elements = tableOf(source, ids, new Uint32Array(2 * count), levels);
  for (const way of waysOfOtherLevel(before.adminLevels, levels, elements)) isSame[way] = 0;
  for (const relation of relationsOver(changed.wayIds, elements)) isSame[relation] = 0;
  const mixer = new ContentMixer();
  for (let element = 0; element < count; element++) {
    const twin = twins[element]!;
    if (isSame[element] === 0) hashInto(elements, element, mixer);
    else {
      elements.hashes[2 * element] = before.hashes[2 * twin]!;
      elements.hashes[2 * element + 1] = before.hashes[2 * twin + 1]!;
    }
  }
  return { elements, twins, isSame, changed };
}

interface Identified {
  readonly id: number;
  readonly tags: Tags;
}

/** The ways and relations that came, went or changed, as they were and as they are. */
class ChangedElements {
  readonly ways: TaggedWay[] = [];
  readonly wayIds = new Set<number>();
  hasBorder = false;

  add(kind: 'ways' | 'relations', element: Identified): void {
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
