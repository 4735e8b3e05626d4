export const paymentGroupLimits = {
  /** A capture with its fees has three legs of two postings, and one call of the ledger takes 1,000. */
  batchRecordsMax: 160,
  /** How often the wallet looks again for what the ledger books at the same time, before the batch is tried anew. */
  looksMax: 50,
  lookEveryMs: 10,
} as const;
