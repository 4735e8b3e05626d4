export const paymentGroupLimits = {
  /** A capture with its fees has three legs of two postings, and one call of the ledger takes 1,000. */
  batchRecordsMax: 160,
  /** Events are delivered again from the last commit on, which is seldom further back than some batches. */
  eventsSeenMax: 10_000,
} as const;
