import type { Reservation } from './reservation.js';

/** With fewer rooms there are fewer people, as many in each room as before, rounded up. */
export const withRooms = (found: Reservation, roomCount: number): Reservation => ({
  ...found,
  roomCount,
  guests: found.guests === null ? null : Math.ceil((found.guests * roomCount) / found.roomCount),
});

/** The part of `amountMinor` that is kept on cancellation now, rounded down in the customer's favour. */
export function penaltyOf(
  reservation: Pick<Reservation, 'freeCancelUntil' | 'lateCancelPercent'>,
  amountMinor: bigint,
  now: Date,
): bigint {
  if (now <= reservation.freeCancelUntil) return 0n;
  return (amountMinor * BigInt(reservation.lateCancelPercent)) / 100n;
}
