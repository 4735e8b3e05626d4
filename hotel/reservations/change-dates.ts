import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import { changeRoomCounts } from '../inventory/change-counts.js';
import { nightPrices } from '../rates/night-prices.js';
import { stayPrice } from '../taxes/tax-lines.js';
import { lockReservation } from './locked-reservation.js';
import { stayProblem } from './request-problem.js';
import type { Reservation } from './reservation.js';
import { reservationOf } from './reservation-row.js';
import type { Actor, ChangeDatesOutcome } from './reservations.js';
import { addDays, nightsBetween } from './stay-days.js';

/**
 * See `Reservations.changeDates`. Unchanged nights keep their price; only the others are counted and priced.
 */
export async function changeDates(
  tx: SqlSession,
  now: Date,
  reservationId: string,
  actor: Actor,
  dates: { readonly startDate: string; readonly endDate: string },
): Promise<ChangeDatesOutcome> {
  const problem = stayProblem(dates.startDate, dates.endDate);
  if (problem !== undefined) return { kind: 'invalid', problem };
  const found = await lockReservation(tx, reservationId, actor);
  if (found === undefined) return { kind: 'unknown' };
  if (found.status !== 'pending_payment' && found.status !== 'paid')
    return { kind: 'refused', reservation: found };
  if (dates.startDate === found.startDate && dates.endDate === found.endDate) {
    return { kind: 'unchanged', reservation: found };
  }
  const house = await readHouse(tx, found, now, dates.startDate);
  // A stay that has begun cannot be moved, and no stay can be moved into the past.
  if (found.startDate < house.today || dates.startDate < house.today) return { kind: 'past' };

  const days = daysOf(dates);
  const prices = await repriced(tx, found, days);
  const failed = await changeRoomCounts(tx, [
    { ...found, rooms: -found.roomCount },
    { ...found, ...dates, rooms: found.roomCount },
  ]);
  if (failed !== undefined) {
    return failed.gaps.length > 0
      ? { kind: 'not-bookable', dates: failed.gaps }
      : { kind: 'insufficient', dates: failed.full };
  }
  const unpriced = days.filter((day) => !prices.has(day));
  if (unpriced.length > 0) throw new TakenBack({ kind: 'no-rate', dates: unpriced });
  const nights = days.map((day) => prices.get(day)!);
  const priceMinor = stayPrice({ ...found, startDate: dates.startDate, nightPricesMinor: nights });
  if (found.status === 'paid' && priceMinor > found.priceMinor)
    throw new TakenBack({ kind: 'dearer', reservation: found });
  const granted = found.status === 'paid' ? found.priceMinor - priceMinor : 0n;
  // Moving a stay does not restore free cancellation once its last day has passed.
  const freeCancelUntil = now > found.freeCancelUntil ? found.freeCancelUntil : house.freeCancelUntil;
  await tx.query('DELETE FROM room_night WHERE reservation_id = $1', [reservationId]);
  const { rows } = await tx.query(
    `UPDATE reservation SET start_date = $2, end_date = $3, night_prices_minor = $4, price_minor = $5,
       refund_granted_minor = refund_granted_minor + $6, free_cancel_until = $7, updated_at = $8
     WHERE reservation_id = $1 RETURNING *`,
    [reservationId, dates.startDate, dates.endDate, nights, priceMinor, granted, freeCancelUntil, now],
  );
  return { kind: 'changed', reservation: reservationOf(rows[0]!) };
}

/** Thrown to roll the transaction back; the outcome is returned to the caller. */
export class TakenBack extends Error {
  readonly outcome: ChangeDatesOutcome;

  constructor(outcome: ChangeDatesOutcome) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

interface HouseRow extends SqlRow {
  readonly today: string;
  readonly free_cancel_until: Date;
}

async function readHouse(tx: SqlSession, { hotelId, roomTypeId }: Reservation, now: Date, startDate: string) {
  const { rows } = await tx.query<HouseRow>(
    `SELECT ($3::timestamptz AT TIME ZONE h.time_zone)::date AS today,
       ($4::date + h.check_in_time) AT TIME ZONE h.time_zone
         - make_interval(hours => t.free_cancel_hours) AS free_cancel_until
     FROM hotel h JOIN room_type t USING (hotel_id) WHERE hotel_id = $1 AND room_type_id = $2`,
    [hotelId, roomTypeId, now, startDate],
  );
  return { today: rows[0]!.today, freeCancelUntil: rows[0]!.free_cancel_until };
}

const daysOf = ({ startDate, endDate }: { readonly startDate: string; readonly endDate: string }) =>
  Array.from({ length: nightsBetween(startDate, endDate) }, (_, night) => addDays(startDate, night));

async function repriced(tx: SqlSession, found: Reservation, days: readonly string[]) {
  const prices = new Map(await nightPrices(tx, found.hotelId, found.roomTypeId, days));
  for (const [index, day] of daysOf(found).entries()) prices.set(day, found.nightPricesMinor[index]!);
  return prices;
}
