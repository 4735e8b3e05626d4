import { createHash, timingSafeEqual } from 'node:crypto';
import type { UserId } from '#schemas/units.js';
import { locationStoreLimits } from './limits.js';
import { InvalidCursor, type LocationPageRequest } from './location-store.js';

const version = 1;
const bodyBytes = 9;
const checkBytes = 12;

/**
 * A cursor is the version, the timestamp that the next page begins at (float64, big-endian) and a checksum
 * over both and the user. It grants no access: a page is always read from the partitions of the calling user.
 * The checksum detects cursors that a client mixed up, so no secret is needed and cursors outlive a restart.
 */
export function encodeCursor(userId: UserId, nextMs: number): string {
  const body = Buffer.alloc(bodyBytes);
  body.writeUInt8(version, 0);
  body.writeDoubleBE(nextMs, 1);
  return Buffer.concat([body, checksum(body, userId)]).toString('base64url');
}

/**
 * The timestamp that a page begins at. Throws `InvalidCursor` for a cursor of another user or another range,
 * or an invalid one.
 */
export function pageStart(userId: UserId, request: LocationPageRequest): number {
  const { cursor, fromMs, toMs } = request;
  if (cursor === undefined) return fromMs;
  const bytes = cursor.length > 64 ? Buffer.alloc(0) : Buffer.from(cursor, 'base64url');
  const body = bytes.subarray(0, bodyBytes);
  const good =
    bytes.length === bodyBytes + checkBytes &&
    bytes.toString('base64url') === cursor &&
    body[0] === version &&
    timingSafeEqual(bytes.subarray(bodyBytes), checksum(body, userId));
  const nextMs = good ? body.readDoubleBE(1) : Number.NaN;
  if (!(nextMs >= fromMs && nextMs <= toMs)) {
    throw new InvalidCursor('The cursor does not belong to this request. Start again without one.');
  }
  return nextMs;
}

/** Throws `RangeError` for bounds or a limit that no page has. */
export function checkPageRequest(request: LocationPageRequest): void {
  const { pageLocationsMax, pageBoundMsMax } = locationStoreLimits;
  if (!Number.isInteger(request.limit) || request.limit < 1 || request.limit > pageLocationsMax) {
    throw new RangeError(`A page has 1–${pageLocationsMax} locations, not ${request.limit}.`);
  }
  for (const bound of [request.fromMs, request.toMs]) {
    if (!Number.isInteger(bound) || Math.abs(bound) > pageBoundMsMax) {
      throw new RangeError(`The bounds of a page are times in whole Unix milliseconds, not ${bound}.`);
    }
  }
}

function checksum(body: Uint8Array, userId: UserId): Buffer {
  return createHash('sha256')
    .update('location-cursor\0')
    .update(body)
    .update(userId)
    .digest()
    .subarray(0, checkBytes);
}
