import { lowerBound } from '../lower-bound.js';
import { changedNodes, changedRelations, changedWays } from './changed-elements.js';
import { findElement } from './find-element.js';
import { inOrderOfIds } from './in-order-of-ids.js';
import type { OsmChange } from './osm-change.js';
import { OsmColumns } from './osm-columns.js';
import { isRoadNode, type OsmExtract } from './osm-extract.js';
import type { Tags } from './osm-sink.js';
import { patchList } from './patch-list.js';
import { patchNodes } from './patch-nodes.js';
import { patchWays, placeAgain, waysThrough } from './patch-ways.js';
import type { NodeColumns, PlacedWays } from './placed-ways.js';
import { type MapSource, readMapSource } from './read-map-source.js';
import { roadsOf } from './roads-of.js';
import {
  endsOf,
  type MapElements,
  type TaggedNode,
  type TaggedRelation,
  type TaggedWay,
} from './tagged-elements.js';

/**
 * A map that stays in memory and takes changes. After a change it says what reading the changed extract from a file would say; an
 * element that is what it was is the same object as before, so that whoever keeps what he made of it knows by `===`. A way of
 * which a node moved is a new object. Lists and columns in which nothing changed are those of before too.
 */
export class OsmMap {
  #nodes: NodeColumns;
  #taggedNodes: readonly TaggedNode[];
  #roadNodeTags: ReadonlyMap<number, Tags>;
  #ways: readonly TaggedWay[];
  #placed: PlacedWays;
  #relations: readonly TaggedRelation[];
  #extract: OsmExtract | undefined;

  private constructor(columns: OsmColumns) {
    const { nodes, ways, relations } = columns.elements();
    this.#nodes = columns.nodes();
    this.#placed = columns.ways();
    this.#taggedNodes = nodes;
    this.#roadNodeTags = columns.roadNodeTags;
    this.#ways = ways;
    this.#relations = relations;
  }

  /** Throws `InvalidMapSource`, also for an extract that is not in the order of its ids. */
  static async read(source: MapSource, onProgress?: (done: number, total: number) => void): Promise<OsmMap> {
    const columns = new OsmColumns({ elements: true });
    await readMapSource(source, inOrderOfIds(columns.sink), onProgress);
    return new OsmMap(columns);
  }

  apply({ nodes: nodeChanges, ways: wayChanges, relations: relationChanges }: OsmChange): void {
    const patched = patchNodes(this.#nodes, nodeChanges);
    const { tags, refs } = changedWays(this.#ways, this.#placed, wayChanges);
    for (const at of waysThrough(this.#placed, patched)) {
      const way = this.#ways[at];
      if (!tags.has(way.id)) tags.set(way.id, way.tags);
    }
    const placed = patchWays(placeAgain(this.#placed, patched), refs, patched.nodes);
    const ways = new Map<number, TaggedWay | null>();
    for (const [id, ofWay] of tags) ways.set(id, ofWay && drawn(id, ofWay, placed, patched.nodes));
    const tagged = changedNodes(this.#taggedNodes, nodeChanges);
    const roadTags = (node: TaggedNode | null | undefined): Tags | undefined =>
      node && isRoadNode(node.tags) ? node.tags : undefined;
    const roadNodesChange = [...tagged].some(
      ([id, node]) => roadTags(node) !== roadTags(findElement(this.#taggedNodes, id)),
    );

    this.#nodes = patched.nodes;
    this.#taggedNodes = patchList(this.#taggedNodes, tagged);
    if (roadNodesChange) this.#roadNodeTags = roadNodesOf(this.#taggedNodes);
    this.#ways = patchList(this.#ways, ways);
    this.#placed = placed;
    this.#relations = patchList(this.#relations, changedRelations(this.#relations, relationChanges));
    this.#extract = undefined;
  }

  extract(): OsmExtract {
    this.#extract ??= roadsOf(this.#placed, (way) => this.#ways[way].tags, {
      ...this.#nodes,
      nodeTags: this.#roadNodeTags,
      relations: this.#relations,
    });
    return this.#extract;
  }

  elements(): MapElements {
    return { nodes: this.#taggedNodes, ways: this.#ways, relations: this.#relations };
  }
}

function roadNodesOf(tagged: readonly TaggedNode[]): ReadonlyMap<number, Tags> {
  const roadNodes = new Map<number, Tags>();
  for (const { id, tags } of tagged) if (isRoadNode(tags)) roadNodes.set(id, tags);
  return roadNodes;
}

/** A way along the nodes that the map holds of it. */
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
