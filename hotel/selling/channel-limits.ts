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
  /** How far the time of a signed request may be from ours. */
  requestToleranceMs: 300_000,
  /** Requests for the state that one endpoint may make in `requestWindowMs`. */
  requestsInWindow: 4,
  requestWindowMs: 3_600_000,
  /** Longer than a signature is valid, so that a repeated request is known. */
  requestKeptMs: 24 * 3_600_000,
} as const;
