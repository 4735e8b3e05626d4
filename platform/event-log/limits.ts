const MIB = 2 ** 20;

/**
 * Bounds of both event logs. Kafka's broker defaults set the first; ours follow, so that a program fits
 * either log.
 */
export const eventLogLimits = {
  /**
   * Key, headers and value of one record together; Kafka's `message.max.bytes` leaves 12 bytes and the batch
   * header.
   */
  recordBytesMax: 1_000_000,
  keyBytesMax: 1_024,
  headersMax: 32,
  partitionsMax: 256,
  /**
   * Records and bytes that wait for durability. Past either `append` rejects with a retriable
   * `LogUnavailable`.
   */
  queuedRecordsMax: 100_000,
  queuedBytesMax: 64 * MIB,
  /** One commit of the embedded log, one produce request of the Kafka adapter. */
  commitRecordsMax: 10_000,
  commitBytesMax: 8 * MIB,
  /** How long `append` waits for durability before it rejects. */
  appendTimeoutMs: 10_000,
  /** A batch ends at whichever is reached first. */
  batchRecordsDefault: 500,
  batchRecordsMax: 10_000,
  batchBytesMax: 4 * MIB,
  /** Back-off of a batch that was rejected: doubles from the first to the second. */
  redeliveryFirstMs: 50,
  redeliveryLastMs: 5_000,
} as const;
