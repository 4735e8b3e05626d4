import { lowerBound } from '#map-data/arrays/lower-bound.js';
import type { Tags } from '#schemas/osm-sink.js';
import { findElement } from '../elements/find-element.js';
import type { PlacedWays } from '../elements/placed-ways.js';
import type { TaggedNode, TaggedRelation, TaggedWay } from '../elements/tagged-elements.js';
import type { ChangedNode, ChangedRelation, ChangedWay } from './osm-change.js';

// Most elements of a change file have a new version and the same content. Unchanged elements are omitted
// here, and partly unchanged ones keep their previous objects, so that their results are reused.

/** Nodes that have or had tags; null: no longer. */
export function changedNodes(
  before: readonly TaggedNode[],
  changes: ReadonlyMap<number, ChangedNode | null>,
): Map<number, TaggedNode | null> {
  const changed = new Map<number, TaggedNode | null>();
  for (const [id, node] of changes) {
    const known = findElement(before, id);
    if (node?.tags === undefined) {
      if (known !== undefined) changed.set(id, null);
      continue;
    }
    const { lngE7, latE7 } = node;
    const tags = known === undefined ? node.tags : keptTags(known.tags, node.tags);
    if (known?.tags !== tags || known.lngE7 !== lngE7 || known.latE7 !== latE7)
      changed.set(id, { id, tags, lngE7, latE7 });
  }
  return changed;
}

export interface ChangedWays {
  /** Null: gone. */
  readonly tags: Map<number, Tags | null>;
  /** New ways and ways with other nodes; null: removed. */
  readonly refs: Map<number, readonly number[] | null>;
}

export function changedWays(
  before: readonly TaggedWay[],
  { wayIds, firstRef, refs }: PlacedWays,
  changes: ReadonlyMap<number, ChangedWay | null>,
): ChangedWays {
  const changed: ChangedWays = { tags: new Map(), refs: new Map() };
  for (const [id, way] of changes) {
    const at = lowerBound(wayIds, id);
    const known = wayIds[at] === id ? before[at] : undefined;
    if (way === null || known === undefined) {
      if (way === null && known === undefined) continue;
      changed.tags.set(id, way?.tags ?? null);
      changed.refs.set(id, way?.refs ?? null);
      continue;
    }
    const tags = keptTags(known.tags, way.tags);
    const same = sameNumbers(refs.subarray(firstRef[at], firstRef[at + 1]), way.refs);
    if (!same) changed.refs.set(id, way.refs);
    if (!same || tags !== known.tags) changed.tags.set(id, tags);
  }
  return changed;
}

export function changedRelations(
  before: readonly TaggedRelation[],
  changes: ReadonlyMap<number, ChangedRelation | null>,
): Map<number, TaggedRelation | null> {
  const changed = new Map<number, TaggedRelation | null>();
  for (const [id, relation] of changes) {
    const known = findElement(before, id);
    if (relation === null) {
      if (known !== undefined) changed.set(id, null);
      continue;
    }
    if (known === undefined) {
      changed.set(id, { id, ...relation });
      continue;
    }
    const tags = keptTags(known.tags, relation.tags);
    const members = sameMembers(known.members, relation.members) ? known.members : relation.members;
    if (tags !== known.tags || members !== known.members) changed.set(id, { id, members, tags });
  }
  return changed;
}

/** The previous tags if they are equal and in the same order; files keep that order. */
function keptTags(before: Tags, tags: Tags): Tags {
  if (before.size !== tags.size) return tags;
  const entries = before.entries();
  for (const [key, value] of tags) {
    const [keyBefore, valueBefore] = entries.next().value!;
    if (key !== keyBefore || value !== valueBefore) return tags;
  }
  return before;
}

function sameNumbers(before: Float64Array, numbers: readonly number[]): boolean {
  if (before.length !== numbers.length) return false;
  return numbers.every((number, i) => number === before[i]);
}

type Members = TaggedRelation['members'];
const sameMembers = (before: Members, members: Members): boolean =>
  before.length === members.length &&
  members.every(({ type, id, role }, i) => {
    const known = before[i];
    return type === known.type && id === known.id && role === known.role;
  });
