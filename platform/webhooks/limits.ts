const hourMs = 3_600_000;

/** What a deployment may choose for its merchants. */
export const deliveryTimes = {
  /** For a whole delivery: resolve, connect, send, answer. */
  timeoutMs: 10_000,
  /** Longer than `timeoutMs`: a delivery whose process died is made again after this time. */
  leaseMs: 30_000,
  /** A delivery that has not succeeded in this time is given up. */
  retryForMs: 72 * hourMs,
  /** After the last one, each further wait is as long. With jitter of up to a tenth. */
  retryAfterMs: [
    ...[5_000, 30_000, 120_000, 600_000, 1_800_000],
    ...[hourMs, 2 * hourMs, 4 * hourMs, 8 * hourMs],
  ] as readonly number[],
  /** An answer that took longer counts as slow. */
  slowMs: 2_000,
  /** How long the previous secret still signs. */
  oldSecretMs: 24 * hourMs,
  /** Events, deliveries and attempts are kept this long. */
  keptMs: 30 * 24 * hourMs,
};

export type DeliveryTimes = Readonly<typeof deliveryTimes>;

export const webhookLimits = {
  endpointsPerOwnerMax: 16,
  urlLengthMax: 2_048,
  /** Deliveries to one endpoint at a time, over all processes; one while its last answer was slow or bad. */
  perEndpointMax: 4,
  perSlowEndpointMax: 1,
  /**
   * Deliveries of one process at a time. Slow and failing endpoints have a lane of their own, so they never
   * take a place of the others.
   */
  laneMax: 64,
  slowLaneMax: 32,
  /** Deliveries that wait for one endpoint; further events are stored, but only replayed by its owner. */
  waitingMax: 100_000,
  /** Events that one replay sends again. */
  replayMax: 10_000,
  /** Of an answer, to read and to keep. */
  answerBytesMax: 1_024,
  answerKeptMax: 256,
  forgottenAtOnce: 5_000,
  /** Endpoints that one round looks at. */
  dueEndpointsMax: 1_000,
} as const;
