import type { Sql, SqlRow, SqlSession } from '#platform/sql/sql.js';

export interface UnprovenBooking extends SqlRow {
  readonly reservation_id: string;
  readonly payment_order_id: string | null;
  readonly status: string;
  readonly paid_minor: bigint;
  readonly captured_minor: bigint | null;
  readonly due_minor: bigint;
  readonly refunded_minor: bigint | null;
}

export interface BookingProof {
  readonly proven: number;
  /** At most 100. */
  readonly unproven: readonly UnprovenBooking[];
}

const columns = [
  ...['reservation_id', 'status', 'payment_id', 'paid_minor', 'refund_due_minor'],
  ...['refunded_minor', 'disputed_minor', 'money_version'],
].join(', ');
const rowsAtOnce = 5_000;

/**
 * Compares rooms with money, if nothing is in progress. A reservation is paid exactly when its payment was
 * captured in full, the promised refunds were paid, it includes every other refund and dispute, and payments
 * for no rooms were returned completely.
 *
 * `elsewhere`: other servers with reservations; then `sql`, which has the payments, is a transaction.
 */
export async function proveBookings(sql: SqlSession, elsewhere: readonly Sql[] = []): Promise<BookingProof> {
  if (elsewhere.length > 0) await gather(sql, elsewhere);
  const { rows } = await sql.query<UnprovenBooking & { readonly good: boolean }>(
    `WITH booked AS NOT MATERIALIZED (
       SELECT ${columns} FROM reservation WHERE hotel_is_here(hotel_id)
       ${elsewhere.length === 0 ? '' : `UNION ALL SELECT ${columns} FROM booked_elsewhere`}
     ), own AS (
       SELECT b.payment_order_id, sum(p.amount_minor)::bigint AS refunded_minor
       FROM booking_refund b JOIN payment_refunds p USING (refund_id)
       WHERE p.refund_status = 'SUCCESS' GROUP BY 1
     ), disputed AS (
       SELECT payment_order_id, sum(amount_minor)::bigint AS minor FROM payment_disputes
       WHERE dispute_status <> 'WON' GROUP BY 1
     ), both_sides AS (
       SELECT r.reservation_id, o.payment_order_id, r.status::text, r.paid_minor, o.captured_minor, r.refund_due_minor AS due_minor,
         coalesce(own.refunded_minor, 0) AS refunded_minor,
         o.payment_order_status = 'SUCCESS' AND o.captured_minor = r.paid_minor
           AND coalesce(own.refunded_minor, 0) = r.refund_due_minor
           -- Nothing was read of a payment that nobody touched.
           AND (r.money_version = 0
             OR (r.refunded_minor, r.disputed_minor)
               = (o.refunding_minor, coalesce(disputed.minor, 0))) AS good
       FROM booked r LEFT JOIN payment_orders o ON o.payment_order_id = r.payment_id
         LEFT JOIN own ON own.payment_order_id = r.payment_id
         LEFT JOIN disputed ON disputed.payment_order_id = r.payment_id
       WHERE r.payment_id IS NOT NULL AND r.payment_id NOT LIKE 'free:%'
       UNION ALL
       SELECT p.reservation_id, o.payment_order_id, r.status::text, 0, o.captured_minor, o.captured_minor,
         o.refunded_minor, r.reservation_id IS NOT NULL
           AND o.refunded_minor + coalesce(disputed.minor, 0) >= o.captured_minor
       FROM booking_payment p JOIN payment_orders o USING (payment_order_id) LEFT JOIN booked r USING (reservation_id)
         LEFT JOIN disputed USING (payment_order_id)
       WHERE r.payment_id IS DISTINCT FROM p.payment_order_id AND o.captured_minor > 0)
     SELECT reservation_id, payment_order_id, status, paid_minor, captured_minor, due_minor, refunded_minor, good IS TRUE AS good FROM both_sides`,
  );
  const unproven = rows.filter(({ good }) => !good);
  return { proven: rows.length - unproven.length, unproven: unproven.slice(0, 100) };
}

/** The reservations of other servers, into a table that the transaction drops. */
async function gather(tx: SqlSession, elsewhere: readonly Sql[]): Promise<void> {
  await tx.query(
    `CREATE TEMPORARY TABLE booked_elsewhere ON COMMIT DROP AS SELECT ${columns} FROM reservation LIMIT 0`,
  );
  for (const server of elsewhere) {
    let after = '';
    for (;;) {
      const { rows } = await server.query(
        `SELECT max(reservation_id) AS last, jsonb_agg(to_jsonb(r))::text AS rows FROM (
           SELECT ${columns} FROM reservation WHERE reservation_id > $1 AND hotel_is_here(hotel_id)
           ORDER BY reservation_id LIMIT ${rowsAtOnce}) r`,
        [after],
      );
      const [page] = rows;
      if (page === undefined || page['last'] === null) break;
      await tx.query(
        `INSERT INTO booked_elsewhere SELECT ${columns} FROM jsonb_populate_recordset(NULL::booked_elsewhere, $1::jsonb)`,
        [page['rows'] as string],
      );
      after = page['last'] as string;
    }
  }
}
