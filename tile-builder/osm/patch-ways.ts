import { lowerBound } from '../lower-bound.js';
import { nodeIndex } from './osm-extract.js';
import { ascending } from './patch-list.js';
import type { PatchedNodes } from './patch-nodes.js';
import type { NodeColumns, PlacedWays } from './placed-ways.js';

/** Places in `wayIds` of the ways of which a node moved, went or came. */
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

/** Where the nodes are now. The same columns where all are where they were. */
export function placeAgain(ways: PlacedWays, { nodes, indices, created }: PatchedNodes): PlacedWays {
  if (indices === undefined) return ways;
  const { refs, nodeOf: before } = ways;
  const nodeOf = new Int32Array(before.length);
  for (let ref = 0; ref < before.length; ref++) {
    const node = before[ref];
    if (node >= 0) nodeOf[ref] = indices[node];
    else nodeOf[ref] = created.has(refs[ref]) ? nodeIndex(nodes, refs[ref]) : -1;
  }
  return { ...ways, nodeOf };
}

/** Ways with the refs of some exchanged; null: gone. Runs of ways between them are copied as they are. */
export function patchWays(
  before: PlacedWays,
  changes: ReadonlyMap<number, readonly number[] | null>,
  nodes: NodeColumns,
): PlacedWays {
  if (changes.size === 0) return before;
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
    wayIds: new Float64Array(wayCount),
    firstRef: new Uint32Array(wayCount + 1),
    refs: new Float64Array(refCount),
    nodeOf: new Int32Array(refCount),
  };
  let [from, to, refTo] = [0, 0, 0];
  const copyUntil = (end: number): void => {
    const [first, last] = [firstRef[from], firstRef[end]];
    ways.wayIds.set(wayIds.subarray(from, end), to);
    ways.refs.set(before.refs.subarray(first, last), refTo);
    ways.nodeOf.set(before.nodeOf.subarray(first, last), refTo);
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
