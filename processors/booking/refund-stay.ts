import type { SqlSession } from '#platform/sql/sql.js';
import { deadLetter, type Outcome, ok } from '#platform/stream/outcome.js';
import type { BookingDeps } from './booking-deps.js';
import { forgetRefund } from './booking-refunds.js';
import { noteMoney, readMoneyIn, refundableOf } from './note-money.js';
import type { BookingRefund } from './payment-port.js';

export interface DueRefund {
  readonly reservationId: string;
  /** Of all payments together. */
  readonly dueMinor: bigint;
  readonly currency: string;
}

/** What can be refunded changes while it is requested, so a refusal is final only after this many. */
const attemptsMax = 5;

/**
 * Requests refunds until those of all payments of a reservation reach the amount due: of the newest payment
 * first, never more than is left of it. A replay requests the same refunds. If less is left, because others
 * refunded it or the bank took it back meanwhile, the reservation is notified. What is
 * refused again and again waits for a person in the finance queue.
 */
export async function refundStay(deps: BookingDeps, due: DueRefund): Promise<Outcome> {
  const { reservationId, currency } = due;
  const payments = await deps.reservations.paymentsOf(reservationId);
  const paymentIds = payments.map(({ paymentId }) => paymentId);
  for (let attempt = 1; ; attempt += 1) {
    const { named, missingMinor } = await deps.sql.transaction((tx) => nameRefunds(tx, paymentIds, due));
    const refused: BookingRefund[] = [];
    for (const one of named) {
      const refund = { ...one, currency, reason: 'due by the reservation' };
      if ((await deps.payments.refund(refund)) === 'refused') refused.push(refund);
    }
    for (const { refundId } of refused) await forgetRefund(deps.sql, refundId);
    // Another process was faster: the reservation promises what is left.
    if (missingMinor > 0n || refused.length > 0)
      for (const paymentOrderId of paymentIds) await noteMoney(deps, { reservationId, paymentOrderId });
    const [first] = refused;
    if (first === undefined) return ok;
    // The next attempt takes it from other payments, or what blocked it was denied meanwhile.
    if (attempt < attemptsMax) continue;
    return (await deps.payments.queueRefused(first)) ? ok : deadLetter('refund refused');
  }
}

type NamedRefund = Pick<BookingRefund, 'refundId' | 'paymentOrderId' | 'amountMinor'>;

/**
 * Names the refunds that are missing from the amount due, all in one transaction, and returns those of this
 * amount. A payment may get several for one amount: when it became due first, less was left of the payment,
 * because a refund by others waited that was denied since. A refund that failed at the provider waits for a
 * person: its amount is named again only when more is due.
 */
async function nameRefunds(
  tx: SqlSession,
  paymentIds: readonly string[],
  { reservationId, dueMinor }: DueRefund,
): Promise<{ readonly named: readonly NamedRefund[]; readonly missingMinor: bigint }> {
  const known = await lockRefunds(tx, paymentIds);
  const isOfThis = (one: KnownRefund) => one.dueMinor === dueMinor;
  let missingMinor = known
    .filter((one) => !one.failed || isOfThis(one))
    .reduce((rest, { amountMinor }) => rest - amountMinor, dueMinor);
  const named: NamedRefund[] = [];
  for (const paymentOrderId of paymentIds) {
    const before = known.filter((one) => one.paymentOrderId === paymentOrderId && isOfThis(one));
    named.push(...before);
    if (missingMinor <= 0n) continue;
    const rest = await restOf(tx, paymentOrderId);
    if (rest === undefined || rest <= 0n) continue;
    const amountMinor = rest < missingMinor ? rest : missingMinor;
    const refundId = idOf(paymentOrderId, dueMinor, before.length + 1);
    await tx.query(
      `INSERT INTO booking_refund (refund_id, payment_order_id, reservation_id, due_minor, amount_minor)
       VALUES ($1, $2, $3, $4, $5)`,
      [refundId, paymentOrderId, reservationId, dueMinor, amountMinor],
    );
    named.push({ refundId, paymentOrderId, amountMinor });
    missingMinor -= amountMinor;
  }
  return { named, missingMinor };
}

const idOf = (paymentOrderId: string, dueMinor: bigint, number: number): string =>
  `due-${dueMinor}${number === 1 ? '' : `.${number}`}:${paymentOrderId}`;

/** What can be taken back of a payment beyond the refunds that were named; undefined if it does not exist. */
async function restOf(tx: SqlSession, paymentOrderId: string): Promise<bigint | undefined> {
  const money = await readMoneyIn(tx, paymentOrderId);
  if (money === undefined) return undefined;
  const { rows } = await tx.query<{ readonly minor: bigint }>(
    `SELECT coalesce(sum(amount_minor), 0)::bigint AS minor FROM booking_refund
     WHERE payment_order_id = $1 AND NOT failed`,
    [paymentOrderId],
  );
  return refundableOf(money) - rows[0]!.minor;
}

interface KnownRefund extends NamedRefund {
  /** Of the reservation when it was named. */
  readonly dueMinor: bigint;
  readonly failed: boolean;
}

/**
 * Locks the payments, so that a process that lost its partition, and the one that has it now, do not both
 * name the missing amount.
 */
async function lockRefunds(tx: SqlSession, paymentIds: readonly string[]): Promise<readonly KnownRefund[]> {
  await tx.query(
    'SELECT FROM booking_payment WHERE payment_order_id = ANY ($1) ORDER BY payment_order_id FOR UPDATE',
    [paymentIds],
  );
  const { rows } = await tx.query('SELECT * FROM booking_refund WHERE payment_order_id = ANY ($1)', [
    paymentIds,
  ]);
  return rows.map((row) => ({
    refundId: row['refund_id'] as string,
    paymentOrderId: row['payment_order_id'] as string,
    amountMinor: row['amount_minor'] as bigint,
    dueMinor: row['due_minor'] as bigint,
    failed: row['failed'] as boolean,
  }));
}
