const dayMs = 86_400_000;

/** Bounds of receipts by e-mail. */
export const receiptLimits = {
  /** Letters that a process takes and sends at once. */
  lettersAtOnce: 10,
  /** A letter whose process died is sent again after this time: longer than one takes at its slowest. */
  leaseMs: 120_000,
  /** Doubled with each attempt, up to `retryMsMax`. */
  retryMs: 15_000,
  retryMsMax: 4 * 3_600_000,
  /** The last one is about a day after the first. */
  attemptsMax: 16,
  /** A letter that waits for longer, for example while no mail server is configured, is given up. */
  waitsMs: 3 * dayMs,
} as const;
