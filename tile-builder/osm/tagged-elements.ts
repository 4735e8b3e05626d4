import type { OsmMember, Tags } from './osm-sink.js';

export interface TaggedWay {
  readonly id: number;
  readonly tags: Tags;
  /** [lng, lat, …] in 1e-7 degrees; nodes that the extract does not hold are left out. */
  readonly lngLatE7: Int32Array;
  /** Closed: the first node is the last. */
  readonly ring: boolean;
  /** Of the first and last node. */
  readonly ends: readonly [number, number];
}

export interface TaggedNode {
  readonly id: number;
  readonly tags: Tags;
  readonly lngE7: number;
  readonly latE7: number;
}

export interface TaggedRelation {
  readonly id: number;
  readonly tags: Tags;
  readonly members: readonly OsmMember[];
}

/**
 * Everything of an extract that carries tags, in ascending order of ids: what the map shows and the geocoder knows. Ways
 * without tags are there too: relations are drawn with them.
 */
export interface MapElements {
  readonly nodes: readonly TaggedNode[];
  readonly ways: readonly TaggedWay[];
  readonly relations: readonly TaggedRelation[];
}
