export const reconciliationLimits = {
  lineBytesMax: 512,
  linesMax: 5_000_000,
  /** Files that one process receives at a time. */
  uploadsMax: 2,
  idLengthMax: 64,
  periodDaysMax: 31,
  /** Providers that are asked for a day are asked this long after its end, and again when it failed. */
  importAfterMs: 3_600_000,
  importEveryMs: 600_000,
  /** Lines that one statement stores. */
  linesAtOnce: 5_000,
  /** Findings whose adjustments one transaction posts; each has at most two legs. */
  adjustedAtOnce: 200,
  /** An operation this many days before the period that is in no file yet is reported as missing. */
  lookbackDays: 7,
  /** What a provider that names the parts of its payouts has not paid by then is missing. */
  payoutDueDays: 14,
  /** What we booked in the last moments of a period may be in the next file by the provider's clock. */
  clockToleranceMs: 5 * 60_000,
  /**
   * A person decides on a fee above this share of the amount and a flat part in minor units; others are
   * booked automatically.
   */
  feePercentMax: 10,
  flatFeeMinorMax: 100,
  /** The flat part for a dispute, which costs the provider work. */
  disputeFeeMinorMax: 5_000,
  /**
   * For a statement over all lines: a million take some ten seconds on two cores, the most that are taken a
   * minute.
   */
  statementTimeoutMs: 1_800_000,
  /** For the join; PostgreSQL takes it from the connection's own memory. */
  joinMemory: '192MB',
  pageMax: 200,
  reasonLengthMax: 1_000,
  /** Why a late file is accepted; percent-encoded it fits into a URL in any script. */
  lateReasonLengthMax: 200,
} as const;
