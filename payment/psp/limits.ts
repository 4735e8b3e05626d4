export const pspLimits = {
  /** For a whole round trip to the provider: connect, send, answer (D21). */
  timeoutMs: 5_000,
  /** Concurrent round trips; further ones wait, within their timeout. */
  connectionsMax: 32,
  answerBytesMax: 64 * 1024,
} as const;
