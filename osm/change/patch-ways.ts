import { lowerBound } from '#map-data/arrays/lower-bound.js';
import type { Scratch } from '#map-data/arrays/scratch.js';
import { nodeIndex } from '../elements/osm-extract.js';
import type { PlacedWays } from '../elements/placed-ways.js';
import { ascending } from './patch-list.js';
import type { PatchedNodes } from './patch-nodes.js';

/** Indices in `wayIds` of ways with a moved, removed or added node. */
export function waysThrough(ways: PlacedWays, { touched, created }: PatchedNodes): number[] {
  const { wayIds, firstRef, refs, nodeOf } = ways;
  const found: number[] = [];
  for (let way = 0; way < wayIds.length; way++) {
    for (let ref = firstRef[way]; ref < firstRef[way + 1]; ref++) {
      const node = nodeOf[ref];
      if (node < 0 ? !created.has(refs[ref]) : touched[node] === 0) continue;
      found.push(way);
      break;
    }
  }
  return found;
}

/**
 * Ways with the refs of some replaced (null: removed), and the current indices of their nodes. The same
 * columns if nothing changed, else all of them in `into`. Ranges of unchanged ways are copied.
 */
export function patchWays(
  before: PlacedWays,
  changes: ReadonlyMap<number, readonly number[] | null>,
  { nodes, indices, created }: PatchedNodes,
  into: Scratch,
): PlacedWays {
  if (changes.size === 0 && indices === undefined) return before;
  const { wayIds, firstRef } = before;
  const steps = ascending(changes.keys()).map((id) => {
    const at = lowerBound(wayIds, id);
    return { id, at, known: wayIds[at] === id, refs: changes.get(id)! };
  });
  let [wayCount, refCount] = [wayIds.length, before.refs.length];
  for (const { at, known, refs } of steps) {
    wayCount += (refs === null ? 0 : 1) - (known ? 1 : 0);
    refCount += (refs?.length ?? 0) - (known ? firstRef[at + 1] - firstRef[at] : 0);
  }
  const ways = {
    wayIds: into.float64('wayIds', wayCount),
    firstRef: into.uint32('firstRef', wayCount + 1),
    refs: into.float64('refs', refCount),
    nodeOf: into.int32('nodeOf', refCount),
  };
  const nodeOfRef = (ref: number): number => (created.has(ref) ? nodeIndex(nodes, ref) : -1);
  let [from, to, refTo] = [0, 0, 0];
  const copyUntil = (end: number): void => {
    const [first, last] = [firstRef[from], firstRef[end]];
    ways.wayIds.set(wayIds.subarray(from, end), to);
    ways.refs.set(before.refs.subarray(first, last), refTo);
    ways.nodeOf.set(before.nodeOf.subarray(first, last), refTo);
    if (indices !== undefined) moveNodes(ways, refTo, refTo + last - first, indices, nodeOfRef);
    for (; from < end; from++) ways.firstRef[to++] = refTo + firstRef[from] - first;
    refTo += last - first;
  };
  for (const { id, at, known, refs } of steps) {
    copyUntil(at);
    if (known) from++;
    if (refs === null) continue;
    ways.wayIds[to] = id;
    ways.firstRef[to++] = refTo;
    for (const ref of refs) {
      ways.refs[refTo] = ref;
      ways.nodeOf[refTo++] = nodeIndex(nodes, ref);
    }
  }
  copyUntil(wayIds.length);
  ways.firstRef[to] = refTo;
  return ways;
}

/** Maps previous indices to current ones; a missing node may have been added. */
function moveNodes(
  { refs, nodeOf }: PlacedWays,
  first: number,
  end: number,
  indices: Int32Array,
  nodeOfRef: (ref: number) => number,
): void {
  for (let at = first; at < end; at++)
    nodeOf[at] = nodeOf[at] >= 0 ? indices[nodeOf[at]] : nodeOfRef(refs[at]);
}
