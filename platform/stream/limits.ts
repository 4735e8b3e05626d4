export interface StreamLimits {
  /** Attempts at a record before it becomes a dead letter. */
  readonly attemptsMax: number;
  /** Waits between attempts double from the first to the last. */
  readonly backOffFirstMs: number;
  readonly backOffLastMs: number;
  readonly batchRecordsMax: number;
  /** Outputs that wait for the log; at the limit they are flushed before the next record is handled. */
  readonly pendingOutputsMax: number;
  /** A snapshot is taken after a batch if the last one is older; a crash replays at most this time. */
  readonly snapshotEveryMs: number;
  readonly snapshotBytesMax: number;
  /** An input partition without records for this long does not hold back the watermark. */
  readonly idleMs: number;
  /** Event times further ahead of our clock than this do not move the watermark. */
  readonly futureMaxMs: number;
  readonly lagEveryMs: number;
  /** Records that are no older need not wait for older ones of other inputs. */
  readonly liveMs: number;
  /** Longest wait for an input whose older records do not come. */
  readonly orderWaitMaxMs: number;
}

export const streamLimits: StreamLimits = {
  attemptsMax: 5,
  backOffFirstMs: 20,
  backOffLastMs: 2_000,
  batchRecordsMax: 500,
  pendingOutputsMax: 5_000,
  snapshotEveryMs: 5_000,
  snapshotBytesMax: 512 * 2 ** 20,
  idleMs: 10_000,
  futureMaxMs: 60_000,
  lagEveryMs: 2_000,
  liveMs: 1_000,
  orderWaitMaxMs: 10_000,
};
