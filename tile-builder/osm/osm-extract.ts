import { growingFloat64, growingInt32, growingUint32 } from './growing-array.js';
import type { OsmMember, OsmSink, Tags } from './osm-sink.js';

/** What routing needs of an extract: roads and ferries, the nodes they use, and turn restrictions. */
export interface OsmExtract {
  /** All nodes, ascending by id. */
  readonly nodeIds: Float64Array;
  readonly nodeLngE7: Int32Array;
  readonly nodeLatE7: Int32Array;
  /** Tags of the nodes that carry a barrier, a signal or an access rule, by id. */
  readonly nodeTags: ReadonlyMap<number, Tags>;
  readonly wayIds: Float64Array;
  readonly wayTags: readonly Tags[];
  /** [ways+1] first entry of each way in `refs`. */
  readonly firstRef: Uint32Array;
  /** Node ids. */
  readonly refs: Float64Array;
  readonly restrictions: readonly RestrictionRelation[];
}

const ferryRoutes = new Set(['ferry', 'shuttle_train']);

/** A ferry, or a train that carries vehicles. */
export const isFerry = (tags: Tags): boolean =>
  !tags.has('highway') && ferryRoutes.has(tags.get('route') ?? '');

export interface RestrictionRelation {
  readonly id: number;
  readonly members: readonly OsmMember[];
  readonly tags: Tags;
}

/** Index of a node, or -1 when the extract does not hold it. */
export function nodeIndex({ nodeIds }: OsmExtract, id: number): number {
  let low = 0;
  let high = nodeIds.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = nodeIds[middle]!;
    if (found === id) return middle;
    if (found < id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** [refs] index of the node of each entry of `refs`, or -1. */
export function nodesOfRefs(extract: OsmExtract): Int32Array {
  const { refs, nodeIds } = extract;
  const nodes = new Int32Array(refs.length);
  let last = -1;
  for (let i = 0; i < refs.length; i++) {
    // The nodes of a way were mostly made one after the other.
    if (nodeIds[last + 1] === refs[i]) last++;
    else if (last > 0 && nodeIds[last - 1] === refs[i]) last--;
    else {
      const found = nodeIndex(extract, refs[i]!);
      nodes[i] = found;
      if (found >= 0) last = found;
      continue;
    }
    nodes[i] = last;
  }
  return nodes;
}

/** Gathers an extract; `extract()` when the reader is through. */
export function collectExtract(): { sink: OsmSink; extract: () => OsmExtract } {
  const ids = growingFloat64();
  const lngs = growingInt32();
  const lats = growingInt32();
  const nodeTags = new Map<number, Tags>();
  const wayIds = growingFloat64();
  const wayTags: Tags[] = [];
  const firstRef = growingUint32();
  const refs = growingFloat64();
  const restrictions: RestrictionRelation[] = [];
  let ascending = true;
  let lastId = Number.NEGATIVE_INFINITY;
  const sink: OsmSink = {
    node(id, lngE7, latE7, tags) {
      if (id <= lastId) ascending = false;
      lastId = id;
      ids.push(id);
      lngs.push(lngE7);
      lats.push(latE7);
      if (tags !== undefined && (tags.has('barrier') || tags.has('highway'))) nodeTags.set(id, tags);
    },
    way(id, nodes, tags) {
      if (nodes.length < 2 || !(tags.has('highway') || isFerry(tags))) return;
      wayIds.push(id);
      wayTags.push(tags);
      firstRef.push(refs.length);
      for (let i = 0; i < nodes.length; i++) refs.push(nodes[i]!);
    },
    relation(id, members, tags) {
      if (tags.get('type')?.startsWith('restriction') === true) restrictions.push({ id, members, tags });
    },
  };
  const extract = (): OsmExtract => {
    firstRef.push(refs.length);
    const unsorted = { nodeIds: ids.trimmed(), nodeLngE7: lngs.trimmed(), nodeLatE7: lats.trimmed() };
    return {
      ...(ascending ? unsorted : sortNodes(unsorted)),
      nodeTags,
      wayIds: wayIds.trimmed(),
      wayTags,
      firstRef: firstRef.trimmed(),
      refs: refs.trimmed(),
      restrictions,
    };
  };
  return { sink, extract };
}

type NodeColumns = Pick<OsmExtract, 'nodeIds' | 'nodeLngE7' | 'nodeLatE7'>;

function sortNodes({ nodeIds, nodeLngE7, nodeLatE7 }: NodeColumns): NodeColumns {
  const order = Uint32Array.from(nodeIds, (_, index) => index).sort((a, b) => nodeIds[a]! - nodeIds[b]!);
  return {
    nodeIds: Float64Array.from(order, (index) => nodeIds[index]!),
    nodeLngE7: Int32Array.from(order, (index) => nodeLngE7[index]!),
    nodeLatE7: Int32Array.from(order, (index) => nodeLatE7[index]!),
  };
}
