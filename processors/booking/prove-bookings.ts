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

/** What a server has of its hotels, by the name under which the proof reads it. */
const facts = {
  booked: `SELECT reservation_id, status, payment_id, paid_minor, refund_due_minor, refunded_minor, disputed_minor
    FROM reservation WHERE hotel_is_here(hotel_id)`,
  paid: `SELECT reservation_id, payment_id, supplement_id, captured_minor, refunded_minor, disputed_minor
    FROM stay_payment s WHERE ${isHere('s')}`,
  supplement: `SELECT supplement_id, reservation_id, status, amount_minor FROM stay_supplement u
    WHERE ${isHere('u')}`,
} as const;
const rowsAtOnce = 5_000;

/**
 * Compares rooms with money, if nothing is in progress. The payments of a reservation were captured in full,
 * each is what its price or supplement asked for, and it includes their other refunds and disputes. No
 * payment was refunded beyond itself. The refunds of all of them are the promised ones. Payments for nothing
 * were returned completely.
 *
 * `elsewhere`: other servers with reservations; then `sql`, which has the payments, is a transaction.
 */
export async function proveBookings(sql: SqlSession, elsewhere: readonly Sql[] = []): Promise<BookingProof> {
  for (const server of elsewhere) await gather(sql, server);
  const also = (name: string) => (elsewhere.length === 0 ? '' : `UNION ALL SELECT * FROM ${name}_elsewhere`);
  const { rows } = await sql.query<UnprovenBooking & { readonly good: boolean }>(
    `WITH ${Object.entries(facts)
      .map(([name, here]) => `${name} AS NOT MATERIALIZED (${here} ${also(name)})`)
      .join(', ')}, own AS (
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
             AND (s.refunded_minor, s.disputed_minor) = (o.refunding_minor, coalesce(disputed.minor, 0))) AS good
       FROM paid s LEFT JOIN payment_orders o ON o.payment_order_id = s.payment_id
         LEFT JOIN booking_payment b ON b.payment_order_id = s.payment_id
         LEFT JOIN supplement u ON u.supplement_id = s.supplement_id AND u.reservation_id = s.reservation_id
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
       FROM booked r FULL JOIN sums s USING (reservation_id)
       WHERE r.payment_id IS NOT NULL OR s.reservation_id IS NOT NULL
       UNION ALL
       SELECT p.reservation_id, o.payment_order_id, r.status::text, 0, o.captured_minor, o.captured_minor,
         o.refunded_minor, r.reservation_id IS NOT NULL
           AND o.refunded_minor + coalesce(disputed.minor, 0) >= o.captured_minor
       FROM booking_payment p JOIN payment_orders o USING (payment_order_id) LEFT JOIN booked r USING (reservation_id)
         LEFT JOIN disputed USING (payment_order_id)
       WHERE o.captured_minor > 0 AND NOT EXISTS (
         SELECT FROM paid s WHERE s.reservation_id = p.reservation_id AND s.payment_id = p.payment_order_id))
     SELECT reservation_id, payment_order_id, status, paid_minor, captured_minor, due_minor, refunded_minor,
       good IS TRUE AS good FROM both_sides`,
  );
  const unproven = rows.filter(({ good }) => !good);
  return { proven: rows.length - unproven.length, unproven: unproven.slice(0, 100) };
}

/** The facts of another server at one moment, into tables that the transaction drops. */
async function gather(tx: SqlSession, server: Sql): Promise<void> {
  await server.transaction(
    async (there) => {
      for (const [name, select] of Object.entries(facts)) {
        const into = `${name}_elsewhere`;
        await tx.query(`CREATE TEMPORARY TABLE IF NOT EXISTS ${into} ON COMMIT DROP AS ${select} LIMIT 0`);
        await there.query(
          `DECLARE gathered NO SCROLL CURSOR FOR SELECT to_jsonb(f)::text AS row FROM (${select}) f`,
        );
        for (;;) {
          const { rows } = await there.query(`FETCH ${rowsAtOnce} FROM gathered`);
          if (rows.length === 0) break;
          await tx.query(
            `INSERT INTO ${into} SELECT * FROM jsonb_populate_recordset(NULL::${into}, $1::jsonb)`,
            [`[${rows.map((row) => row['row'] as string).join(',')}]`],
          );
        }
        await there.query('CLOSE gathered');
      }
    },
    { isolation: 'repeatable read', attempts: 1 },
  );
}

/** Not of a hotel that is on another server. */
function isHere(alias: string): string {
  return `NOT EXISTS (SELECT FROM reservation r
    WHERE r.reservation_id = ${alias}.reservation_id AND NOT hotel_is_here(r.hotel_id))`;
}
