export const pruneLimits = {
  /** Longer than any build; a build that died blocks deletion for this long. */
  buildMsMax: 24 * 3_600_000,
  /** A run ends after this long; the rest is left for the next one. */
  pruneMsMax: 600_000,
  /**
   * A prune that died blocks builds for this long: the time for deleting, for the last call, and a margin for
   * clocks that differ.
   */
  believedMs: 900_000,
} as const;
