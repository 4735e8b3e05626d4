import { pointsPerBatchMax } from '#schemas/http/locations.js';
import type { LocationPoints } from '#schemas/location.js';
import type { LocationField } from '#schemas/location-fields.js';

/** Points as read from a body, one column for each field; allocated once and refilled by every batch. */
export interface LocationColumns {
  readonly latE7: Int32Array;
  readonly lngE7: Int32Array;
  readonly timeMs: Float64Array;
  /**
   * The optional fields in the order of their definition. NaN where a point has none; meaningful only when a
   * point of the batch has the field.
   */
  readonly optional: readonly Float32Array[];
  /**
   * The first `count` rows as points: a view, not a copy. Bit `i` of `present` says that a point has field
   * `i`.
   */
  points(count: number, present: number): LocationPoints;
}

export function createColumns(
  fields: readonly LocationField[],
  rowsMax: number = pointsPerBatchMax,
): LocationColumns {
  const latE7 = new Int32Array(rowsMax);
  const lngE7 = new Int32Array(rowsMax);
  const timeMs = new Float64Array(rowsMax);
  const optional = fields.map(() => new Float32Array(rowsMax));
  /**
   * The views by the fields that are present: a batch copies one, which costs as little as an object literal.
   */
  const views: (LocationPoints | undefined)[] = [];
  const viewOf = (present: number): LocationPoints => ({
    count: 0,
    latE7,
    lngE7,
    timeMs,
    ...Object.fromEntries(
      fields.flatMap(({ column }, i) => (present & (1 << i) ? [[column, optional[i]!]] : [])),
    ),
  });
  return {
    latE7,
    lngE7,
    timeMs,
    optional,
    points(count, present) {
      if (present === 0) return { count, latE7, lngE7, timeMs };
      views[present] ??= viewOf(present);
      return { ...views[present], count };
    },
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
