import type { FollowPayment } from '#hotel/reservations/postgres-reservations.js';
import type { Reservations } from '#hotel/reservations/reservations.js';
import { type OrderMoney, readOrderMoney } from '#payment/orders/order-money.js';
import type { Sql, SqlSession } from '#platform/sql/sql.js';
import { refundIdsOf } from './booking-refunds.js';

export interface MoneyDeps {
  /** With the tables of hotel, payment and booking. */
  readonly sql: Sql;
  readonly reservations: Pick<Reservations, 'paymentsOf' | 'noteMoney' | 'confirmRefund'>;
}

/**
 * Undefined if the payment does not exist. In one snapshot, in which a requested refund is recorded already.
 */
export function readMoney({ sql }: Pick<MoneyDeps, 'sql'>, paymentOrderId: string) {
  return sql.transaction<OrderMoney | undefined>((tx) => readMoneyIn(tx, paymentOrderId), {
    isolation: 'repeatable read',
  });
}

/** The same in the transaction of the caller. */
export const readMoneyIn = async (tx: SqlSession, paymentOrderId: string): Promise<OrderMoney | undefined> =>
  readOrderMoney(tx, paymentOrderId, await refundIdsOf(tx, paymentOrderId));

/**
 * What a reservation may promise of a payment: what booking has requested, and what was not refunded or
 * disputed.
 */
export const refundableOf = ({ namedMinor, leftMinor }: OrderMoney): bigint => namedMinor + leftMinor;

/**
 * Notifies hotels of what happened to the money of a reservation: refunds that others requested, and
 * disputes. The current state is read, so late, duplicate or reordered events do no harm. A cancelled
 * reservation is refunded once everything due is refunded, of all its payments.
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
  if (noted.kind === 'unknown' || noted.reservation.status !== 'cancelled') return;
  const all = await readAll(deps, reservationId);
  // A payment that the reservation did not accept says nothing about it.
  if (!all.has(paymentOrderId)) return;
  const sum = (of: (money: OrderMoney) => bigint) =>
    [...all.values()].reduce((total, one) => total + of(one), 0n);
  const refundedMinor = sum((one) => one.refundedMinor);
  const nothingUnderWay = refundedMinor > 0n && refundedMinor === sum((one) => one.refundingMinor);
  if (nothingUnderWay && sum((one) => one.namedMinor) === noted.reservation.refundDueMinor)
    await deps.reservations.confirmRefund(reservationId);
}

/** The accepted payments of a reservation that payment has; a stay without a price has none. */
async function readAll(
  { sql, reservations }: MoneyDeps,
  reservationId: string,
): Promise<ReadonlyMap<string, OrderMoney>> {
  const payments = await reservations.paymentsOf(reservationId);
  return sql.transaction(
    async (tx) => {
      const all = new Map<string, OrderMoney>();
      for (const { paymentId } of payments) {
        const money = await readMoneyIn(tx, paymentId);
        if (money !== undefined) all.set(paymentId, money);
      }
      return all;
    },
    { isolation: 'repeatable read' },
  );
}

/** The same before a hotel promises anything, for reservations that have changed. */
export const hearMoneyFrom =
  (sql: Sql): FollowPayment =>
  async (reservations, reservationId) => {
    const payments = await reservations.paymentsOf(reservationId);
    if (payments.length === 0) return;
    const all = await readAll({ sql, reservations }, reservationId);
    for (const known of payments) {
      const money = all.get(known.paymentId);
      const isKnown =
        money === undefined ||
        (known.refundedMinor === money.refundingMinor &&
          known.disputedMinor === money.disputedMinor &&
          known.refundableMinor === refundableOf(money));
      if (!isKnown)
        await noteMoney({ sql, reservations }, { reservationId, paymentOrderId: known.paymentId });
    }
  };
