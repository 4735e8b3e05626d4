import type { MapElements, TaggedNode, TaggedRelation, TaggedWay } from '../osm/map-elements.js';
import { isFerry } from '../osm/osm-extract.js';
import type { Tags } from '../osm/osm-sink.js';

/** Of an extract what tells of places, addresses and roads, each list in ascending order of ids. */
export interface TellingElements {
  readonly nodes: readonly TaggedNode[];
  readonly ways: readonly TaggedWay[];
  readonly relations: readonly TaggedRelation[];
  /** Roads and ferries with two points or more, whoever may use them. */
  readonly roads: readonly TaggedWay[];
  /** Lines of `addr:interpolation`. */
  readonly numberLines: readonly TaggedWay[];
  /** Everything, to look up members of relations. */
  readonly all: MapElements;
}

/** Looks once at each element: most are buildings and fields of which nobody asks. */
export function tellingElements(all: MapElements): TellingElements {
  const ways: TaggedWay[] = [];
  const roads: TaggedWay[] = [];
  const numberLines: TaggedWay[] = [];
  for (const way of all.ways) {
    const { tags, lngLatE7 } = way;
    if (tags.size === 0 || lngLatE7.length === 0) continue;
    if (lngLatE7.length >= 4 && (tags.has('highway') || isFerry(tags))) roads.push(way);
    if (tellsOfPlace(tags)) ways.push(way);
    if (tags.has('addr:interpolation')) numberLines.push(way);
  }
  return {
    nodes: all.nodes.filter(({ tags }) => tellsOfPlace(tags)),
    ways,
    relations: all.relations.filter(({ tags }) => tags.get('type') === 'multipolygon' && tellsOfPlace(tags)),
    roads,
    numberLines,
    all,
  };
}

/** What people look for although it has no name is an amenity or a shop. */
const tellingKeys = ['name', 'addr:housenumber', 'amenity', 'shop', 'place', 'addr:country'] as const;

const tellsOfPlace = (tags: Tags): boolean => tellingKeys.some((key) => tags.has(key));

/** By id, in which they are ordered. */
export function wayById(ways: readonly TaggedWay[], id: number): TaggedWay | undefined {
  let low = 0;
  let high = ways.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ways[middle].id < id) low = middle + 1;
    else high = middle;
  }
  return ways[low]?.id === id ? ways[low] : undefined;
}
