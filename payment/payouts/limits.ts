export const payoutLimits = {
  /** Pay-outs that one transaction of a run creates; each is one leg of the ledger's call. */
  createdAtOnceMax: 200,
  /** Pay-outs that one round of the runner takes. */
  takenAtOnceMax: 50,
  /** Schedules that one round runs, each in a transaction. */
  schedulesAtOnceMax: 200,
} as const;
