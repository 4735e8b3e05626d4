/** Bounds of the map tiles, with what happens at each. */
export const mapTileLimits = {
  /** Deepest zoom that is prepared and served. */
  zoomMax: 16,
  /** A larger block is refused with the advice to build fewer zooms. */
  blockBytesMax: 64 * 2 ** 20,
  /** Members of a relation; one with more is no polygon of a street map and is skipped and counted. */
  relationMembersMax: 20_000,
  /** Characters of a name; the rest is cut off, since no map has room for it. */
  nameLengthMax: 120,
  /** Blocks in a reader's cache; the least recently used one is evicted. */
  openBlockBytesMax: 64 * 2 ** 20,
  /** Cached backgrounds of a long-running builder, 256 KiB each; the least recently used one is evicted. */
  keptGrounds: 64,
  manifestBytesMax: 32 * 2 ** 20,
  /** Tiles that a rebuild marks one by one; beyond this, everything is built. */
  touchedTilesMax: 2 ** 20,
  /**
   * Features of one square that is drawn by another machine, in gzip and without; a larger one is refused
   * with advice.
   */
  squareInputBytesMax: 64 * 2 ** 20,
  squareInputPlainBytesMax: 480 * 2 ** 20,
  /** How long a build over the log waits without any finished square before it fails. */
  squareSilenceMs: 30 * 60_000,
} as const;
