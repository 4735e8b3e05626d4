import type { OsmMember, Tags } from '#schemas/osm-sink.js';

export interface ChangedNode {
  readonly lngE7: number;
  readonly latE7: number;
  /** Undefined where it has none. */
  readonly tags: Tags | undefined;
}

export interface ChangedWay {
  readonly refs: readonly number[];
  readonly tags: Tags;
}

export interface ChangedRelation {
  readonly members: readonly OsmMember[];
  readonly tags: Tags;
}

/**
 * The state of elements after a change, by id; null if they are removed. If an element changes several times,
 * the last version counts. A change may list elements that a map lacks: removed ones are skipped, the others
 * are added.
 */
export interface OsmChange {
  readonly nodes: ReadonlyMap<number, ChangedNode | null>;
  readonly ways: ReadonlyMap<number, ChangedWay | null>;
  readonly relations: ReadonlyMap<number, ChangedRelation | null>;
}
