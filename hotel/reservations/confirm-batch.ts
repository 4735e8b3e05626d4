import { type Sql, type SqlRow, sqlState } from '#platform/sql/sql.js';
import { hotelLimits } from '../limits.js';
import { reservationOf } from './reservation-row.js';
import type { CapturedPayment, ConfirmOutcome } from './reservations.js';
import { confirmPayment } from './settle-payment.js';

/**
 * Most payments are the exact price of a reservation that waits for it: a batch confirms those in one
 * statement, each independently. The condition is that of `confirmPayment`; payments that do not meet it are
 * handled there, one by one.
 */
export async function confirmBatch(
  sql: Sql,
  now: () => Date,
  payments: readonly CapturedPayment[],
): Promise<readonly ConfirmOutcome[]> {
  const ofStays = payments.filter(({ supplementId }) => supplementId === undefined);
  const paid = ofStays.length === 0 ? noneWasPaid : await payAsAsked(sql, now(), ofStays);
  const outcomes: ConfirmOutcome[] = [];
  for (const payment of payments) {
    outcomes.push(
      paid.get(payment) ??
        (await sql.transaction((tx) => confirmPayment(tx, now(), payment), {
          attempts: hotelLimits.attemptsMax,
        })),
    );
  }
  return outcomes;
}

interface PaidRow extends SqlRow {
  readonly place: bigint;
}

type Paid = ReadonlyMap<CapturedPayment, ConfirmOutcome>;
const noneWasPaid: Paid = new Map();

async function payAsAsked(sql: Sql, now: Date, payments: readonly CapturedPayment[]): Promise<Paid> {
  try {
    const { rows } = await sql.query<PaidRow>(
      `WITH paid AS (
       UPDATE reservation r SET status = 'paid', paid_minor = q.amount, payment_id = q.payment, updated_at = $5
       FROM (SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) WITH ORDINALITY
         AS u (id, payment, amount, currency, place) ORDER BY id) q
       WHERE r.reservation_id = q.id COLLATE "C" AND r.status = 'pending_payment' AND r.payment_id IS NULL
         AND r.price_minor = q.amount AND r.currency = q.currency
         AND NOT EXISTS (SELECT FROM payment_answer a WHERE a.payment_id = q.payment COLLATE "C")
       RETURNING q.place, r.*), kept AS (
       INSERT INTO stay_payment (reservation_id, payment_id, captured_minor)
       SELECT reservation_id, payment_id, paid_minor FROM paid)
       SELECT * FROM paid`,
      [
        payments.map(({ reservationId }) => reservationId),
        payments.map(({ paymentId }) => paymentId),
        payments.map(({ amountMinor }) => amountMinor),
        payments.map(({ currency }) => currency),
        now,
      ],
    );
    return new Map(
      rows.map((row) => [
        payments[Number(row.place) - 1]!,
        { kind: 'paid', reservation: reservationOf(row) } as const,
      ]),
    );
  } catch (error) {
    // A deadlock with another call: nothing happened, and processing one by one avoids it.
    if (sqlState(error) !== '40P01') throw error;
    return noneWasPaid;
  }
}
