import type { FieldError } from '#platform/http/problem.js';
import type { BlockChange } from '../blocks/change-block.js';
import type { BlockState, GroupBlock } from '../blocks/group-block.js';
import { blockLimits } from '../blocks/limits.js';
import type { Hotel } from '../hotels/hotel.js';
import { nightsBetween } from '../reservations/stay-days.js';
import * as messages from './messages.js';

/** What is wrong with a block at any time. */
export function blockFaults(
  { startDate, endDate, releaseAt, rooms }: GroupBlock,
  hotel: Hotel,
): FieldError[] {
  const faults: FieldError[] = [];
  const nights = nightsBetween(startDate, endDate);
  if (nights < 1) faults.push({ pointer: '/endDate', message: messages.endBeforeStart });
  if (nights > blockLimits.nightsMax)
    faults.push({ pointer: '/endDate', message: messages.tooManyNights(nights, blockLimits.nightsMax) });
  if (Number.isNaN(releaseAt.getTime())) faults.push({ pointer: '/releaseAt', message: messages.noMoment });
  return [...faults, ...typeFaults(rooms, hotel)];
}

/** What is wrong with a new block now. */
export function timeFaults(block: GroupBlock, now: Date, today: string): FieldError[] {
  const past = block.startDate < today;
  return [
    ...(past ? [{ pointer: '/startDate', message: messages.blockInThePast }] : []),
    ...releaseFaults(block.releaseAt, block.endDate, now),
  ];
}

export function changeFaults(
  { name, releaseAt, rooms }: BlockChange,
  { endDate }: BlockState,
  hotel: Hotel,
  now: Date,
): FieldError[] {
  if (name === undefined && releaseAt === undefined && rooms === undefined)
    return [{ pointer: '', message: messages.nothingSet }];
  const time = releaseAt === undefined ? [] : releaseFaults(releaseAt, endDate, now);
  return [...time, ...typeFaults(rooms ?? [], hotel)];
}

function releaseFaults(releaseAt: Date, endDate: string, now: Date): FieldError[] {
  // A day of leeway for time zones: the exact end of the last night is not needed.
  const lastMs = Date.parse(`${endDate}T00:00:00Z`) + 2 * 86_400_000;
  const isGood = releaseAt > now && releaseAt.getTime() <= lastMs;
  return isGood ? [] : [{ pointer: '/releaseAt', message: messages.badRelease }];
}

function typeFaults(rooms: GroupBlock['rooms'], hotel: Hotel): FieldError[] {
  const faults: FieldError[] = [];
  const types = new Set(hotel.roomTypes.map(({ roomTypeId }) => roomTypeId));
  const seen = new Set<string>();
  for (const [index, { roomTypeId }] of rooms.entries()) {
    const pointer = `/rooms/${index}/roomTypeID`;
    if (!types.has(roomTypeId)) faults.push({ pointer, message: messages.unknownRoomType });
    if (seen.has(roomTypeId)) faults.push({ pointer, message: messages.namedTwice });
    seen.add(roomTypeId);
  }
  return faults;
}
