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
 * What elements are after a change, by id; null where they are gone. Of an element that is changed several
 * times the last counts. A change may name elements that a map does not hold: those that are gone are passed
 * over, the others come new.
 */
export interface OsmChange {
  readonly nodes: ReadonlyMap<number, ChangedNode | null>;
  readonly ways: ReadonlyMap<number, ChangedWay | null>;
  readonly relations: ReadonlyMap<number, ChangedRelation | null>;
}
