import type { FollowPayment } from '#hotel/reservations/postgres-reservations.js';
import type { Reservations } from '#hotel/reservations/reservations.js';
import { type OrderMoney, readOrderMoney } from '#payment/orders/order-money.js';
import type { Sql } from '#platform/sql/sql.js';
import { refundIdsOf } from './booking-refunds.js';

export interface MoneyDeps {
  /** With the tables of hotel, payment and booking. */
  readonly sql: Sql;
  readonly reservations: Pick<Reservations, 'noteMoney' | 'confirmRefund'>;
}

/**
 * Undefined if the payment does not exist. In one snapshot, in which a requested refund is recorded already.
 */
export function readMoney({ sql }: Pick<MoneyDeps, 'sql'>, paymentOrderId: string) {
  return sql.transaction<OrderMoney | undefined>(
    async (tx) => readOrderMoney(tx, paymentOrderId, await refundIdsOf(tx, paymentOrderId)),
    { isolation: 'repeatable read' },
  );
}

/**
 * What a reservation may promise in total: what booking has requested, and what was not refunded or disputed.
 */
export const refundableOf = ({ namedMinor, leftMinor }: OrderMoney): bigint => namedMinor + leftMinor;

/**
 * Notifies hotels of what happened to the money of a reservation: refunds that others requested, and
 * disputes. The current state is read, so late, duplicate or reordered events do no harm. A cancelled
 * reservation is refunded once everything due is refunded.
 */
export async function noteMoney(
  deps: MoneyDeps,
  { reservationId, paymentOrderId }: { readonly reservationId: string; readonly paymentOrderId: string },
): Promise<void> {
  const money = await readMoney(deps, paymentOrderId);
  if (money === undefined) return;
  const noted = await deps.reservations.noteMoney({
    reservationId,
    paymentId: paymentOrderId,
    version: money.version,
    refundedMinor: money.refundingMinor,
    disputedMinor: money.disputedMinor,
    refundableMinor: refundableOf(money),
  });
  if (noted.kind === 'unknown') return;
  const { status, paymentId, refundDueMinor } = noted.reservation;
  if (status !== 'cancelled' || paymentId !== paymentOrderId) return;
  const nothingUnderWay = money.refundedMinor > 0n && money.refundedMinor === money.refundingMinor;
  if (nothingUnderWay && money.namedMinor === refundDueMinor)
    await deps.reservations.confirmRefund(reservationId);
}

/** The same before a hotel promises anything, for reservations that have changed. */
export const hearMoneyFrom =
  (sql: Sql): FollowPayment =>
  async (reservations, reservationId) => {
    const found = await reservations.get(reservationId, { staff: true });
    if (found === undefined || found.paymentId === null) return;
    const money = await readMoney({ sql }, found.paymentId);
    const isKnown =
      money === undefined ||
      (found.refundedMinor === money.refundingMinor &&
        found.disputedMinor === money.disputedMinor &&
        found.refundableMinor === refundableOf(money));
    if (!isKnown) await noteMoney({ sql, reservations }, { reservationId, paymentOrderId: found.paymentId });
  };
