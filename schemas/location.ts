import type { LocationColumnName } from './location-fields.js';
import type { UserId } from './units.js';

/** The columns that every point has. */
interface RequiredColumns {
  readonly count: number;
  /** 1e-7 degrees. */
  readonly latE7: Int32Array;
  /** 1e-7 degrees. */
  readonly lngE7: Int32Array;
  /** Unix milliseconds, the client's clock. */
  readonly timeMs: Float64Array;
}

/**
 * Points of one batch as columns, in the order in which they were sent. Column `i` of every array belongs to
 * point `i`; all arrays have `count` entries or more (a reused buffer may be longer). The optional columns
 * are those of `locationFields`: one is absent when no point of the batch has it; a single missing value is
 * NaN.
 */
export type LocationPoints = RequiredColumns & {
  readonly [Column in LocationColumnName]?: Float32Array;
};

/** The record of one accepted `POST /v1/locations` in `location.batch.recorded.v1`. */
export interface LocationBatch {
  readonly userId: UserId;
  /** Given by the client or created by the ingest server; a repeated id has one effect. */
  readonly batchId: string;
  /** Unix milliseconds at which the ingest tier read the batch. */
  readonly receivedMs: number;
  readonly points: LocationPoints;
}
