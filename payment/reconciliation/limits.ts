export const reconciliationLimits = {
  lineBytesMax: 512,
  linesMax: 5_000_000,
  idLengthMax: 64,
  periodDaysMax: 31,
  /** Lines that one statement stores. */
  linesAtOnce: 5_000,
  /** Findings whose adjustments one transaction posts; each has at most two legs. */
  adjustedAtOnce: 200,
  /** For the join; PostgreSQL takes it from the connection's own memory. */
  joinMemory: '192MB',
  pageMax: 200,
  reasonLengthMax: 1_000,
  /** Why a late file is accepted; percent-encoded it fits into a URL in any script. */
  lateReasonLengthMax: 200,
} as const;
