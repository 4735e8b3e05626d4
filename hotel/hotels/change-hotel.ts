import { isDeepStrictEqual } from 'node:util';
import type { SqlSession } from '#platform/sql/sql.js';
import { hotelLimits } from '../limits.js';
import type { Hotel, HotelChange, HotelFacts } from './hotel.js';
import { findHotel, writeRoomTypes } from './hotel-rows.js';
import type { Attempt, CreateOutcome, Hotels, UpdateOutcome } from './hotels.js';
import { takeKey } from './operator-request.js';

/** See `Hotels.create`. The days of its room types exist immediately, without rooms. */
export async function createHotel(
  tx: SqlSession,
  now: Date,
  newId: string,
  facts: HotelFacts,
  attempt: Attempt,
): Promise<CreateOutcome<Hotel>> {
  const key = await takeKey(tx, attempt, JSON.stringify(['hotel', facts]), { hotelId: newId, roomId: null });
  if (key === 'key-used') return { kind: 'key-used' };
  if (key !== 'taken') {
    const made = await findHotel(tx, key.hotelId);
    return made === undefined ? { kind: 'key-used' } : { kind: 'repeated', made };
  }
  await tx.query(
    `INSERT INTO hotel (hotel_id, name, address, lat, lng, time_zone, currency, check_in_time, check_out_time, amenities, country, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)`,
    [newId, ...columnsOf(facts), now],
  );
  await addRoomTypes(tx, now, newId, facts);
  return { kind: 'created', made: (await findHotel(tx, newId))! };
}

/** See `Hotels.update`. */
export async function updateHotel(
  tx: SqlSession,
  now: Date,
  hotelId: string,
  change: HotelChange,
  ifVersion: bigint | undefined,
): Promise<UpdateOutcome<Hotel, 'keeps-meaning' | 'keeps-room-types'>> {
  const before = await findHotel(tx, hotelId, 'FOR NO KEY UPDATE OF h');
  if (before === undefined) return { kind: 'unknown' };
  if (ifVersion !== undefined && ifVersion !== before.version) return { kind: 'stale' };
  const { hotelId: _id, version: _version, ...factsBefore } = before;
  const facts: HotelFacts = { roomTypes: before.roomTypes, ...change };
  if (isDeepStrictEqual(factsBefore, facts)) return { kind: 'unchanged', now: before };
  if (facts.currency !== before.currency || facts.timeZone !== before.timeZone)
    return { kind: 'keeps-meaning' };
  const kept = new Set(facts.roomTypes.map(({ roomTypeId }) => roomTypeId));
  if (!before.roomTypes.every(({ roomTypeId }) => kept.has(roomTypeId))) return { kind: 'keeps-room-types' };
  await tx.query(
    `UPDATE hotel SET name = $2, address = $3, lat = $4, lng = $5, time_zone = $6, currency = $7, check_in_time = $8, check_out_time = $9,
       amenities = $10, country = $11, updated_at = $12, version = version + 1 WHERE hotel_id = $1`,
    [hotelId, ...columnsOf(facts), now],
  );
  await addRoomTypes(tx, now, hotelId, facts);
  return { kind: 'updated', now: (await findHotel(tx, hotelId))! };
}

/**
 * See `Hotels.delete`. The days are locked and emptied before the search for reservations: a concurrent
 * booking waits for the lock and then finds no room, or it was first and is found here.
 */
export async function deleteHotel(
  tx: SqlSession,
  now: Date,
  hotelId: string,
  ifVersion: bigint | undefined,
): Promise<Awaited<ReturnType<Hotels['delete']>>> {
  const before = await findHotel(tx, hotelId, 'FOR NO KEY UPDATE OF h');
  if (before === undefined) return 'unknown';
  if (ifVersion !== undefined && ifVersion !== before.version) return 'stale';
  const today = await todayIn(tx, now, before.timeZone);
  await tx.query(
    'SELECT FROM room_type_inventory WHERE hotel_id = $1 AND date >= $2 ORDER BY room_type_id, date FOR NO KEY UPDATE',
    [hotelId, today],
  );
  const { rows } = await tx.query(
    `SELECT 1 FROM reservation WHERE hotel_id = $1 AND end_date >= $2
       AND status IN ('pending_payment', 'paid', 'payment_returned', 'checked_in') LIMIT 1`,
    [hotelId, today],
  );
  if (rows.length > 0) return 'reserved';
  await tx.query(
    `UPDATE room_type_inventory SET total_inventory = 0, version = version + 1
     WHERE hotel_id = $1 AND date >= $2 AND total_inventory > 0`,
    [hotelId, today],
  );
  await tx.query(
    'UPDATE room SET retired_from = $2, version = version + 1 WHERE hotel_id = $1 AND retired_from IS NULL',
    [hotelId, today],
  );
  await tx.query(
    'UPDATE hotel SET deleted_at = $2, updated_at = $2, version = version + 1 WHERE hotel_id = $1',
    [hotelId, now],
  );
  return 'deleted';
}

/** `YYYY-MM-DD` of a zone, by the database's own table of zones, which also dates the reservations. */
export async function todayIn(tx: SqlSession, now: Date, timeZone: string): Promise<string> {
  const { rows } = await tx.query('SELECT ($1::timestamptz AT TIME ZONE $2)::date AS today', [now, timeZone]);
  return rows[0]!['today'] as string;
}

async function addRoomTypes(tx: SqlSession, now: Date, hotelId: string, facts: HotelFacts): Promise<void> {
  await writeRoomTypes(tx, hotelId, facts);
  await tx.query('SELECT fill_inventory($1, $2, $3)', [[hotelId], now, hotelLimits.daysAhead]);
}

const columnsOf = (facts: HotelFacts) => [
  facts.name,
  facts.address,
  facts.lat,
  facts.lng,
  facts.timeZone,
  facts.currency,
  facts.checkInTime,
  facts.checkOutTime,
  facts.amenities,
  facts.country ?? null,
];
