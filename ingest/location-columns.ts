import { pointsPerBatchMax } from '#schemas/http/locations.js';
import type { LocationPoints } from '#schemas/location.js';

/** Points as they are read from a body, one column for each field; made once and filled again by every batch. */
export interface LocationColumns {
  readonly latE7: Int32Array;
  readonly lngE7: Int32Array;
  readonly timeMs: Float64Array;
  /** NaN where the point has none; meaningful only while the matching flag is set. */
  readonly accuracyM: Float32Array;
  readonly speedMps: Float32Array;
  readonly headingDeg: Float32Array;
}

/** Which optional fields any point of a batch has. */
export const hasAccuracy = 1;
export const hasSpeed = 2;
export const hasHeading = 4;

export function createColumns(): LocationColumns {
  const floats = () => new Float32Array(pointsPerBatchMax);
  return {
    latE7: new Int32Array(pointsPerBatchMax),
    lngE7: new Int32Array(pointsPerBatchMax),
    timeMs: new Float64Array(pointsPerBatchMax),
    accuracyM: floats(),
    speedMps: floats(),
    headingDeg: floats(),
  };
}

/** The first `count` rows as points: a view, not a copy. */
export function pointsOf(columns: LocationColumns, count: number, extras: number): LocationPoints {
  const { latE7, lngE7, timeMs } = columns;
  if (extras === 0) return { count, latE7, lngE7, timeMs };
  return {
    count,
    latE7,
    lngE7,
    timeMs,
    ...(extras & hasAccuracy ? { accuracyM: columns.accuracyM } : {}),
    ...(extras & hasSpeed ? { speedMps: columns.speedMps } : {}),
    ...(extras & hasHeading ? { headingDeg: columns.headingDeg } : {}),
  };
}

/** Whether two points have one timestamp. Most batches are in order, and cost one pass. */
export function hasDoubledTime({ timeMs }: LocationColumns, count: number): boolean {
  let rising = true;
  let falling = true;
  for (let row = 1; row < count && (rising || falling); row++) {
    const step = timeMs[row]! - timeMs[row - 1]!;
    if (step <= 0) rising = false;
    if (step >= 0) falling = false;
  }
  return !rising && !falling && new Set(timeMs.subarray(0, count)).size < count;
}
