/** Bounds of group blocks. `schemas/http/hotel-blocks.ts` has the same, and a test compares them. */
export const blockLimits = {
  /** Open blocks of a hotel; further ones are refused. */
  openMax: 200,
  typesMax: 50,
  roomsMax: 2_000,
  nightsMax: 31,
  listMax: 200,
  /** Blocks released in one transaction. */
  releaseBatch: 20,
} as const;
