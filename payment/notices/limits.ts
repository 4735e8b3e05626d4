export const noticeLimits = {
  mailsAtOnce: 20,
  /** A claimed letter is left alone for this long: longer than a batch of them takes at its slowest. */
  mailLeaseMs: 300_000,
  /** Doubled with each try. */
  mailRetryMs: 30_000,
  /** The last one is half a day after the first. */
  mailAttemptsMax: 11,
} as const;
