import { type BuildMemory, memoryOfOneBuild } from '#map-data/arrays/build-memory.js';
import type { OsmSink, Tags } from '#schemas/osm-sink.js';
import { areaMembers } from './open-areas.js';
import {
  isOpenRelation,
  isRestriction,
  isRoad,
  isRoadNode,
  isRoadRoute,
  nodesOfRefs,
  type OsmExtract,
} from './osm-extract.js';
import { PackedNodes } from './packed-nodes.js';
import { PackedWays } from './packed-ways.js';
import { roadsOf } from './roads-of.js';
import { isManeuver } from './stated-maneuvers.js';
import type { TaggedRelation } from './tagged-elements.js';

const noTags: Tags = new Map();

/**
 * The roads of an extract, to be built once. Which ways belong to areas and which nodes to roads is known at
 * the end of a file: until then nodes and ways are packed. Only the tags of roads are kept.
 */
export class RoadColumns {
  readonly sink: OsmSink;
  #read: Read | undefined = {
    nodes: new PackedNodes(),
    nodeTags: new Map(),
    ways: new PackedWays(),
    roadTags: [],
    relations: [],
  };

  constructor() {
    // The sink holds none of it, so that all is free when the extract was taken.
    this.sink = {
      node: (id, lngE7, latE7, tags) => {
        const { nodes, nodeTags } = this.#read!;
        nodes.push(id, lngE7, latE7);
        if (tags !== undefined && isRoadNode(tags)) nodeTags.set(id, tags);
      },
      way: (id, refs, tags) => {
        const { ways, roadTags } = this.#read!;
        const isOne = isRoad(refs.length, tags);
        ways.push(id, refs, isOne);
        if (isOne) roadTags.push(tags);
      },
      relation: (id, members, tags) => {
        if ([isRestriction, isRoadRoute, isManeuver, isOpenRelation].some((is) => is(tags)))
          this.#read!.relations.push({ id, members, tags });
      },
    };
  }

  /**
   * Roads in the order of the file, with the nodes that they and the areas have. Once, when the reader has
   * finished: nothing is kept here.
   */
  extract(memory: BuildMemory = memoryOfOneBuild()): OsmExtract {
    if (this.#read === undefined) throw new Error('the roads were taken before');
    const { nodes, nodeTags, ways, roadTags, relations } = this.#read;
    this.#read = undefined;
    const { roads, ...taken } = ways.roadsAnd(areaMembers(relations));
    const places = nodes.withIds(taken.refs.slice().sort());
    const placed = { ...taken, nodeOf: nodesOfRefs({ refs: taken.refs, nodeIds: places.nodeIds }) };
    const tags: Tags[] = [];
    for (let way = 0; way < taken.wayIds.length; way++) tags.push(noTags);
    for (const [i, way] of roads.entries()) tags[way] = roadTags[i]!;
    return roadsOf(placed, (way) => tags[way]!, { ...places, nodeTags, relations }, memory);
  }
}

interface Read {
  readonly nodes: PackedNodes;
  /** As `OsmExtract` has them. */
  readonly nodeTags: Map<number, Tags>;
  readonly ways: PackedWays;
  readonly roadTags: Tags[];
  readonly relations: TaggedRelation[];
}
