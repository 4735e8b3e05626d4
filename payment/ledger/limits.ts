export const ledgerLimits = {
  /** Postings of one call, two for each leg. */
  postingsMax: 1_000,
  legsPerTransferMax: 100,
  /** Transfers that wait in a `PostingBatcher`; further ones are refused. */
  queuedMax: 10_000,
  /** Accounts that a poster caches between batches; when there are more, the whole cache is discarded. */
  cachedAccountsMax: 50_000,
  /** Ids of accounts with a cached description; when there are more, the whole cache is discarded. */
  describedAccountsMax: 50_000,
  accountIdLengthMax: 96,
  subjectLengthMax: 64,
  operationLengthMax: 96,
  causeLengthMax: 160,
  /** 15 digits at the edge; the ledger itself has room for 10^18. */
  amountMinorMax: 10n ** 15n,
  /** Faults that a verification names; it counts all of them. */
  faultsNamedMax: 100,
} as const;
