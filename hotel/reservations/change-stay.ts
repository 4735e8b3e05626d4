import type { SqlSession } from '#platform/sql/sql.js';
import { changeRoomCounts } from '../inventory/change-counts.js';
import { stayPrice } from '../taxes/tax-lines.js';
import { penaltyOf, withRooms } from './cancel-reservation.js';
import { type ChangedTerms, termsOfChange } from './changed-terms.js';
import { lockReservation } from './locked-reservation.js';
import { stayProblem } from './request-problem.js';
import type { Reservation } from './reservation.js';
import { reservationOf } from './reservation-row.js';
import type { Actor, ChangeStayOutcome, StayChange } from './reservations.js';
import { stayRefusal } from './stay-refusal.js';
import { daysOf, isSame, roomsProblem, soldBefore, type WantedStay, wantedStay } from './wanted-stay.js';

/** See `Reservations.changeStay`. Everything that is refused after a lock is rolled back with `TakenBack`. */
export async function changeStay(
  tx: SqlSession,
  now: Date,
  reservationId: string,
  actor: Actor,
  change: StayChange,
): Promise<ChangeStayOutcome> {
  const { startDate, endDate } = change;
  const early = startDate !== undefined && endDate !== undefined && stayProblem(startDate, endDate);
  if (typeof early === 'string') return { kind: 'invalid', problem: early };
  const found = await lockReservation(tx, reservationId, actor);
  if (found === undefined) return { kind: 'unknown' };
  const wanted = wantedStay(found, change);
  const problem = stayProblem(wanted.startDate, wanted.endDate) ?? roomsProblem(wanted);
  if (problem !== undefined) return { kind: 'invalid', problem };
  if (found.status !== 'pending_payment' && found.status !== 'paid')
    return { kind: 'refused', reservation: found };
  if (isSame(found, wanted)) return { kind: 'unchanged', reservation: found };

  await lockNights(tx, found, wanted);
  const terms = await termsOfChange(tx, now, found, wanted);
  if (terms.kind !== 'terms') return terms;
  const refusal = await stayRefusal(tx, wanted, soldBefore(found, wanted));
  if (refusal !== undefined) return refusal;
  const failed = await changeRoomCounts(tx, [
    { ...found, rooms: -found.roomCount },
    { ...wanted, rooms: wanted.roomCount },
  ]);
  // One of two room types may have been counted.
  if (failed !== undefined)
    throw new TakenBack(
      failed.gaps.length > 0
        ? { kind: 'not-bookable', dates: failed.gaps }
        : { kind: 'insufficient', dates: failed.full },
    );
  const unpriced = daysOf(wanted).filter((_, night) => terms.nightPricesMinor[night] === undefined);
  if (unpriced.length > 0) throw new TakenBack({ kind: 'no-rate', dates: unpriced });
  return store(tx, now, found, wanted, terms);
}

async function store(
  tx: SqlSession,
  now: Date,
  found: Reservation,
  wanted: WantedStay,
  terms: ChangedTerms,
): Promise<ChangeStayOutcome> {
  const nights = terms.nightPricesMinor.map((price) => price!);
  const { guests } = wanted.roomCount < found.roomCount ? withRooms(found, wanted.roomCount) : found;
  const priceMinor = stayPrice({ ...found, ...wanted, guests, nightPricesMinor: nights });
  const lessMinor = found.priceMinor - priceMinor;
  if (found.status === 'paid' && lessMinor < 0n) throw new TakenBack({ kind: 'dearer', reservation: found });
  // What is given up costs what its cancellation would cost.
  const granted = found.status === 'paid' ? lessMinor - penaltyOf(found, lessMinor, now) : 0n;
  await tx.query('DELETE FROM room_night WHERE reservation_id = $1', [found.reservationId]);
  const { rows } = await tx.query(
    `UPDATE reservation SET start_date = $2, end_date = $3, room_type_id = $4, room_count = $5,
       night_prices_minor = $6, price_minor = $7, refund_granted_minor = refund_granted_minor + $8,
       free_cancel_until = $9, free_cancel_hours = $10, late_cancel_percent = $11, refundable = $12,
       rate_plan_id = $13, rate_plan_name = $14, meal = $15, updated_at = $16, guests = $17
     WHERE reservation_id = $1 RETURNING *`,
    [
      found.reservationId,
      ...[wanted.startDate, wanted.endDate, wanted.roomTypeId, wanted.roomCount],
      ...[nights, priceMinor, granted],
      ...[terms.freeCancelUntil, terms.freeCancelHours, terms.lateCancelPercent, terms.refundable],
      ...[
        terms.ratePlan?.id ?? null,
        terms.ratePlan?.name ?? null,
        terms.ratePlan?.meal ?? null,
        now,
        guests,
      ],
    ],
  );
  return { kind: 'changed', reservation: reservationOf(rows[0]!) };
}

/** Thrown to roll the transaction back; the outcome is returned to the caller. */
export class TakenBack extends Error {
  readonly outcome: ChangeStayOutcome;

  constructor(outcome: ChangeStayOutcome) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

/** The nights of both stays, in the order in which every caller locks them. */
async function lockNights(tx: SqlSession, found: Reservation, wanted: WantedStay): Promise<void> {
  await tx.query(
    `SELECT FROM room_type_inventory WHERE hotel_id = $1
       AND (room_type_id = $2 AND date BETWEEN $3 AND $4 OR room_type_id = $5 AND date BETWEEN $6 AND $7)
     ORDER BY room_type_id, date FOR NO KEY UPDATE`,
    [
      found.hotelId,
      ...[found.roomTypeId, found.startDate, found.endDate],
      ...[wanted.roomTypeId, wanted.startDate, wanted.endDate],
    ],
  );
}
