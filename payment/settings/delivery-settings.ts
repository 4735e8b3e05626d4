/** Calls to providers. */
export const providerDefaults = {
  /** For a whole round trip to the provider: connect, send, answer (D21). */
  timeoutMs: 5_000,
  /** Concurrent round trips; further ones wait, within their timeout. */
  connectionsMax: 32,
  /** Failed calls after which a provider rests, and for how long. */
  failuresInARowMax: 5,
  restMs: 30_000,
};

export type ProviderSettings = Readonly<typeof providerDefaults>;

export const disputeDefaults = {
  /** Longer than all calls of one answer take, so that two processes never send the same one. */
  leaseMs: 60_000,
  /** Texts and documents are erased so long after the end of their dispute. */
  keptAfterEndMs: 90 * 24 * 3_600_000,
};

export type DisputeSettings = Readonly<typeof disputeDefaults>;

export const payoutDefaults = {
  /** A claimed payout is due again after this time, if the process that claimed it has died. */
  leaseMs: 60_000,
  /** The wait before attempt n + 1 is random below `retryMs · 2^n`, and below `retryMsMax`. */
  retryMs: 1_000,
  retryMsMax: 15 * 60_000,
  /** A payout that is still open then raises one alert. */
  overdueMs: 3 * 24 * 3_600_000,
};

export type PayoutSettings = Readonly<typeof payoutDefaults>;

export const mailDefaults = {
  /** A claimed letter is left alone for this long: longer than a batch of them takes at its slowest. */
  leaseMs: 300_000,
  /** Doubled with each try. */
  retryMs: 30_000,
  /** The last one is half a day after the first. */
  attemptsMax: 11,
};

export type MailSettings = Readonly<typeof mailDefaults>;
