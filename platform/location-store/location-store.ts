import type { LocationBatch } from '#schemas/location.js';
import type { LocationFieldValues } from '#schemas/location-fields.js';
import type { LatLng, UserId } from '#schemas/units.js';

/** With the optional fields that it was written with. */
export interface StoredLocation extends LatLng, LocationFieldValues {
  /** Unix milliseconds, as the client sent it. */
  readonly timestamp: number;
}

export interface LocationPageRequest {
  /** Unix milliseconds, inclusive. */
  readonly fromMs: number;
  /** Unix milliseconds, exclusive. */
  readonly toMs: number;
  /** 1–1,000 locations. */
  readonly limit: number;
  /** Opaque; the `nextCursor` of the previous page, for the same user. */
  readonly cursor?: string;
}

export interface LocationPage {
  readonly locations: readonly StoredLocation[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/**
 * Every user's own locations: partitioned by user and day, ordered by timestamp. Cassandra at scale, LMDB
 * embedded. Writing the same point again changes nothing; of two points with the same timestamp the later
 * write wins, with its optional fields or without them. The order of the calls decides, never a clock: a
 * point that is written after an erasure exists, whatever `receivedMs` it has. A point is deleted when the
 * retention has passed since its `receivedMs`.
 *
 * ```ts
 * await store.write([batch]);
 * const page = await store.read(userId, { fromMs: 0, toMs: Date.now(), limit: 100 });
 * ```
 */
export interface LocationStore {
  /** Creates missing tables. */
  prepare(): Promise<void>;
  /**
   * Resolves when all points of all batches are durable. Idempotent by user and timestamp. Throws
   * `RangeError` before anything is written when a point is not one. When it rejects otherwise some points
   * may be stored: call again with the same batches.
   */
  write(batches: readonly LocationBatch[]): Promise<void>;
  /**
   * One page in time order. Throws `InvalidCursor` for a cursor that was not made for this user and range,
   * `RangeError` for bounds that are no times or a limit outside of 1–1,000.
   */
  read(userId: UserId, request: LocationPageRequest): Promise<LocationPage>;
  /**
   * Removes every location of the user that was written before. Idempotent. A batch that is written again
   * later (a replay of the log from before the erasure) reappears, so the erasure must be in the same log
   * after it.
   */
  erase(userId: UserId): Promise<void>;
  check(): Promise<void>;
  close(): Promise<void>;
}

export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
}

/** The store did not answer in time; the same call may succeed later. A write may have had its effect. */
export class LocationStoreUnavailable extends Error {
  override readonly name = 'LocationStoreUnavailable';
  readonly retriable = true;
}
