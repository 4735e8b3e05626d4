export const settlementDefaults = {
  /** Files that one process receives at a time. */
  uploadsMax: 2,
  /** `Retry-After` of a file beyond them, and while a provider that is asked is away. */
  retryAfterS: 10,
  /** Providers that are asked for a day are asked this long after its end. */
  importAfterMs: 3_600_000,
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
  flatFeeMinorMax: 100n,
  /** The flat part for a dispute, which costs the provider work. */
  disputeFeeMinorMax: 50_00n,
  /**
   * For a statement over all lines: a million take some ten seconds on two cores, the most that are taken a
   * minute.
   */
  statementTimeoutMs: 1_800_000,
};

export type SettlementSettings = Readonly<typeof settlementDefaults>;
