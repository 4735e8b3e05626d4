const dayMs = 24 * 60 * 60 * 1000;

export const locationStoreLimits = {
  dayMs,
  /** A point is kept for this long after the ingest server received it. */
  retentionMsDefault: 30 * dayMs,
  pageLocationsMax: 1_000,
  userIdLengthMax: 128,
  /** The difference of two such times, zigzagged, is still an exact number. */
  timestampMsMax: 2 ** 51,
  /** A page may be requested up to the maximum `Date`. */
  pageBoundMsMax: 8.64e15,
  latE7Max: 900_000_000,
  lngE7Max: 1_800_000_000,
  /** LMDB: points of one block; about 1 KB, so that a block never leaves the leaf page of the tree. */
  blockPointsMax: 128,
  /** LMDB: partitions that one transaction changes; the event loop is held for a millisecond or two. */
  transactionPartitionsMax: 128,
  sweepIntervalMs: 60 * 60 * 1000,
  /** Cassandra warns above 5 KB of a batch and refuses above 50. */
  statementBytesMax: 4_000,
  statementsInFlightMax: 32,
  /** Cassandra: the longest time to live that it accepts, 20 years. */
  ttlSecondsMax: 630_720_000,
  connectTimeoutMs: 4_000,
  requestTimeoutMs: 10_000,
} as const;
