import type { SqlRow, SqlSession } from '#platform/sql/sql.js';

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

/**
 * Compares rooms with money, if both are in one database and nothing is in progress. The payments of a
 * reservation were captured in full, each is what its price or supplement asked for, and it includes their
 * other refunds and disputes. No payment was refunded beyond itself. The refunds of all of them are the
 * promised ones. Payments for nothing were returned completely.
 */
export async function proveBookings(sql: SqlSession): Promise<BookingProof> {
  const { rows } = await sql.query<UnprovenBooking & { readonly good: boolean }>(
    `WITH own AS (
       SELECT b.payment_order_id, sum(p.amount_minor)::bigint AS refunded_minor
       FROM booking_refund b JOIN payment_refunds p USING (refund_id)
       WHERE p.refund_status = 'SUCCESS' GROUP BY 1
     ), disputed AS (
       SELECT payment_order_id, sum(amount_minor)::bigint AS minor FROM payment_disputes
       WHERE dispute_status <> 'WON' GROUP BY 1
     ), taken AS (
       SELECT s.*, o.captured_minor AS ordered_minor, o.payment_order_id, coalesce(own.refunded_minor, 0) AS own_minor,
         s.payment_id LIKE 'free:%' AND s.captured_minor = 0 OR (
           o.payment_order_status = 'SUCCESS' AND o.captured_minor = s.captured_minor
             AND o.refunded_minor <= o.captured_minor AND b.reservation_id = s.reservation_id
             AND b.supplement_id = coalesce(s.supplement_id, '')
             AND (s.supplement_id IS NULL OR (u.status, u.amount_minor) = ('paid', s.captured_minor))
             -- Nothing was read of a payment that nobody touched.
             AND (s.money_version = 0 OR (s.refunded_minor, s.disputed_minor)
               = (o.refunding_minor, coalesce(disputed.minor, 0)))) AS good
       FROM stay_payment s LEFT JOIN payment_orders o ON o.payment_order_id = s.payment_id
         LEFT JOIN booking_payment b ON b.payment_order_id = s.payment_id
         LEFT JOIN stay_supplement u ON u.supplement_id = s.supplement_id AND u.reservation_id = s.reservation_id
         LEFT JOIN own ON own.payment_order_id = s.payment_id
         LEFT JOIN disputed ON disputed.payment_order_id = s.payment_id
     ), sums AS (
       SELECT reservation_id, sum(captured_minor)::bigint AS captured_minor, sum(refunded_minor)::bigint AS refunded_minor,
         sum(disputed_minor)::bigint AS disputed_minor, sum(own_minor)::bigint AS own_minor, bool_and(good IS TRUE) AS good,
         count(*) FILTER (WHERE supplement_id IS NULL) AS firsts
       FROM taken GROUP BY 1
     ), both_sides AS (
       SELECT r.reservation_id, r.payment_id AS payment_order_id, r.status::text, r.paid_minor, s.captured_minor,
         r.refund_due_minor AS due_minor, s.own_minor AS refunded_minor,
         s.good AND s.firsts = 1 AND s.own_minor = r.refund_due_minor
           AND (r.paid_minor, r.refunded_minor, r.disputed_minor)
             = (s.captured_minor, s.refunded_minor, s.disputed_minor) AS good
       FROM reservation r FULL JOIN sums s USING (reservation_id)
       WHERE r.payment_id IS NOT NULL OR s.reservation_id IS NOT NULL
       UNION ALL
       SELECT p.reservation_id, o.payment_order_id, r.status::text, 0, o.captured_minor, o.captured_minor,
         o.refunded_minor, r.reservation_id IS NOT NULL
           AND o.refunded_minor + coalesce(disputed.minor, 0) >= o.captured_minor
       FROM booking_payment p JOIN payment_orders o USING (payment_order_id) LEFT JOIN reservation r USING (reservation_id)
         LEFT JOIN disputed USING (payment_order_id)
       WHERE o.captured_minor > 0 AND NOT EXISTS (
         SELECT FROM stay_payment s WHERE s.reservation_id = p.reservation_id AND s.payment_id = p.payment_order_id))
     SELECT reservation_id, payment_order_id, status, paid_minor, captured_minor, due_minor, refunded_minor,
       good IS TRUE AS good FROM both_sides`,
  );
  const unproven = rows.filter(({ good }) => !good);
  return { proven: rows.length - unproven.length, unproven: unproven.slice(0, 100) };
}
