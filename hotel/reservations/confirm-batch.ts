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
  const paid = await payAsAsked(sql, now(), payments);
  const outcomes: ConfirmOutcome[] = [];
  for (const [index, payment] of payments.entries()) {
    outcomes.push(
      paid.get(index + 1) ??
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

async function payAsAsked(
  sql: Sql,
  now: Date,
  payments: readonly CapturedPayment[],
): Promise<ReadonlyMap<number, ConfirmOutcome>> {
  try {
    const { rows } = await sql.query<PaidRow>(
      `UPDATE reservation r SET status = 'paid', paid_minor = q.amount, payment_id = q.payment, updated_at = $5
       FROM (SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) WITH ORDINALITY
         AS u (id, payment, amount, currency, place) ORDER BY id) q
       WHERE r.reservation_id = q.id COLLATE "C" AND r.status = 'pending_payment' AND r.payment_id IS NULL
         AND r.price_minor = q.amount AND r.currency = q.currency
         AND NOT EXISTS (SELECT FROM payment_answer a WHERE a.payment_id = q.payment COLLATE "C")
         AND NOT EXISTS (SELECT FROM stay_exchange e WHERE e.reservation_id = q.id COLLATE "C")
       RETURNING q.place, r.*`,
      [
        payments.map(({ reservationId }) => reservationId),
        payments.map(({ paymentId }) => paymentId),
        payments.map(({ amountMinor }) => amountMinor),
        payments.map(({ currency }) => currency),
        now,
      ],
    );
    return new Map(
      rows.map((row) => [Number(row.place), { kind: 'paid', reservation: reservationOf(row) } as const]),
    );
  } catch (error) {
    // A deadlock with another call: nothing happened, and processing one by one avoids it.
    if (sqlState(error) !== '40P01') throw error;
    return new Map();
  }
}
