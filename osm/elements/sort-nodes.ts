import type { NodeColumns } from './placed-ways.js';

/** Nodes ascending by id; those of the same id stay in their order. */
export function sortNodes({ nodeIds, nodeLngE7, nodeLatE7 }: NodeColumns): NodeColumns {
  const order = Uint32Array.from(nodeIds, (_, index) => index).sort((a, b) => nodeIds[a]! - nodeIds[b]!);
  return {
    nodeIds: Float64Array.from(order, (index) => nodeIds[index]!),
    nodeLngE7: Int32Array.from(order, (index) => nodeLngE7[index]!),
    nodeLatE7: Int32Array.from(order, (index) => nodeLatE7[index]!),
  };
}
