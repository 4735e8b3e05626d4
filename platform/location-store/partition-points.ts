import type { LocationBatch } from '#schemas/location.js';
import type { UserId } from '#schemas/units.js';
import { codesOf, type FieldCodes } from './field-codes.js';
import { locationStoreLimits } from './limits.js';

export interface StoredPoint {
  /** Unix milliseconds, the client's clock. */
  readonly timeMs: number;
  /** 1e-7 degrees. */
  readonly latE7: number;
  readonly lngE7: number;
  /** Unix milliseconds at which the ingest tier read the batch; the retention counts from here. */
  readonly receivedMs: number;
  /** The optional fields; undefined if the point has none. */
  readonly codes: FieldCodes | undefined;
}

/** The points of one write for one partition, in time order, one per timestamp. */
export interface PartitionPoints {
  readonly userId: UserId;
  readonly day: number;
  readonly points: readonly StoredPoint[];
}

/** Number of the day (UTC, since 1970) that a timestamp lies in: the second part of the partition key. */
export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / locationStoreLimits.dayMs);
}

/**
 * Sorts the points of many batches into their partitions. Of two points with the same user and timestamp, the
 * later one in the order of the batches wins. Throws `RangeError` for a point that cannot be stored, before
 * anything is written.
 */
export function partitionsOf(batches: readonly LocationBatch[]): PartitionPoints[] {
  const byUser = new Map<UserId, Map<number, Map<number, StoredPoint>>>();
  for (const batch of batches) {
    checkUserId(batch.userId);
    checkTime(batch.receivedMs, batch, 'time of receipt');
    const byDay = entryOf(byUser, batch.userId, () => new Map<number, Map<number, StoredPoint>>());
    const codesAt = codesOf(batch.points);
    for (let index = 0; index < batch.points.count; index += 1) {
      const point = pointAt(batch, index, codesAt(index));
      entryOf(byDay, dayOf(point.timeMs), () => new Map<number, StoredPoint>()).set(point.timeMs, point);
    }
  }
  const partitions: PartitionPoints[] = [];
  for (const [userId, byDay] of byUser) {
    for (const [day, byTime] of byDay) {
      const points = [...byTime.values()];
      if (!isSorted(points)) points.sort((a, b) => a.timeMs - b.timeMs);
      partitions.push({ userId, day, points });
    }
  }
  return partitions;
}

export function checkUserId(userId: UserId): void {
  if (userId.length < 1 || userId.length > locationStoreLimits.userIdLengthMax) {
    throw new RangeError(
      `A user id has 1–${locationStoreLimits.userIdLengthMax} characters, not ${userId.length}.`,
    );
  }
}

function pointAt(batch: LocationBatch, index: number, codes: FieldCodes | undefined): StoredPoint {
  const { latE7, lngE7, timeMs } = batch.points;
  const point = {
    timeMs: timeMs[index] ?? Number.NaN,
    latE7: latE7[index] ?? Number.NaN,
    lngE7: lngE7[index] ?? Number.NaN,
    receivedMs: batch.receivedMs,
    codes,
  };
  checkTime(point.timeMs, batch, `timestamp of point ${index}`);
  const { latE7Max, lngE7Max } = locationStoreLimits;
  if (!(Math.abs(point.latE7) <= latE7Max && Math.abs(point.lngE7) <= lngE7Max)) {
    throw new RangeError(`Point ${index} of batch ${batch.batchId} is not on the globe.`);
  }
  return point;
}

function checkTime(timeMs: number, batch: LocationBatch, what: string): void {
  if (!Number.isInteger(timeMs) || Math.abs(timeMs) > locationStoreLimits.timestampMsMax) {
    throw new RangeError(
      `The ${what} of batch ${batch.batchId} is not a time in whole Unix milliseconds: ${timeMs}.`,
    );
  }
}

function isSorted(points: readonly StoredPoint[]): boolean {
  return points.every((point, index) => index === 0 || points[index - 1]!.timeMs < point.timeMs);
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const present = map.get(key);
  if (present !== undefined) return present;
  const made = make();
  map.set(key, made);
  return made;
}
