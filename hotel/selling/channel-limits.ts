export const channelLimits = {
  /** Days of room types in one message of the feed. */
  daysInMessage: 500,
  /** Room types × days of one page of a snapshot. */
  cellsInPage: 5_000,
  daysMax: 800,
  /** Changed days of one hotel that a round publishes; the next round takes the rest. */
  pendingAtOnce: 2_000,
  /** A hotel whose delta failed waits this long, twice as long each time. */
  retryMs: 500,
  retryMsMax: 60_000,
} as const;
