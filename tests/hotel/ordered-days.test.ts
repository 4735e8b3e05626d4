import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import { openOwnDatabase } from '../shared-postgres.js';
import { type HotelDatabase, openHotelDatabase, requestFor } from './inventory-database.js';

const [first, last] = ['2027-07-10', '2027-07-30'];

let db: HotelDatabase;
/** One connection on which PostgreSQL finds a bitmap scan cheaper than an index scan. */
let sql: Sql;
let hotelId: string;
beforeAll(async () => {
  db = await openHotelDatabase(4, 30_000, openOwnDatabase);
  hotelId = await db.hotel({ total: 100, days: 730 });
  // The later days lie in the first places, and statistics know it.
  await db.sql.query(`
    DO $$ BEGIN
      FOR n IN 0..99 LOOP
        UPDATE room_type_inventory SET version = version WHERE hotel_id = '${hotelId}' AND date = DATE '2027-09-01' - n;
      END LOOP;
    END $$`);
  await db.sql.query('ANALYZE room_type_inventory');
  await db.sql.query(`
    CREATE TABLE written (n bigserial, date date);
    CREATE FUNCTION note_written() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO written (date) VALUES (NEW.date); RETURN NULL; END $$;
    CREATE TRIGGER note_written AFTER UPDATE ON room_type_inventory FOR EACH ROW EXECUTE FUNCTION note_written()`);
  sql = await openSql(db.address, { connectionsMax: 1 });
  await sql.query('SET enable_seqscan = off');
  await sql.query('SET random_page_cost = 100');
});
afterAll(async () => {
  await sql?.close();
  await db?.dispose();
});

/** The days of one reservation, in the order in which it wrote and so locked them. */
async function written(): Promise<string[]> {
  await db.sql.query('TRUNCATE written');
  const reservations = db.reservations({ sql, guard: 'version' });
  const outcome = await reservations.reserve(requestFor(hotelId, { startDate: first, endDate: last }));
  expect(outcome.kind).toBe('reserved');
  const { rows } = await db.sql.query<{ day: string }>(`SELECT date::text AS day FROM written ORDER BY n`);
  return rows.map(({ day }) => day);
}

it('H-088: the guard version locks days in order of date, wherever they lie on the disk', async () => {
  const days = await written();
  expect(days).toHaveLength(21);
  expect(days).toEqual(days.toSorted());
});

it('with bitmap scans it would lock them in the order of their places', async () => {
  await db.sql.query(`
    DO $$ BEGIN
      EXECUTE format('ALTER FUNCTION %s RESET enable_bitmapscan', 'reserve_by_version'::regproc::regprocedure);
    END $$`);
  const days = await written();
  expect(days).toHaveLength(21);
  expect(days).not.toEqual(days.toSorted());
});
