/**
 * What a processor counts and measures. Labels are topics of the contracts and reasons of the steps: small
 * closed sets.
 */
export interface StreamGauges {
  /** Counts of this topic are shown from now on, beginning at 0, so that alerts see the first one. */
  begin?(topic: string): void;
  records(topic: string, count: number): void;
  dropped(topic: string, reason: string): void;
  deadLettered(topic: string): void;
  /** A failed attempt at a record or a batch that will be retried. */
  retried(topic: string): void;
  /** Records that wait, over the partitions of this process. */
  lag(topic: string, records: number): void;
  /** Unix milliseconds of event time up to which the inputs are complete. */
  watermark(eventTimeMs: number): void;
}

export const silentGauges: StreamGauges = {
  records: () => {},
  dropped: () => {},
  deadLettered: () => {},
  retried: () => {},
  lag: () => {},
  watermark: () => {},
};
