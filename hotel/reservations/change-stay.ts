import type { SqlSession } from '#platform/sql/sql.js';
import { type CountChange, changeRoomCounts } from '../inventory/change-counts.js';
import { type ChangedStay, changedStay, storeStay } from './changed-stay.js';
import { termsOfChange } from './changed-terms.js';
import { isExpected } from './expected-stay.js';
import { penaltyOf } from './given-up-rooms.js';
import { lockReservation } from './locked-reservation.js';
import { neededRooms, released, roomsOf } from './needed-rooms.js';
import { stayProblem } from './request-problem.js';
import type { Reservation } from './reservation.js';
import { reservationOf } from './reservation-row.js';
import type { Actor, ChangeStayOutcome, StayChange } from './reservations.js';
import { stayRefusal } from './stay-refusal.js';
import {
  closeSupplement,
  endOpenChange,
  openSupplement,
  readOpenSupplement,
  type Supplement,
} from './supplements.js';
import { daysOf, isSame, roomsProblem, soldBefore, type WantedStay, wantedStay } from './wanted-stay.js';

export interface ChangeOptions {
  /** The end of a change that waits to be paid. */
  readonly expiresAt: Date;
  /** Only tells what the change would cost. */
  readonly isQuote?: boolean;
}

/** See `Reservations.changeStay`. What changes nothing is thrown as `TakenBack`, so it is rolled back. */
export async function changeStay(
  tx: SqlSession,
  now: Date,
  reservationId: string,
  actor: Actor,
  change: StayChange,
  options: ChangeOptions,
): Promise<ChangeStayOutcome> {
  const outcome = await attempt(tx, now, reservationId, actor, change, options);
  if (outcome.kind !== 'changed' && outcome.kind !== 'to-pay') throw new TakenBack(outcome);
  return outcome;
}

async function attempt(
  tx: SqlSession,
  now: Date,
  reservationId: string,
  actor: Actor,
  change: StayChange,
  options: ChangeOptions,
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
  if (!(await isExpected(tx, found, change.expected))) return { kind: 'changed-before', reservation: found };
  const open = await readOpenSupplement(tx, found);
  if (!options.isQuote && isRepeated(open, wanted, change, now))
    return { kind: 'to-pay', reservation: found };

  const waiting = await endOpenChange(tx, now, found);
  await lockNights(tx, [roomsOf(found), roomsOf(wanted), ...waiting]);
  const terms = await termsOfChange(tx, now, found, wanted);
  if (terms.kind !== 'terms') return terms;
  const refusal = await stayRefusal(tx, wanted, soldBefore(found, wanted));
  if (refusal !== undefined) return refusal;
  const stay = changedStay(found, wanted, terms);
  const moreMinor = stay === undefined ? 0n : stay.priceMinor - found.priceMinor;
  const isToPay = found.status === 'paid' && moreMinor > 0n;
  const taken = isToPay ? neededRooms(wanted, found) : [...released([roomsOf(found)]), roomsOf(wanted)];
  const failed = await changeRoomCounts(tx, [...released(waiting), ...taken]);
  // One of two room types may have been counted.
  if (failed !== undefined)
    return failed.gaps.length > 0
      ? { kind: 'not-bookable', dates: failed.gaps }
      : { kind: 'insufficient', dates: failed.full };
  if (stay === undefined) {
    const unpriced = daysOf(wanted).filter((_, night) => terms.nightPricesMinor[night] === undefined);
    return { kind: 'no-rate', dates: unpriced };
  }
  const lessMinor = found.status === 'paid' && moreMinor < 0n ? -moreMinor : 0n;
  // What is given up costs what its cancellation would cost.
  const grantedMinor = lessMinor - penaltyOf(found, lessMinor, now);
  const differenceMinor = isToPay ? moreMinor : 0n;
  if (options.isQuote)
    return { kind: 'quoted', reservation: found, priceMinor: stay.priceMinor, differenceMinor, grantedMinor };
  if (!isToPay)
    return {
      kind: 'changed',
      reservation: reservationOf(await storeStay(tx, now, reservationId, stay, { grantedMinor })),
    };
  if (change.differenceMinor !== differenceMinor)
    return { kind: 'dearer', reservation: found, differenceMinor };
  return { kind: 'to-pay', reservation: await waitForPayment(tx, now, found, stay, options) };
}

/** The guest keeps the page of the change that waits. */
const isRepeated = (
  open: Supplement | undefined,
  wanted: WantedStay,
  change: StayChange,
  now: Date,
): boolean =>
  open !== undefined &&
  open.stay !== null &&
  open.expiresAt > now &&
  open.amountMinor === change.differenceMinor &&
  open.stay.roomTypeId === wanted.roomTypeId &&
  open.stay.ratePlanId === wanted.ratePlanId &&
  open.stay.startDate === wanted.startDate &&
  open.stay.endDate === wanted.endDate &&
  open.stay.roomCount === wanted.roomCount;

/** The stay stays as it is until the difference is captured. */
async function waitForPayment(
  tx: SqlSession,
  now: Date,
  found: Reservation,
  stay: ChangedStay,
  { expiresAt }: ChangeOptions,
): Promise<Reservation> {
  // Of extras: they stay on the folio, and can be asked for again.
  const open = await readOpenSupplement(tx, found);
  if (open !== undefined) await closeSupplement(tx, now, open, 'ended');
  const amountMinor = stay.priceMinor - found.priceMinor;
  return openSupplement(tx, now, found.reservationId, { amountMinor, expiresAt, stay });
}

/** Thrown to roll the transaction back; the outcome is returned to the caller. */
export class TakenBack extends Error {
  readonly outcome: ChangeStayOutcome;

  constructor(outcome: ChangeStayOutcome) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

/** In the order in which every caller locks nights. */
async function lockNights(tx: SqlSession, rooms: readonly CountChange[]): Promise<void> {
  await tx.query(
    `SELECT FROM room_type_inventory i WHERE hotel_id = $1 AND EXISTS (
       SELECT FROM unnest($2::text[], $3::date[], $4::date[]) AS q (type, first_day, last_day)
       WHERE i.room_type_id = q.type AND i.date BETWEEN q.first_day AND q.last_day)
     ORDER BY room_type_id, date FOR NO KEY UPDATE`,
    [
      rooms[0]!.hotelId,
      rooms.map(({ roomTypeId }) => roomTypeId),
      rooms.map(({ startDate }) => startDate),
      rooms.map(({ endDate }) => endDate),
    ],
  );
}
