export const availabilityLimits = {
  /**
   * Days that an entry is cached after an event, at most until two days after its date; missing entries are
   * read from the database.
   */
  ttlMsMax: 366 * 86_400_000,
  pastDaysKept: 2,
  /** Entries written at the same time. */
  writesAtOnce: 200,
  /** Interval of reading the complete topic again, which repairs lost or wrong entries. */
  refreshEveryMs: 6 * 3_600_000,
  /** Interval of checking whether the cache has been emptied. */
  lookEveryMs: 2_000,
} as const;
