/** Bounds of a request, a round and a wait. What a deployment may choose is in `settings.ts`. */
export const orderLimits = {
  idLengthMax: 64,
  infoBytesMax: 4_096,
  infoDepthMax: 4,
  accountLengthMax: 64,
  idempotencyKeyLengthMax: 255,
  reasonLengthMax: 200,
  bodyBytesMax: 64 * 1024,
  webhookBytesMax: 64 * 1024,
  /**
   * Orders that one round of the background job takes at most; the next round comes at once when it was full.
   */
  dueBatchMax: 64,
  /** Calls to the provider that one process has in flight for due orders. */
  dueConcurrency: 8,
  outboxBatchMax: 500,
  /** Old messages that one statement deletes. */
  forgottenAtOnce: 5_000,
  deadLetterPageMax: 200,
  /** How long the buyer may pay the order in the place of one that used up its retries. */
  redrivenMs: 24 * 3_600_000,
} as const;
