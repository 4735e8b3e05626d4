import type { OsmMember, Tags } from '#schemas/osm-sink.js';

export interface TaggedWay {
  readonly id: number;
  readonly tags: Tags;
  /** [lng, lat, …] in 1e-7 degrees, without nodes that the extract lacks. */
  readonly lngLatE7: Int32Array;
  /** Closed: the first node is the last. */
  readonly ring: boolean;
  /** Of the first and last node. */
  readonly ends: readonly [number, number];
}

/** The nodes `refs[first]` to `refs[end − 1]` of a way. */
export function endsOf(
  refs: { readonly [at: number]: number },
  first: number,
  end: number,
): Pick<TaggedWay, 'ring' | 'ends'> {
  if (end === first) return { ring: false, ends: [0, 0] };
  const ends = [refs[first]!, refs[end - 1]!] as const;
  return { ring: end - first > 3 && ends[0] === ends[1], ends };
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
 * All tagged elements of an extract, in ascending order of ids, for the map and the geocoder. Also ways
 * without tags, because relations use them.
 */
export interface MapElements {
  readonly nodes: readonly TaggedNode[];
  readonly ways: readonly TaggedWay[];
  readonly relations: readonly TaggedRelation[];
}
