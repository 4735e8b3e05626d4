export const pruneLimits = {
  /** Longer than any build; one that died holds deleting up for so long. */
  buildMsMax: 24 * 3_600_000,
  /** A run ends after so long; what is left goes in the next. */
  pruneMsMax: 600_000,
  /**
   * A prune that died holds builds up for so long: the time for deleting, the last call's, and some for
   * clocks that differ.
   */
  believedMs: 900_000,
} as const;
