export const payoutLimits = {
  /** Pay-outs that one transaction of a run creates; each is one leg of the ledger's call. */
  createdAtOnceMax: 200,
  /** Pay-outs that one round of the runner takes. */
  takenAtOnceMax: 50,
  /** A claimed payout is due again after this time, if the process that claimed it has died. */
  takenForMs: 60_000,
  /** The wait before attempt n + 1 is random below `retryDelayMs · 2^n`. */
  retryDelayMs: 1_000,
  retryDelayMsMax: 15 * 60_000,
  /** Schedules that one round runs, each in a transaction. */
  schedulesAtOnceMax: 200,
  pageMax: 200,
} as const;
