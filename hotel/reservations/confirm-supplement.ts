import type { SqlSession } from '#platform/sql/sql.js';
import { releaseRooms } from '../inventory/change-counts.js';
import { storeStay } from './changed-stay.js';
import { neededRooms } from './needed-rooms.js';
import { giveExtrasBack } from './paid-extras.js';
import type { Reservation } from './reservation.js';
import { reservationOf } from './reservation-row.js';
import type { CapturedPayment, RefundReason } from './reservations.js';
import { addStayPayment, sumsOfPayments } from './stay-payments.js';
import { closeSupplement, readSupplement, roomsHeldBy } from './supplements.js';

type SupplementPayment = CapturedPayment & { readonly supplementId: string };

/**
 * Takes the payment of a supplement of a locked reservation, and makes the change that waits for it. A reason
 * when the money must go back: then the paid stay is as it was.
 */
export async function confirmSupplement(
  tx: SqlSession,
  now: Date,
  found: Reservation,
  payment: SupplementPayment,
): Promise<Reservation | RefundReason> {
  const { reservationId, amountMinor, currency } = payment;
  const supplement = await readSupplement(tx, found, payment.supplementId);
  if (supplement?.status === 'paid') return 'paid-already';
  if (supplement?.status !== 'open') return 'not-payable';
  if (amountMinor !== supplement.amountMinor || currency !== found.currency) return 'wrong-amount';
  const { stay } = supplement;
  if (stay !== null && found.status !== 'paid') {
    await releaseRooms(tx, roomsHeldBy(supplement, found));
    await closeSupplement(tx, now, supplement, 'ended');
    return 'not-payable';
  }
  await addStayPayment(tx, payment);
  await closeSupplement(tx, now, supplement, 'paid');
  await tx.query(
    `UPDATE reservation SET ${sumsOfPayments}, extras_paid_minor = extras_paid_minor + $2 WHERE reservation_id = $1`,
    [reservationId, stay === null ? amountMinor : 0n],
  );
  if (stay === null) return giveExtrasBack(tx, now, reservationId);
  await releaseRooms(tx, neededRooms(found, stay));
  return reservationOf(await storeStay(tx, now, reservationId, stay, { grantedMinor: 0n }));
}
