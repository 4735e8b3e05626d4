import { type BuildMemory, memoryOfOneBuild } from '#map-data/arrays/build-memory.js';
import { lowerBound } from '#map-data/arrays/lower-bound.js';
import { Scratch } from '#map-data/arrays/scratch.js';
import type { Tags } from '#schemas/osm-sink.js';
import { findElement } from '../elements/find-element.js';
import { OsmColumns } from '../elements/osm-columns.js';
import { isRoadNode, type OsmExtract } from '../elements/osm-extract.js';
import type { NodeColumns, PlacedWays } from '../elements/placed-ways.js';
import { roadsOf } from '../elements/roads-of.js';
import {
  endsOf,
  type MapElements,
  type TaggedNode,
  type TaggedRelation,
  type TaggedWay,
} from '../elements/tagged-elements.js';
import { TurningColumns } from '../elements/turning-columns.js';
import { type MapSource, readMapSource } from '../read/read-map-source.js';
import { requireAscendingIds } from '../read/require-ascending-ids.js';
import { changedNodes, changedRelations, changedWays } from './changed-elements.js';
import type { OsmChange } from './osm-change.js';
import { patchList } from './patch-list.js';
import { patchNodes } from './patch-nodes.js';
import { patchWays, waysThrough } from './patch-ways.js';

/**
 * A map in memory that applies changes. After a change, it returns the same as the changed extract read from
 * a file. An unchanged element is the same object as before, so callers recognize it by `===` and keep what
 * they derived from it. A way with a moved node is a new object. Unchanged lists are the previous ones too.
 */
export class OsmMap {
  readonly #nodes: TurningColumns<NodeColumns>;
  #taggedNodes: readonly TaggedNode[];
  #roadNodeTags: ReadonlyMap<number, Tags>;
  #ways: readonly TaggedWay[];
  readonly #placed: TurningColumns<PlacedWays>;
  #relations: readonly TaggedRelation[];
  readonly #scratch = new Scratch();

  private constructor(columns: OsmColumns) {
    const { nodes, ways, relations } = columns.elements();
    this.#nodes = new TurningColumns(columns.nodes());
    this.#placed = new TurningColumns(columns.ways());
    this.#taggedNodes = nodes;
    this.#roadNodeTags = columns.roadNodeTags;
    this.#ways = ways;
    this.#relations = relations;
  }

  /** Throws `InvalidMapSource`, also for an extract whose ids do not ascend. */
  static async read(source: MapSource, onProgress?: (done: number, total: number) => void): Promise<OsmMap> {
    const columns = new OsmColumns();
    await readMapSource(source, requireAscendingIds(columns.sink), onProgress);
    return new OsmMap(columns);
  }

  apply({ nodes: nodeChanges, ways: wayChanges, relations: relationChanges }: OsmChange): void {
    const before = this.#placed.columns;
    const patched = patchNodes(this.#nodes.columns, nodeChanges, this.#nodes.spare, this.#scratch);
    const { tags, refs } = changedWays(this.#ways, before, wayChanges);
    for (const at of waysThrough(before, patched)) {
      const way = this.#ways[at];
      if (!tags.has(way.id)) tags.set(way.id, way.tags);
    }
    const placed = patchWays(before, refs, patched, this.#placed.spare);
    const ways = new Map<number, TaggedWay | null>();
    for (const [id, ofWay] of tags) ways.set(id, ofWay && drawn(id, ofWay, placed, patched.nodes));
    const tagged = changedNodes(this.#taggedNodes, nodeChanges);
    const roadTags = (node: TaggedNode | null | undefined): Tags | undefined =>
      node && isRoadNode(node.tags) ? node.tags : undefined;
    const roadNodesChange = [...tagged].some(
      ([id, node]) => roadTags(node) !== roadTags(findElement(this.#taggedNodes, id)),
    );

    const relations = patchList(this.#relations, changedRelations(this.#relations, relationChanges));

    this.#nodes.take(patched.nodes);
    this.#taggedNodes = patchList(this.#taggedNodes, tagged);
    if (roadNodesChange) this.#roadNodeTags = roadNodesOf(this.#taggedNodes);
    this.#ways = patchList(this.#ways, ways);
    this.#placed.take(placed);
    this.#relations = relations;
  }

  /** The columns are copies, because changes overwrite those of the map. */
  extract(memory: BuildMemory = memoryOfOneBuild()): OsmExtract {
    const nodes = copyOf(this.#nodes.columns, memory.kept);
    const others = { ...nodes, nodeTags: this.#roadNodeTags, relations: this.#relations };
    return roadsOf(this.#placed.columns, (way) => this.#ways[way].tags, others, memory);
  }

  elements(): MapElements {
    return { nodes: this.#taggedNodes, ways: this.#ways, relations: this.#relations };
  }
}

function copyOf({ nodeIds, nodeLngE7, nodeLatE7 }: NodeColumns, into: Scratch): NodeColumns {
  const count = nodeIds.length;
  const copy = {
    nodeIds: into.float64('extract nodeIds', count),
    nodeLngE7: into.int32('extract nodeLngE7', count),
    nodeLatE7: into.int32('extract nodeLatE7', count),
  };
  copy.nodeIds.set(nodeIds);
  copy.nodeLngE7.set(nodeLngE7);
  copy.nodeLatE7.set(nodeLatE7);
  return copy;
}

function roadNodesOf(tagged: readonly TaggedNode[]): ReadonlyMap<number, Tags> {
  const roadNodes = new Map<number, Tags>();
  for (const { id, tags } of tagged) if (isRoadNode(tags)) roadNodes.set(id, tags);
  return roadNodes;
}

/** A way along those of its nodes that the map has. */
function drawn(
  id: number,
  tags: Tags,
  { wayIds, firstRef, refs, nodeOf }: PlacedWays,
  { nodeLngE7, nodeLatE7 }: NodeColumns,
): TaggedWay {
  const way = lowerBound(wayIds, id);
  const held = nodeOf.subarray(firstRef[way], firstRef[way + 1]).filter((node) => node >= 0);
  const lngLatE7 = new Int32Array(2 * held.length);
  for (const [i, node] of held.entries()) {
    lngLatE7[2 * i] = nodeLngE7[node];
    lngLatE7[2 * i + 1] = nodeLatE7[node];
  }
  return { id, tags, lngLatE7, ...endsOf(refs, firstRef[way], firstRef[way + 1]) };
}
