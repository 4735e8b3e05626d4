import type { BuildMemory } from '#map-data/arrays/build-memory.js';
import type { Tags } from '#schemas/osm-sink.js';
import { openAreas } from './open-areas.js';
import { isRestriction, isRoad, type OsmExtract, rememberNodesOfRefs } from './osm-extract.js';
import type { NodeColumns, PlacedWays } from './placed-ways.js';
import { routeDirections } from './route-directions.js';
import { statedManeuvers } from './stated-maneuvers.js';
import type { TaggedRelation } from './tagged-elements.js';

interface Others extends NodeColumns, Pick<OsmExtract, 'nodeTags'> {
  readonly relations: readonly TaggedRelation[];
}

/** The roads of a map in the order of its ways, with known node indices. */
export function roadsOf(
  placed: PlacedWays,
  tagsOf: (way: number) => Tags,
  { relations, ...nodes }: Others,
  { scratch, kept }: BuildMemory,
): OsmExtract {
  const { wayIds, firstRef, refs, nodeOf } = placed;
  const wayTags: Tags[] = [];
  const roads = scratch.uint32('roads', wayIds.length);
  let refCount = 0;
  for (let way = 0; way < wayIds.length; way++) {
    const tags = tagsOf(way);
    const count = firstRef[way + 1] - firstRef[way];
    if (!isRoad(count, tags)) continue;
    roads[wayTags.length] = way;
    wayTags.push(tags);
    refCount += count;
  }
  const extract = {
    ...nodes,
    wayIds: kept.float64('extract wayIds', wayTags.length),
    wayTags,
    firstRef: kept.uint32('extract firstRef', wayTags.length + 1),
    refs: kept.float64('extract refs', refCount),
    restrictions: relations.filter(({ tags }) => isRestriction(tags)),
    directions: routeDirections(relations),
    maneuvers: statedManeuvers(relations),
    areas: openAreas(placed, tagsOf, roads.subarray(0, wayTags.length), relations),
  };
  const roadNodes = kept.int32('extract nodeOf', refCount);
  let at = 0;
  for (let i = 0; i < wayTags.length; i++) {
    const way = roads[i];
    extract.wayIds[i] = wayIds[way];
    extract.firstRef[i] = at;
    for (let ref = firstRef[way]; ref < firstRef[way + 1]; ref++) {
      extract.refs[at] = refs[ref];
      roadNodes[at++] = nodeOf[ref];
    }
  }
  extract.firstRef[wayTags.length] = at;
  rememberNodesOfRefs(extract, roadNodes);
  return extract;
}
