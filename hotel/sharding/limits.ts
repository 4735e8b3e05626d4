/** Bounds of the directory of hotels and of moves between servers. */
export const shardingLimits = {
  /** How old what a process knows of the directory may be. A move waits for so long. */
  staleMs: 300,
  /** How long a request waits for a hotel that is being moved; then it is `SqlUnavailable`. */
  waitMs: 4_000,
  /** Between two looks at a hotel that is being moved. */
  lookMs: 25,
  /** Ids of reservations whose hotel a process remembers. */
  rememberedMax: 100_000,
  /** How long the outbox of the old server may take to publish the events of a hotel during its pause. */
  drainMs: 3_000,
  /** Rows stay at the old server for so long, for reads that have begun. */
  graceMs: 5_000,
  /** Rows in one statement of a move. */
  rowsAtOnce: 2_000,
  /** A move whose program was silent for so long is continued by another one. */
  silentMs: 15_000,
  /** No attempt to make a reservation lasts longer: a statement, waiting for its batch and for a move. */
  claimSeconds: 60,
  purgeEveryMs: 3_600_000,
  /** A claim waits this long for others, which then share its statement. */
  gatherMs: 2,
  serversMax: 16,
} as const;
