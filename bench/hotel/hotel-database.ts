import { recount } from '#hotel/inventory/recount.js';
import { hotelMigrations } from '#hotel/migrations.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import { freshDatabase, waitsForTheDisk } from '../fresh-database.js';

export const hotels = 5_000;
/** The three nights that every guest requests, so that all bookings of the hot hotel compete. */
export const stay = { startDate: '2099-07-01', endDate: '2099-07-03' } as const;
const roomsOfType = 10_000_000;

/**
 * Hand-written for pgbench, twice: one guarded UPDATE, and the days locked in order before. They leave out
 * many requests at once, three guards, occupancy and refusals by day; what they write is the same, since
 * triggers write histories and events.
 */
export const functions = ['guarded_update', 'locks_first'] as const;
const baseline = functions
  .map(
    (name) => `
CREATE FUNCTION ${name}(h text, u text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  n integer;
  p bigint[];
BEGIN
  ${
    name === 'locks_first'
      ? `PERFORM FROM room_type_inventory WHERE hotel_id = h AND room_type_id = 'double' AND date BETWEEN '${stay.startDate}' AND '${stay.endDate}'
    ORDER BY date FOR NO KEY UPDATE;`
      : ''
  }
  UPDATE room_type_inventory SET total_reserved = total_reserved + 1, version = version + 1
    WHERE hotel_id = h AND room_type_id = 'double' AND date BETWEEN '${stay.startDate}' AND '${stay.endDate}'
      AND 10 * (total_reserved + 1) <= 11 * total_inventory;
  GET DIAGNOSTICS n = ROW_COUNT;
  IF n <> 3 THEN RAISE EXCEPTION 'sold out'; END IF;
  SELECT array_agg(price_minor ORDER BY date) INTO p FROM room_type_rate
    WHERE hotel_id = h AND room_type_id = 'double' AND date BETWEEN '${stay.startDate}' AND '${stay.endDate}';
  INSERT INTO reservation (reservation_id, user_id, hotel_id, room_type_id, start_date, end_date, room_count, night_prices_minor, price_minor,
    currency, hold_expires_at, free_cancel_until, late_cancel_percent, request, created_at, updated_at)
  VALUES (gen_random_uuid()::text, u, h, 'double', '${stay.startDate}', '${stay.endDate}', 1, p, p[1] + p[2] + p[3],
    'SEK', now() + interval '15 min', now(), 100, h, now(), now())
  ON CONFLICT DO NOTHING;
  RETURN FOUND;
END $$;`,
  )
  .join('');

/**
 * A database of its own on the server of `address`, with `many` hotels of one room type; made every time.
 */
export async function makeHotelDatabase(
  address: string,
  many = hotels,
): Promise<{ readonly sql: Sql; readonly address: string }> {
  const own = await freshDatabase(address, 'meridian_bench_hotel');
  const sql = await openSql(own, { connectionsMax: 4 });
  await waitsForTheDisk(sql);
  await sql.migrate('hotel', hotelMigrations);
  await sql.query(baseline);
  await sql.query(
    `INSERT INTO hotel (hotel_id, name, address, lat, lng, time_zone, currency)
     SELECT 'h' || n, 'Hotel ' || n, 'Street', 57, 12, 'Europe/Stockholm', 'SEK' FROM generate_series(1, $1::int) n`,
    [many],
  );
  await sql.query(
    `INSERT INTO room_type (hotel_id, room_type_id, name) SELECT hotel_id, 'double', 'Double' FROM hotel`,
  );
  const days = `FROM hotel, generate_series(0, 29) d`;
  await sql.query(
    `INSERT INTO room_type_inventory SELECT hotel_id, 'double', '${stay.startDate}'::date + d, ${roomsOfType} ${days}`,
  );
  await sql.query(
    `INSERT INTO room_type_rate SELECT hotel_id, 'double', '${stay.startDate}'::date + d, 10000 ${days}`,
  );
  return { sql, address: own };
}

/** Lists that may only grow: a bench that begins again takes their guards off for one statement. */
const onlyGrow = ['staff_refund', 'folio_entry', 'invoice'];

/** No reservations, and nothing that names one. */
export async function emptyReservations(sql: Sql): Promise<void> {
  const guards = (state: string) =>
    onlyGrow.map((table) => `ALTER TABLE ${table} ${state} TRIGGER USER;`).join('\n');
  await sql.query(
    `DO $$ BEGIN ${guards('DISABLE')}
       TRUNCATE reservation, hotel_outbox, payment_answer CASCADE;
       ${guards('ENABLE')} END $$`,
  );
}

/** Between measurements: no reservations, no backlog, pages and statistics in order. */
export async function emptyHotels(sql: Sql): Promise<void> {
  await emptyReservations(sql);
  await sql.query('UPDATE room_type_inventory SET total_reserved = 0 WHERE total_reserved > 0');
  await sql.query('TRUNCATE hotel_outbox'); // The counts above wrote to it.
  await sql.query('VACUUM ANALYZE');
  await sql.query('CHECKPOINT').catch(() => undefined); // Only a superuser may; others wait for the next one.
}

/** Throws unless the counts are those of the reservations, and at least `acknowledged` are stored. */
export async function proveHotels(sql: Sql, acknowledged: number): Promise<void> {
  const { oversold, miscounted, lost } = await recount(sql);
  if (oversold.length + miscounted.length + lost.length > 0) {
    throw new Error(`void: ${JSON.stringify({ oversold, miscounted, lost })}`);
  }
  const { rows } = await sql.query<{ n: bigint }>('SELECT count(*) AS n FROM reservation');
  const stored = Number(rows[0]!.n);
  if (stored < acknowledged) throw new Error(`void: ${acknowledged} acknowledged, ${stored} stored`);
}
