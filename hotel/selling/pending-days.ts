import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import type { HotelEvent } from '../outbox/hotel-event.js';
import { addDays } from '../reservations/stay-days.js';
import { channelLimits } from './channel-limits.js';

/** A day of a room type whose delta is not in the log yet. */
export interface PendingDay {
  readonly roomTypeId: string;
  readonly day: string;
  readonly stamp: bigint;
}

/** Notes the days that the events changed, of hotels with a feed; answers how many. */
export async function notePending(sql: SqlSession, events: readonly HotelEvent[]): Promise<number> {
  const days = changedDays(events);
  if (days.length === 0) return 0;
  const { rowCount } = await sql.query(
    `INSERT INTO channel_pending (hotel_id, room_type_id, date)
     SELECT DISTINCT q.hotel, q.type, q.day FROM unnest($1::text[], $2::text[], $3::date[]) q (hotel, type, day)
       JOIN channel_feed f ON f.hotel_id = q.hotel AND f.is_on ORDER BY 1, 2, 3
     ON CONFLICT (hotel_id, room_type_id, date) DO UPDATE SET stamp = DEFAULT`,
    [days.map(({ hotelId }) => hotelId), days.map(({ type }) => type), days.map(({ day }) => day)],
  );
  return rowCount;
}

/** Days from `from` to `to`, both included. */
export interface AskedState {
  readonly from: string;
  readonly to: string;
  /** Absent: all of the hotel. */
  readonly roomTypeIds?: readonly string[] | undefined;
}

export interface Noted {
  /** Of room types. */
  readonly days: number;
  /** They are published when no day with this stamp or a lower one waits. */
  readonly lastStamp: bigint;
}

/** Notes every day, so that the whole state is published as deltas. Undefined if the hotel has no feed. */
export async function noteWholeState(
  sql: SqlSession,
  hotelId: string,
  { from, to, roomTypeIds }: AskedState,
): Promise<Noted | undefined> {
  const { rows } = await sql.query('SELECT FROM channel_feed WHERE hotel_id = $1 AND is_on', [hotelId]);
  if (rows.length === 0) return undefined;
  const { rows: noted } = await sql.query<SqlRow & { days: bigint; last: bigint }>(
    `WITH noted AS (
       INSERT INTO channel_pending (hotel_id, room_type_id, date)
       SELECT hotel_id, room_type_id, date FROM room_type_inventory
       WHERE hotel_id = $1 AND date BETWEEN $2::date AND $3::date
         AND ($4::text[] IS NULL OR room_type_id = ANY ($4)) ORDER BY 1, 2, 3
       ON CONFLICT (hotel_id, room_type_id, date) DO UPDATE SET stamp = DEFAULT RETURNING stamp)
     SELECT count(*) AS days, coalesce(max(stamp), 0) AS last FROM noted`,
    [hotelId, from, to, roomTypeIds ?? null],
  );
  return { days: Number(noted[0]!.days), lastStamp: noted[0]!.last };
}

function changedDays(events: readonly HotelEvent[]) {
  const days: { readonly hotelId: string; readonly type: string; readonly day: string }[] = [];
  for (const event of events) {
    if (event.kind !== 'inventory.changed') continue;
    const { hotelId, roomTypeId: type, dates } = event.body;
    // The day after a night that closed to departure is shown as closed.
    for (const date of dates) for (const day of [date, addDays(date, 1)]) days.push({ hotelId, type, day });
  }
  return days;
}

/** Hotels that wait for deltas. */
export async function hotelsPending(sql: SqlSession): Promise<readonly string[]> {
  const { rows } = await sql.query<SqlRow & { hotel_id: string }>(
    'SELECT hotel_id FROM channel_pending GROUP BY hotel_id HAVING hotel_is_open(hotel_id) ORDER BY hotel_id',
  );
  return rows.map((row) => row.hotel_id);
}

export async function pendingDays(sql: SqlSession, hotelId: string): Promise<readonly PendingDay[]> {
  const { rows } = await sql.query<SqlRow & { room_type_id: string; date: string; stamp: bigint }>(
    'SELECT room_type_id, date, stamp FROM channel_pending WHERE hotel_id = $1 ORDER BY stamp LIMIT $2',
    [hotelId, channelLimits.pendingAtOnce],
  );
  return rows.map(({ room_type_id: roomTypeId, date: day, stamp }) => ({ roomTypeId, day, stamp }));
}

/** Their delta is in the log. A day that changed meanwhile has another stamp and stays. */
export async function forgetPending(
  sql: SqlSession,
  hotelId: string,
  days: readonly PendingDay[],
): Promise<void> {
  await sql.query(
    `DELETE FROM channel_pending p USING unnest($2::text[], $3::date[], $4::bigint[]) q (type, day, stamp)
     WHERE p.hotel_id = $1 AND p.room_type_id = q.type AND p.date = q.day AND p.stamp = q.stamp`,
    [
      hotelId,
      days.map(({ roomTypeId }) => roomTypeId),
      days.map(({ day }) => day),
      days.map(({ stamp }) => stamp),
    ],
  );
}
