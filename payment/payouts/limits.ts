export const payoutLimits = {
  /** Pay-outs that one transaction of a run creates; each is one leg of the ledger's call. */
  createdAtOnceMax: 200,
  /** Pay-outs that one round of the runner takes. */
  takenAtOnceMax: 50,
  /** A pay-out that was taken comes back after this time when the process that took it has died. */
  takenForMs: 60_000,
  /** The wait before attempt n + 1 is random below `retryDelayMs · 2^n`. */
  retryDelayMs: 1_000,
  retryDelayMsMax: 15 * 60_000,
  pageMax: 200,
} as const;
