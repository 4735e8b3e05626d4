import { lowerBound } from '../lower-bound.js';
import type { ChangedNode } from './osm-change.js';
import { nodeIndex } from './osm-extract.js';
import { ascending } from './patch-list.js';
import type { NodeColumns } from './placed-ways.js';

/** Nodes after a change, and what it means to those who point to them. */
export interface PatchedNodes {
  /** The columns in which nothing changed are those of before. */
  readonly nodes: NodeColumns;
  /** [nodes before] 1 where a node lies elsewhere or is gone. */
  readonly touched: Uint8Array;
  /** [nodes before] where it is now, −1: gone; undefined where all are at the same index. */
  readonly indices: Int32Array | undefined;
  readonly created: ReadonlySet<number>;
}

export function patchNodes(
  before: NodeColumns,
  changes: ReadonlyMap<number, ChangedNode | null>,
): PatchedNodes {
  const touched = new Uint8Array(before.nodeIds.length);
  const created = new Set<number>();
  const gone: number[] = [];
  let { nodeLngE7, nodeLatE7 } = before;
  for (const [id, node] of changes) {
    const at = nodeIndex(before, id);
    if (at < 0) {
      if (node !== null) created.add(id);
    } else if (node === null) {
      gone.push(at);
      touched[at] = 1;
    } else if (node.lngE7 !== before.nodeLngE7[at] || node.latE7 !== before.nodeLatE7[at]) {
      if (nodeLngE7 === before.nodeLngE7) {
        nodeLngE7 = before.nodeLngE7.slice();
        nodeLatE7 = before.nodeLatE7.slice();
      }
      nodeLngE7[at] = node.lngE7;
      nodeLatE7[at] = node.latE7;
      touched[at] = 1;
    }
  }
  const moved = { nodeIds: before.nodeIds, nodeLngE7, nodeLatE7 };
  if (created.size === 0 && gone.length === 0) return { nodes: moved, touched, indices: undefined, created };
  return { ...withOthers(moved, changes, created, gone), touched, created };
}

/** Runs of nodes between those that came or went are copied as they are. */
function withOthers(
  { nodeIds, nodeLngE7, nodeLatE7 }: NodeColumns,
  changes: ReadonlyMap<number, ChangedNode | null>,
  created: ReadonlySet<number>,
  gone: readonly number[],
): Pick<PatchedNodes, 'nodes' | 'indices'> {
  const count = nodeIds.length + created.size - gone.length;
  const nodes = {
    nodeIds: new Float64Array(count),
    nodeLngE7: new Int32Array(count),
    nodeLatE7: new Int32Array(count),
  };
  const indices = new Int32Array(nodeIds.length);
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
  return { nodes, indices };
}
