/** Of the trace from an entry of the ledger to its payments, and back. */
export const traceLimits = {
  /** Postings of a seller and lines of a settlement file that are read for the payments behind an entry. */
  behindEntriesMax: 1_000,
  behindLinesMax: 5_000,
  /** Files that are read for one payment. */
  filesMax: 100,
  linesMax: 200,
  payoutsMax: 200,
  entriesMax: 1_000,
} as const;
