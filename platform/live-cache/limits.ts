export const liveCacheLimits = {
  /** Of keys and channels, in characters. */
  nameLengthMax: 512,
  /** Of values and messages, in characters. */
  valueLengthMax: 1024 * 1024,
  ttlMsMax: 366 * 24 * 60 * 60 * 1000,
  /** In process: when either is reached, the least recently used entry is evicted. */
  entriesMax: 100_000,
  charactersMax: 32 * 1024 * 1024,
  /** Redis: an answer that takes longer is a failure; the caller continues without the cache. */
  commandTimeoutMs: 1_000,
  /** Redis: more commands without an answer than this fail at once. */
  pendingCommandsMax: 10_000,
  reconnectDelayMsMax: 1_000,
} as const;
