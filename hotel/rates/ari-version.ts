import type { SqlRow, SqlSession } from '#platform/sql/sql.js';

/**
 * Prices of these days changed: each day gets another version and so an event, from which channels follow.
 * Hotels without a channel feed need none.
 */
export async function touchDays(
  tx: SqlSession,
  hotelId: string,
  roomTypeIds: readonly string[],
  from: string,
  to?: string,
): Promise<void> {
  await lockFeed(tx, hotelId, 'shared');
  const { rows } = await tx.query('SELECT FROM channel_feed WHERE hotel_id = $1 AND is_on', [hotelId]);
  if (rows.length > 0) await raiseVersions(tx, hotelId, roomTypeIds, from, to);
}

/**
 * Until the end of the transaction: a feed starts after every change that has found none, so its first
 * snapshot has all of them.
 */
export async function lockFeed(tx: SqlSession, hotelId: string, how: 'shared' | 'alone'): Promise<void> {
  const lock = how === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await tx.query(`SELECT ${lock}(hashtextextended($1, 0))`, [`channel feed of ${hotelId}`]);
}

export async function raiseVersions(
  tx: SqlSession,
  hotelId: string,
  roomTypeIds: readonly string[],
  from: string,
  to?: string,
): Promise<void> {
  const days = 'hotel_id = $1 AND room_type_id = ANY ($2) AND date BETWEEN $3 AND coalesce($4::date, date)';
  const values = [hotelId, roomTypeIds, from, to ?? null];
  // In the order of every other caller.
  await tx.query(
    `SELECT FROM room_type_inventory WHERE ${days} ORDER BY room_type_id, date FOR NO KEY UPDATE`,
    values,
  );
  await tx.query(`UPDATE room_type_inventory SET version = version + 1 WHERE ${days}`, values);
}

/** The day in the time zone of the hotel. */
export async function dayAtHotel(sql: SqlSession, hotelId: string, now: Date): Promise<string> {
  const { rows } = await sql.query<SqlRow & { readonly today: string }>(
    'SELECT ($2::timestamptz AT TIME ZONE time_zone)::date AS today FROM hotel WHERE hotel_id = $1',
    [hotelId, now],
  );
  return rows[0]!.today;
}
