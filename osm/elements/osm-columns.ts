import { type BuildMemory, memoryOfOneBuild } from '#map-data/arrays/build-memory.js';
import type { OsmSink, Tags } from '#schemas/osm-sink.js';
import { growingFloat64, growingInt32, growingUint32 } from './growing-array.js';
import { isRoadNode, nodesOfRefs, type OsmExtract } from './osm-extract.js';
import type { NodeColumns, PlacedWays } from './placed-ways.js';
import { roadsOf } from './roads-of.js';
import { sortNodes } from './sort-nodes.js';
import {
  endsOf,
  type MapElements,
  type TaggedNode,
  type TaggedRelation,
  type TaggedWay,
} from './tagged-elements.js';

/**
 * An extract in columns, for roads and for the map; each node and way is stored once. `RoadColumns` has the
 * roads alone, in a third of the memory.
 */
export class OsmColumns {
  readonly sink: OsmSink;
  readonly #nodeIds = growingFloat64();
  readonly #lngs = growingInt32();
  readonly #lats = growingInt32();
  readonly #taggedNodes: TaggedNode[] = [];
  /** As `OsmExtract` has them. */
  readonly roadNodeTags = new Map<number, Tags>();
  readonly #wayIds = growingFloat64();
  readonly #wayTags: Tags[] = [];
  readonly #firstRef = growingUint32();
  readonly #refs = growingFloat64();
  readonly #relations: TaggedRelation[] = [];
  #ascending = true;
  #lastNode = Number.NEGATIVE_INFINITY;
  #nodes: NodeColumns | undefined;
  #ways: PlacedWays | undefined;

  constructor() {
    this.sink = {
      node: (id, lngE7, latE7, tags) => {
        if (id <= this.#lastNode) this.#ascending = false;
        this.#lastNode = id;
        this.#nodeIds.push(id);
        this.#lngs.push(lngE7);
        this.#lats.push(latE7);
        if (tags === undefined) return;
        this.#taggedNodes.push({ id, tags, lngE7, latE7 });
        if (isRoadNode(tags)) this.roadNodeTags.set(id, tags);
      },
      way: (id, nodes, tags) => {
        this.#wayIds.push(id);
        this.#wayTags.push(tags);
        this.#firstRef.push(this.#refs.length);
        for (let i = 0; i < nodes.length; i++) this.#refs.push(nodes[i]!);
      },
      relation: (id, members, tags) => {
        this.#relations.push({ id, members, tags });
      },
    };
  }

  /** Roads in the order of the file. Valid when the reader has finished. */
  extract(memory: BuildMemory = memoryOfOneBuild()): OsmExtract {
    const others = { ...this.nodes(), nodeTags: this.roadNodeTags, relations: this.#relations };
    return roadsOf(this.ways(), (way) => this.#wayTags[way], others, memory);
  }

  /** All tagged elements, ascending by id. Valid when the reader has finished. */
  elements(): MapElements {
    const { refs, firstRef, wayIds, nodeOf } = this.ways();
    const { nodeLngE7, nodeLatE7 } = this.nodes();
    const lines = new Int32Array(2 * refs.length);
    const ways: TaggedWay[] = [];
    let start = 0;
    for (let way = 0; way < wayIds.length; way++) {
      const first = firstRef[way]!;
      const end = firstRef[way + 1]!;
      let at = start;
      for (let ref = first; ref < end; ref++) {
        const node = nodeOf[ref]!;
        if (node < 0) continue;
        lines[at++] = nodeLngE7[node]!;
        lines[at++] = nodeLatE7[node]!;
      }
      ways.push({
        id: wayIds[way]!,
        tags: this.#wayTags[way]!,
        lngLatE7: lines.subarray(start, at),
        ...endsOf(refs, first, end),
      });
      start = at;
    }
    return {
      nodes: this.#taggedNodes.toSorted(byId),
      ways: ways.sort(byId),
      relations: this.#relations.toSorted(byId),
    };
  }

  /** All ways in the order of the file. Valid when the reader has finished. */
  ways(): PlacedWays {
    if (this.#ways === undefined) {
      this.#firstRef.push(this.#refs.length);
      const refs = this.#refs.trimmed();
      this.#ways = {
        wayIds: this.#wayIds.trimmed(),
        firstRef: this.#firstRef.trimmed(),
        refs,
        nodeOf: nodesOfRefs({ refs, nodeIds: this.nodes().nodeIds }),
      };
    }
    return this.#ways;
  }

  /** All nodes, ascending by id. Valid when the reader has finished. */
  nodes(): NodeColumns {
    if (this.#nodes === undefined) {
      const nodes = {
        nodeIds: this.#nodeIds.trimmed(),
        nodeLngE7: this.#lngs.trimmed(),
        nodeLatE7: this.#lats.trimmed(),
      };
      this.#nodes = this.#ascending ? nodes : sortNodes(nodes);
    }
    return this.#nodes;
  }
}

const byId = (a: { readonly id: number }, b: { readonly id: number }): number => a.id - b.id;
