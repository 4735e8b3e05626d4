export const availabilityLimits = {
  /**
   * Days that are kept at most after an event, or until two days after they are over; what is gone is read
   * from the database.
   */
  ttlMsMax: 366 * 86_400_000,
  pastDaysKept: 2,
  /** Entries written at the same time. */
  writesAtOnce: 200,
  /** Interval of reading the complete topic again, so that a lost or wrong entry repairs itself. */
  refreshEveryMs: 6 * 3_600_000,
  /** Interval of checking whether the cache has been emptied. */
  lookEveryMs: 2_000,
} as const;
