export const pspLimits = {
  /** For a whole round trip to the provider: connect, send, answer (D21). */
  timeoutMs: 5_000,
  /** Exchanges at the same time; one more waits, within its time-out. */
  connectionsMax: 32,
  answerBytesMax: 64 * 1024,
} as const;
