import type { SqlSession } from '#platform/sql/sql.js';
import { changeRoomCounts, releaseRooms } from '../inventory/change-counts.js';
import { confirmSupplement } from './confirm-supplement.js';
import { lockReservation } from './locked-reservation.js';
import type { Reservation, ReservationStatus } from './reservation.js';
import { reservationOf } from './reservation-row.js';
import type { CapturedPayment, ChangeOutcome, ConfirmOutcome, RefundReason } from './reservations.js';
import { addStayPayment, readStayPayments } from './stay-payments.js';
import { endSupplement, expireSupplements } from './supplements.js';

/** See `Reservations.confirmPayment`: once per payment, and only the exact amount pays. */
export async function confirmPayment(
  tx: SqlSession,
  now: Date,
  payment: CapturedPayment,
): Promise<ConfirmOutcome> {
  const { reservationId, paymentId, supplementId } = payment;
  const found = await lockReservation(tx, reservationId, { staff: true });
  if (found === undefined) return { kind: 'unknown' };
  const before = await answerBefore(tx, paymentId);
  if (before !== undefined) return outcomeOf(before, found);
  const accepted = await readStayPayments(tx, reservationId);
  if (accepted.some((one) => one.paymentId === paymentId)) return { kind: 'paid-before', reservation: found };
  if (supplementId !== undefined) {
    const taken = await confirmSupplement(tx, now, found, { ...payment, supplementId });
    if (typeof taken !== 'string') return { kind: 'paid', reservation: taken };
    await keepAnswer(tx, now, payment, taken);
    return outcomeOf(taken, found);
  }
  const answer = await judge(tx, now, found, payment);
  if (answer !== 'paid') await keepAnswer(tx, now, payment, answer);
  if (answer !== 'paid' && answer !== 'reseated') return outcomeOf(answer, found);
  await addStayPayment(tx, payment);
  return { kind: answer, reservation: await markPaid(tx, now, found, payment) };
}

type Answer = 'paid' | 'reseated' | RefundReason;

async function judge(
  tx: SqlSession,
  now: Date,
  found: Reservation,
  payment: CapturedPayment,
): Promise<Answer> {
  if (found.paymentId !== null) return 'paid-already';
  if (payment.amountMinor !== found.priceMinor || payment.currency !== found.currency) return 'wrong-amount';
  if (found.status === 'pending_payment') return 'paid';
  if (found.status !== 'expired' || (await hasBegun(tx, now, found))) return 'not-payable';
  const failed = await changeRoomCounts(tx, [{ ...found, rooms: found.roomCount }]);
  return failed === undefined ? 'reseated' : 'no-rooms-left';
}

const outcomeOf = (answer: Exclude<Answer, 'paid'>, reservation: Reservation): ConfirmOutcome =>
  answer === 'reseated' ? { kind: 'reseated', reservation } : { kind: 'refund', reason: answer, reservation };

/** Read under the lock of the reservation, so two calls with one payment get one answer. */
async function answerBefore(tx: SqlSession, paymentId: string): Promise<Exclude<Answer, 'paid'> | undefined> {
  const { rows } = await tx.query('SELECT answer FROM payment_answer WHERE payment_id = $1', [paymentId]);
  return rows[0]?.['answer'] as Exclude<Answer, 'paid'> | undefined;
}

async function keepAnswer(
  tx: SqlSession,
  now: Date,
  { paymentId, reservationId }: CapturedPayment,
  answer: Exclude<Answer, 'paid'>,
): Promise<void> {
  await tx.query(
    'INSERT INTO payment_answer (payment_id, reservation_id, answer, at) VALUES ($1, $2, $3, $4)',
    [paymentId, reservationId, answer, now],
  );
}

/** Moves a reservation that holds rooms to a status that holds none, or ends a supplement. */
export async function rejectPayment(
  tx: SqlSession,
  now: Date,
  reservationId: string,
  supplementId?: string,
): Promise<ChangeOutcome> {
  if (supplementId !== undefined) return endSupplement(tx, now, reservationId, supplementId);
  const found = await lockReservation(tx, reservationId, { staff: true });
  if (found === undefined) return { kind: 'unknown' };
  if (found.status === 'rejected' || found.status === 'expired')
    return { kind: 'unchanged', reservation: found };
  if (found.status !== 'pending_payment') return { kind: 'refused', reservation: found };
  await releaseRooms(tx, [{ ...found, rooms: found.roomCount }]);
  return { kind: 'changed', reservation: await moveTo(tx, now, found, 'rejected') };
}

/** See `Reservations.confirmRefund`. */
export async function confirmRefund(
  tx: SqlSession,
  now: Date,
  reservationId: string,
): Promise<ChangeOutcome> {
  const found = await lockReservation(tx, reservationId, { staff: true });
  if (found === undefined) return { kind: 'unknown' };
  if (found.status === 'refunded') return { kind: 'unchanged', reservation: found };
  if (found.status !== 'cancelled' || found.refundGrantedMinor === 0n)
    return { kind: 'refused', reservation: found };
  return { kind: 'changed', reservation: await moveTo(tx, now, found, 'refunded') };
}

/**
 * Ends at most `limit` expired holds, then supplements. Those that another process ends meanwhile are
 * skipped.
 */
export async function expireHolds(tx: SqlSession, now: Date, limit: number): Promise<number> {
  const { rows } = await tx.query(
    `SELECT * FROM reservation WHERE status = 'pending_payment' AND hold_expires_at <= $1
       AND hotel_is_open(hotel_id)
     ORDER BY reservation_id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
    [now, limit],
  );
  if (rows.length === 0) return expireSupplements(tx, now, limit);
  const expired = rows.map(reservationOf);
  await releaseRooms(
    tx,
    expired.map((one) => ({ ...one, rooms: one.roomCount })),
  );
  await tx.query(
    `UPDATE reservation SET status = 'expired', updated_at = $2 WHERE reservation_id = ANY ($1)`,
    [expired.map((one) => one.reservationId), now],
  );
  return rows.length;
}

/** The status change; the database refuses one that is not documented. */
export async function moveTo(
  tx: SqlSession,
  now: Date,
  found: Reservation,
  status: ReservationStatus,
): Promise<Reservation> {
  const { rows } = await tx.query(
    'UPDATE reservation SET status = $2, updated_at = $3 WHERE reservation_id = $1 RETURNING *',
    [found.reservationId, status, now],
  );
  return reservationOf(rows[0]!);
}

async function markPaid(tx: SqlSession, now: Date, found: Reservation, payment: CapturedPayment) {
  const { rows } = await tx.query(
    `UPDATE reservation SET status = 'paid', paid_minor = $2, payment_id = $3, updated_at = $4
     WHERE reservation_id = $1 RETURNING *`,
    [found.reservationId, payment.amountMinor, payment.paymentId, now],
  );
  return reservationOf(rows[0]!);
}

async function hasBegun(tx: SqlSession, now: Date, found: Reservation): Promise<boolean> {
  const { rows } = await tx.query(
    'SELECT FROM hotel WHERE hotel_id = $1 AND ($2::timestamptz AT TIME ZONE time_zone)::date <= $3::date AND deleted_at IS NULL',
    [found.hotelId, now, found.startDate],
  );
  return rows.length === 0;
}
