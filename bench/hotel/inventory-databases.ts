import { hotelMigrations } from '#hotel/migrations.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';

export const roomTypes = 20;
export const daysEach = 730;
export const firstDay = '2099-01-01';
const hotelsAtOnce = 100;

/** Hotels `h1` … with 20 room types and two years of counts each, made inside the database; what is there already stays. */
export async function fillDatabase(
  server: string,
  name: string,
  hotels: number,
  onProgress: (rows: number) => void,
): Promise<Sql> {
  const admin = await openSql(server, { connectionsMax: 1 });
  const { rows } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (rows.length === 0) await admin.query(`CREATE DATABASE ${name}`);
  await admin.close();
  const url = new URL(server);
  url.pathname = `/${name}`;
  const sql = await openSql(url.href, { connectionsMax: 4, statementTimeoutMs: 600_000 });
  await sql.migrate('hotel', hotelMigrations);
  const there = await sql.query<{ n: number }>('SELECT count(*)::integer AS n FROM hotel');
  for (let first = there.rows[0]!.n + 1; first <= hotels; first += hotelsAtOnce) {
    const last = Math.min(hotels, first + hotelsAtOnce - 1);
    await sql.transaction(async (tx) => {
      // Nobody listens to the counts of a bench: their events would be as large as they are.
      await tx.query('ALTER TABLE room_type_inventory DISABLE TRIGGER room_type_inventory_added');
      await tx.query(
        `INSERT INTO hotel (hotel_id, name, address, lat, lng, time_zone, currency)
         SELECT 'h' || n, 'Hotel ' || n, 'Street', 57, 12, 'Europe/Stockholm', 'SEK' FROM generate_series($1::int, $2::int) n`,
        [first, last],
      );
      await tx.query(
        `INSERT INTO room_type (hotel_id, room_type_id, name)
         SELECT 'h' || n, 't' || lpad(t::text, 2, '0'), 'Type' FROM generate_series($1::int, $2::int) n, generate_series(1, ${roomTypes}) t`,
        [first, last],
      );
      await tx.query(
        `INSERT INTO room_type_inventory (hotel_id, room_type_id, date, total_inventory)
         SELECT 'h' || n, 't' || lpad(t::text, 2, '0'), '${firstDay}'::date + d, 10
         FROM generate_series($1::int, $2::int) n, generate_series(1, ${roomTypes}) t, generate_series(0, ${daysEach - 1}) d`,
        [first, last],
      );
      await tx.query('ALTER TABLE room_type_inventory ENABLE TRIGGER room_type_inventory_added');
    });
    onProgress(last * roomTypes * daysEach);
  }
  await sql.query('VACUUM ANALYZE room_type_inventory');
  return sql;
}
