import { lowerBound } from '#map-data/arrays/lower-bound.js';
import type { Scratch } from '#map-data/arrays/scratch.js';
import { nodeIndex } from '../elements/osm-extract.js';
import type { NodeColumns } from '../elements/placed-ways.js';
import type { ChangedNode } from './osm-change.js';
import { ascending } from './patch-list.js';

/** Nodes after a change, and how indices of nodes change. */
export interface PatchedNodes {
  /** The previous columns if nothing changed. */
  readonly nodes: NodeColumns;
  /** [previous nodes] 1 if a node was moved or removed. */
  readonly touched: Uint8Array;
  /** [previous nodes] current index, −1: removed; undefined if all indices are the same. */
  readonly indices: Int32Array | undefined;
  readonly created: ReadonlySet<number>;
}

/** The columns are written to `into`; the description of the change is written to `scratch`. */
export function patchNodes(
  before: NodeColumns,
  changes: ReadonlyMap<number, ChangedNode | null>,
  into: Scratch,
  scratch: Scratch,
): PatchedNodes {
  const { nodeIds, nodeLngE7, nodeLatE7 } = before;
  const touched = scratch.uint8('touched', nodeIds.length).fill(0);
  const created = new Set<number>();
  const gone: number[] = [];
  const moved: [at: number, node: ChangedNode][] = [];
  for (const [id, node] of changes) {
    const at = nodeIndex(before, id);
    if (at < 0) {
      if (node !== null) created.add(id);
    } else if (node === null) {
      gone.push(at);
      touched[at] = 1;
    } else if (node.lngE7 !== nodeLngE7[at] || node.latE7 !== nodeLatE7[at]) {
      moved.push([at, node]);
      touched[at] = 1;
    }
  }
  if (created.size + gone.length + moved.length === 0)
    return { nodes: before, touched, indices: undefined, created };
  const count = nodeIds.length + created.size - gone.length;
  const nodes = {
    nodeIds: into.float64('nodeIds', count),
    nodeLngE7: into.int32('nodeLngE7', count),
    nodeLatE7: into.int32('nodeLatE7', count),
  };
  let indices: Int32Array | undefined;
  if (created.size + gone.length > 0) {
    indices = scratch.int32('indices', nodeIds.length);
    copyWithOthers(before, nodes, indices, changes, created, gone);
  } else {
    nodes.nodeIds.set(nodeIds);
    nodes.nodeLngE7.set(nodeLngE7);
    nodes.nodeLatE7.set(nodeLatE7);
  }
  for (const [at, node] of moved) {
    const now = indices === undefined ? at : indices[at];
    nodes.nodeLngE7[now] = node.lngE7;
    nodes.nodeLatE7[now] = node.latE7;
  }
  return { nodes, touched, indices, created };
}

/** Ranges of nodes between added and removed ones are copied unchanged. */
function copyWithOthers(
  { nodeIds, nodeLngE7, nodeLatE7 }: NodeColumns,
  nodes: NodeColumns,
  indices: Int32Array,
  changes: ReadonlyMap<number, ChangedNode | null>,
  created: ReadonlySet<number>,
  gone: readonly number[],
): void {
  let from = 0;
  let to = 0;
  const copyUntil = (end: number): void => {
    nodes.nodeIds.set(nodeIds.subarray(from, end), to);
    nodes.nodeLngE7.set(nodeLngE7.subarray(from, end), to);
    nodes.nodeLatE7.set(nodeLatE7.subarray(from, end), to);
    for (; from < end; from++) indices[from] = to++;
  };
  for (const id of ascending([...created, ...gone.map((at) => nodeIds[at])])) {
    copyUntil(lowerBound(nodeIds, id, from));
    if (!created.has(id)) {
      indices[from++] = -1;
      continue;
    }
    const { lngE7, latE7 } = changes.get(id)!;
    nodes.nodeIds[to] = id;
    nodes.nodeLngE7[to] = lngE7;
    nodes.nodeLatE7[to++] = latE7;
  }
  copyUntil(nodeIds.length);
}
