import { expect } from 'vitest';
import { openSql } from '#platform/sql/open-sql.js';
import { eventually } from '../eventually.js';
import type { HotelDatabase } from './inventory-database.js';

/**
 * Runs `work`; the highest count of any day of the hotel from before its begin until after its end. The
 * server itself looks every 10 ms, however busy this process is.
 */
export async function sampled<Result>(db: HotelDatabase, hotelId: string, work: () => Promise<Result>) {
  await db.sql.query(`
    CREATE TABLE sampling (began boolean);
    INSERT INTO sampling VALUES (true);
    CREATE FUNCTION highest_counts(hotel text) RETURNS TABLE (n integer, at_ms float8) LANGUAGE plpgsql AS $$
    DECLARE ends boolean := false;
    BEGIN
      WHILE NOT ends LOOP
        ends := NOT EXISTS (SELECT FROM sampling);
        RETURN QUERY SELECT max(total_reserved), extract(epoch FROM clock_timestamp())::float8 * 1000
          FROM room_type_inventory WHERE hotel_id = hotel;
        PERFORM pg_sleep(0.01);
      END LOOP;
    END $$`);
  const own = await openSql(db.address, { connectionsMax: 1 });
  try {
    const sampling = own.query<{ n: number; at_ms: number }>('SELECT * FROM highest_counts($1)', [hotelId]);
    await eventually(async () => {
      const { rows } = await db.sql.query(
        `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query LIKE '%highest_counts%'`,
      );
      expect(rows).toHaveLength(1);
    });
    let result: Result;
    try {
      result = await work();
    } finally {
      await db.sql.query('DELETE FROM sampling');
    }
    const { rows } = await sampling;
    const gapsMs = rows.slice(1).map(({ at_ms }, i) => at_ms - rows[i]!.at_ms);
    const medianGapMs = gapsMs.toSorted((a, b) => a - b)[Math.floor(gapsMs.length / 2)]!;
    return { result, samples: rows.map(({ n }) => n), medianGapMs };
  } finally {
    await own.close();
    await db.sql.query('DROP TABLE sampling; DROP FUNCTION highest_counts');
  }
}
