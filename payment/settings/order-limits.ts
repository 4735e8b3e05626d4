/** Bounds of a request and of a round. What a deployment may choose is in `settings.ts`. */
export const orderLimits = {
  infoBytesMax: 4_096,
  idempotencyKeyLengthMax: 255,
  /**
   * Orders that one round of the background job takes at most; the next round comes at once when it was full.
   */
  dueBatchMax: 64,
  outboxBatchMax: 500,
  /** Old messages that one statement deletes. */
  forgottenAtOnce: 5_000,
  deadLetterPageMax: 200,
} as const;
