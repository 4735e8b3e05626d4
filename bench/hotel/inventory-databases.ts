import { hotelMigrations } from '#hotel/migrations.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import { freshDatabase } from '../fresh-database.js';

export const roomTypes = 20;
export const daysEach = 730;
export const firstDay = '2099-01-01';
/** Parts of `room_type_inventory`, and how many are filled side by side. */
const parts = 8;
const partsAtOnce = 2;
/** Two of these, for sorting the keys, beside what PostgreSQL has for itself. */
const sortMemory = '1GB';

/**
 * Hotels `h1` … with 20 room types and two years of counts each. The rows are made inside the database, part
 * by part and in the order of their keys, into tables without a key. The key is built afterwards, and only
 * then the part is attached. A complete database stays; the missing parts of an interrupted load are made
 * again.
 */
export async function fillDatabase(
  server: string,
  name: string,
  hotels: number,
  onProgress: (rows: number) => void,
): Promise<Sql> {
  const url = new URL(server);
  url.pathname = `/${name}`;
  const made = await isMade(server, name);
  if (!made) await freshDatabase(server, name);
  const sql = await openSql(url.href, { connectionsMax: 4, statementTimeoutMs: 600_000 });
  if (made) return sql;
  await sql.migrate('hotel', hotelMigrations);
  await makeHotels(sql, hotels);
  await eachPart(sql, (part) => `ALTER TABLE room_type_inventory DETACH PARTITION ${tableOf(part)}`);
  await eachPart(sql, (part) => `ALTER TABLE ${tableOf(part)} DROP CONSTRAINT ${tableOf(part)}_pkey`);
  let rows = 0;
  const waiting = Array.from({ length: parts }, (_, part) => part).values();
  await Promise.all(
    Array.from({ length: partsAtOnce }, async () => {
      for (const part of waiting) {
        const added = await fillPart(sql, part);
        rows += added;
        onProgress(rows);
      }
    }),
  );
  await eachPart(
    sql,
    (part) =>
      `ALTER TABLE room_type_inventory ATTACH PARTITION ${tableOf(part)} FOR VALUES WITH (MODULUS ${parts}, REMAINDER ${part})`,
  );
  if (rows !== hotels * roomTypes * daysEach) throw new Error(`void: ${rows} rows were made`);
  await sql.query('ANALYZE room_type_inventory');
  await sql.query(`COMMENT ON DATABASE ${name} IS '${whole}'`);
  return sql;
}

const tableOf = (part: number): string => `room_type_inventory_${part}`;

async function eachPart(sql: Sql, statement: (part: number) => string): Promise<void> {
  for (let part = 0; part < parts; part += 1) await sql.query(statement(part));
}

const whole = 'whole';

async function isMade(server: string, name: string): Promise<boolean> {
  const admin = await openSql(server, { connectionsMax: 1 });
  const { rows } = await admin.query(
    `SELECT shobj_description(oid, 'pg_database') AS said FROM pg_database WHERE datname = $1`,
    [name],
  );
  await admin.close();
  return rows[0]?.['said'] === whole;
}

async function makeHotels(sql: Sql, hotels: number): Promise<void> {
  await sql.query(
    `INSERT INTO hotel (hotel_id, name, address, lat, lng, time_zone, currency)
     SELECT 'h' || n, 'Hotel ' || n, 'Street', 57, 12, 'Europe/Stockholm', 'SEK' FROM generate_series(1, $1::int) n`,
    [hotels],
  );
  await sql.query(
    `INSERT INTO room_type (hotel_id, room_type_id, name)
     SELECT hotel_id, 't' || lpad(t::text, 2, '0'), 'Type' FROM hotel, generate_series(1, ${roomTypes}) t`,
  );
}

/** Frozen at once, so that no later reader writes to its pages. Resolves with the number of rows. */
async function fillPart(sql: Sql, part: number): Promise<number> {
  const table = tableOf(part);
  const rows = await sql.transaction(async (tx) => {
    await tx.query(`SET LOCAL maintenance_work_mem = '${sortMemory}'`);
    const { rowCount } = await tx.query(
      `INSERT INTO ${table} (hotel_id, room_type_id, date, total_inventory)
       SELECT hotel_id, room_type_id, DATE '${firstDay}' + generate_series(0, ${daysEach - 1}), 10
       FROM (SELECT hotel_id, 't' || lpad(generate_series(1, ${roomTypes})::text, 2, '0') AS room_type_id
         FROM (SELECT hotel_id FROM hotel WHERE satisfies_hash_partition('room_type_inventory'::regclass, ${parts}, ${part}, hotel_id::text)
           ORDER BY hotel_id) h) t`,
    );
    await tx.query(
      `ALTER TABLE ${table} ADD CONSTRAINT ${table}_pkey PRIMARY KEY (hotel_id, room_type_id, date)`,
    );
    return rowCount;
  });
  await sql.query(`VACUUM (FREEZE, INDEX_CLEANUP OFF) ${table}`);
  return rows;
}
