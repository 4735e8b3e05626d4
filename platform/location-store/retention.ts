export interface Retention {
  /** How long a point is kept after the ingest tier received it, milliseconds. */
  readonly retentionMs: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}
