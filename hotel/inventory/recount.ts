import type { SqlRow, SqlSession } from '#platform/sql/sql.js';

/** A day whose counts differ from the counted rows. Empty lists mean that all counts are correct. */
export interface Recount {
  /** More is sold than overbooking or limit allow. Valid only if either was lowered after rooms were sold. */
  readonly oversold: readonly CountedDay[];
  /**
   * `total_reserved` is not the sum of the rooms of active reservations, of those that changes wait with, and
   * of those held for groups.
   */
  readonly miscounted: readonly CountedDay[];
  /**
   * `total_inventory` is not the number of rooms that can be sold; checked only if the rooms are known
   * individually, and from today on: days that are over keep what could be sold then, while a room that was
   * moved or repaired since is known only as it is now.
   */
  readonly misfilled: readonly CountedDay[];
  /** Reservations whose history is not a sequence of documented status changes that ends in their status. */
  readonly lost: readonly string[];
  /** Room-nights that were counted again. */
  readonly days: number;
}

export interface CountedDay extends SqlRow {
  readonly hotel_id: string;
  readonly room_type_id: string;
  readonly day: string;
  readonly counted: number;
  readonly found: number;
}

/**
 * The test oracle: counts everything again from reservations and rooms, in one snapshot when `sql` is a
 * repeatable-read transaction. Slow on purpose, and shares no statement with what it checks.
 */
export async function recount(
  sql: SqlSession,
  options: { readonly rooms?: boolean; readonly now?: Date } = {},
): Promise<Recount> {
  const oversold = await sql.query<CountedDay>(
    `SELECT hotel_id, room_type_id, date AS day, total_reserved AS counted, total_inventory AS found
     FROM room_type_inventory
     WHERE 100 * total_reserved > overbooking_percent * total_inventory OR total_reserved > sell_limit
     ORDER BY 1, 2, 3 LIMIT 100`,
  );
  const miscounted = await sql.query<CountedDay>(
    `WITH night AS (
       SELECT hotel_id, room_type_id, day, sum(rooms)::integer AS found FROM (
         SELECT r.hotel_id, r.room_type_id, d::date AS day, r.room_count AS rooms
         FROM reservation r, generate_series(r.start_date::timestamp, r.end_date, '1 day') d
         WHERE r.status IN ('pending_payment', 'paid', 'payment_returned', 'checked_in', 'completed', 'no_show')
         UNION ALL SELECT hotel_id, room_type_id, date, held FROM group_block_night WHERE held > 0
         UNION ALL
         -- A change that waits to be paid holds what it needs beyond the paid stay.
         SELECT r.hotel_id, u.stay->>'roomTypeId', d::date, greatest(0, (u.stay->>'roomCount')::integer
           - CASE WHEN r.room_type_id = u.stay->>'roomTypeId' AND d::date BETWEEN r.start_date AND r.end_date
             THEN r.room_count ELSE 0 END)
         FROM stay_supplement u JOIN reservation r USING (reservation_id),
           generate_series((u.stay->>'startDate')::timestamp, (u.stay->>'endDate')::timestamp, '1 day') d
         WHERE u.status = 'open' AND u.stay IS NOT NULL) s
         WHERE rooms > 0
       GROUP BY 1, 2, 3)
     SELECT coalesce(i.hotel_id, n.hotel_id) AS hotel_id,
       coalesce(i.room_type_id, n.room_type_id) AS room_type_id,
       coalesce(i.date, n.day) AS day, coalesce(i.total_reserved, 0) AS counted, coalesce(n.found, 0) AS found
     FROM (SELECT * FROM room_type_inventory WHERE total_reserved > 0) i
     FULL JOIN night n ON (n.hotel_id, n.room_type_id, n.day) = (i.hotel_id, i.room_type_id, i.date)
     WHERE i.total_reserved IS DISTINCT FROM n.found ORDER BY 1, 2, 3 LIMIT 100`,
  );
  const misfilled = !options.rooms
    ? { rows: [] }
    : await sql.query<CountedDay>(
        `SELECT hotel_id, room_type_id, date AS day, total_inventory AS counted, found FROM (
           SELECT i.*, (SELECT count(*) FROM room r
               WHERE r.hotel_id = i.hotel_id AND r.room_type_id = i.room_type_id
               AND i.date >= r.in_service_from AND i.date < coalesce(r.retired_from, 'infinity'))::integer
             - (SELECT count(DISTINCT o.room_id)
               FROM room_out_of_order o JOIN room r USING (hotel_id, room_id)
               WHERE r.hotel_id = i.hotel_id AND r.room_type_id = i.room_type_id
               AND i.date BETWEEN o.from_date AND o.to_date AND i.date >= r.in_service_from
               AND i.date < coalesce(r.retired_from, 'infinity'))::integer AS found
           FROM room_type_inventory i JOIN hotel h USING (hotel_id)
           WHERE i.date >= ($1::timestamptz AT TIME ZONE h.time_zone)::date) x
         WHERE total_inventory <> found ORDER BY 1, 2, 3 LIMIT 100`,
        [options.now ?? new Date()],
      );
  const lost = await sql.query<{ reservation_id: string }>(
    `WITH step AS (
       SELECT h.*, lag(to_status) OVER path AS before,
         row_number() OVER (PARTITION BY reservation_id ORDER BY position DESC) AS from_end
       FROM reservation_status_history h WINDOW path AS (PARTITION BY reservation_id ORDER BY position))
     SELECT reservation_id FROM reservation r WHERE NOT EXISTS (
         SELECT FROM step s
         WHERE s.reservation_id = r.reservation_id AND s.from_end = 1 AND s.to_status = r.status)
     UNION SELECT reservation_id FROM step s WHERE from_status IS DISTINCT FROM before
       OR (from_status IS NULL AND to_status <> 'pending_payment')
       OR (from_status IS NOT NULL AND NOT EXISTS (SELECT FROM reservation_status_move m
         WHERE m.from_status = s.from_status AND m.to_status = s.to_status))
     ORDER BY 1 LIMIT 100`,
  );
  const days = await sql.query<{ n: bigint }>('SELECT count(*) AS n FROM room_type_inventory');
  return {
    oversold: oversold.rows,
    miscounted: miscounted.rows,
    misfilled: misfilled.rows,
    lost: lost.rows.map((row) => row.reservation_id),
    days: Number(days.rows[0]!.n),
  };
}
