export const merchantLimits = {
  pageDefault: 50,
  pageMax: 200,
  /**
   * Payments or entries that one page looks at when a filter must be checked row by row. The page may then
   * hold fewer than its limit, and `next` continues behind the last one that was looked at.
   */
  examinedMax: 5_000,
  /** Entries of one statement; a longer one is refused with 422. */
  statementEntriesMax: 10_000,
  /** Payments in one answer of the export; the header `link` names the next one. */
  exportRowsMax: 10_000,
  /** Batches of the ledger that one step of the index of entries reads. */
  indexBatchesMax: 500,
  /** Steps that a request waits for before it answers 503. */
  indexStepsMax: 40,
} as const;
