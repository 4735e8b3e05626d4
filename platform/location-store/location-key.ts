import type { UserId } from '#schemas/units.js';
import { locationStoreLimits } from './limits.js';

/**
 * Keys of LMDB sort as bytes. A partition is the length of the user id, the user id and the day, so that no
 * user's keys lie within another's; a block adds the milliseconds of the day that its first point lies at.
 *
 *     length u16 │ user id, UTF-8 │ day + 2³¹ u32 │ first point of the block, ms of the day, u32
 *
 * All numbers are big-endian.
 */
const dayOffset = 2 ** 31;

export function userPrefix(userId: UserId): Buffer {
  const text = Buffer.from(userId, 'utf8');
  const prefix = Buffer.allocUnsafe(2 + text.length);
  prefix.writeUInt16BE(text.length, 0);
  text.copy(prefix, 2);
  return prefix;
}

export function blockKey(prefix: Buffer, day: number, timeMs: number): Buffer {
  const key = Buffer.allocUnsafe(prefix.length + 8);
  prefix.copy(key);
  key.writeUInt32BE(day + dayOffset, prefix.length);
  key.writeUInt32BE(timeMs - day * locationStoreLimits.dayMs, prefix.length + 4);
  return key;
}

/** Sorts after every block of the day. */
export function dayEnd(prefix: Buffer, day: number): Buffer {
  return blockKey(prefix, day + 1, (day + 1) * locationStoreLimits.dayMs);
}

/** Sorts after every block of the user. */
export function userEnd(prefix: Buffer): Buffer {
  return Buffer.concat([prefix, Buffer.alloc(5, 0xff)]);
}

/**
 * Day of receipt, then the partition: where the sweeper finds what it has to look through.
 *
 *     day of receipt + 2³¹ u32 │ length u16 │ user id │ day + 2³¹ u32
 */
export function receiptKey(receivedDay: number, prefix: Buffer, day: number): Buffer {
  const dayBytes = Buffer.allocUnsafe(4);
  dayBytes.writeUInt32BE(day + dayOffset);
  return Buffer.concat([receiptPrefix(receivedDay, prefix), dayBytes]);
}

export function receiptPrefix(receivedDay: number, prefix: Buffer): Buffer {
  const dayBytes = Buffer.allocUnsafe(4);
  dayBytes.writeUInt32BE(receivedDay + dayOffset);
  return Buffer.concat([dayBytes, prefix]);
}

export function parseReceiptKey(key: Buffer): {
  readonly receivedDay: number;
  readonly prefix: Buffer;
  readonly day: number;
} {
  return {
    receivedDay: key.readUInt32BE(0) - dayOffset,
    prefix: Buffer.from(key.subarray(4, -4)),
    day: key.readUInt32BE(key.length - 4) - dayOffset,
  };
}
