export type Tags = ReadonlyMap<string, string>;

export interface OsmMember {
  readonly type: 'node' | 'way' | 'relation';
  readonly id: number;
  readonly role: string;
}

/** Receives the elements of an extract in file order. Coordinates are integers of 1e-7 degrees. */
export interface OsmSink {
  node(id: number, lngE7: number, latE7: number, tags: Tags | undefined): void;
  /** `refs` is only valid during the call. */
  way(id: number, refs: readonly number[], tags: Tags): void;
  relation(id: number, members: readonly OsmMember[], tags: Tags): void;
}

/**
 * The extract is incomplete or malformed. The message names the position and what to do; nothing was written.
 */
export class InvalidMapSource extends Error {
  override readonly name = 'InvalidMapSource';
}
