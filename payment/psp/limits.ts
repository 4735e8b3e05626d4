export const pspLimits = {
  /** For a whole round trip to the provider: connect, send, answer (D21). */
  timeoutMs: 5_000,
  /** Concurrent round trips; further ones wait, within their timeout. */
  connectionsMax: 32,
  answerBytesMax: 64 * 1024,
  /** Failed calls after which a provider rests, and for how long. */
  failuresInARowMax: 5,
  restMs: 30_000,
  /** Rules of `PAYMENT_ROUTES`. */
  routingRulesMax: 32,
} as const;
