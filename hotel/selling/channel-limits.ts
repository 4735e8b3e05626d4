export const channelLimits = {
  /** Days of room types in one message of the feed. */
  daysInMessage: 500,
  /** Room types × days of one page of a snapshot. */
  cellsInPage: 5_000,
  daysMax: 800,
} as const;
