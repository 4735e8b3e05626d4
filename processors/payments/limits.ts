export const paymentGroupLimits = {
  /** A capture with its fees has three legs of two postings, and one call of the ledger takes 1,000. */
  batchRecordsMax: 160,
  /**
   * One transaction at a time: the ledger lets in one poster, and what comes meanwhile makes the next one
   * worth its while.
   */
  gathering: { atOnce: 1, batchMax: 160 },
  /**
   * How often the wallet checks again for what the ledger books at the same time, before the batch is
   * repeated.
   */
  looksMax: 50,
  lookEveryMs: 20,
} as const;
