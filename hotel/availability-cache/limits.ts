export const availabilityLimits = {
  /**
   * Days that are kept at most after an event, or until two days after they are over; what is gone is read
   * from the database.
   */
  ttlMsMax: 366 * 86_400_000,
  pastDaysKept: 2,
  /** Entries written at the same time. */
  writesAtOnce: 200,
  /**
   * The whole topic is read again so often, so that an entry that was lost or spoilt is right again by
   * itself.
   */
  refreshEveryMs: 6 * 3_600_000,
  /** Whether the cache has been emptied is looked up so often. */
  lookEveryMs: 2_000,
} as const;
