import { isDeepStrictEqual } from 'node:util';
import type { SqlSession } from '#platform/sql/sql.js';
import { todayIn } from './change-hotel.js';
import type { Hotel, RoomFacts } from './hotel.js';
import { findHotel, findRoom, writeOutOfOrder } from './hotel-rows.js';
import type { Attempt, Hotels } from './hotels.js';
import { staticLimits } from './limits.js';
import { takeKey } from './operator-request.js';

type Created = Awaited<ReturnType<Hotels['createRoom']>>;
type Updated = Awaited<ReturnType<Hotels['updateRoom']>>;
type Deleted = Awaited<ReturnType<Hotels['deleteRoom']>>;

/** See `Hotels.createRoom`. */
export async function createRoom(
  tx: SqlSession,
  now: Date,
  place: { readonly hotelId: string; readonly newId: string },
  facts: RoomFacts,
  attempt: Attempt,
): Promise<Created> {
  const { hotelId, newId } = place;
  const hotel = await findHotel(tx, hotelId, 'FOR SHARE OF h');
  if (hotel === undefined) return { kind: 'unknown-hotel' };
  if (!hasType(hotel, facts.roomTypeId)) return { kind: 'unknown-room-type' };
  const request = JSON.stringify(['room', hotelId, facts]);
  const key = await takeKey(tx, attempt, request, { hotelId, roomId: newId });
  if (key === 'key-used') return { kind: 'key-used' };
  if (key !== 'taken') {
    const made = await findRoom(tx, key.hotelId, key.roomId ?? '');
    return made === undefined ? { kind: 'key-used' } : { kind: 'repeated', made };
  }
  const today = await todayIn(tx, now, hotel.timeZone);
  await tx.query(
    `INSERT INTO room (hotel_id, room_id, room_type_id, number, floor, status, in_service_from) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [hotelId, newId, facts.roomTypeId, facts.number, facts.floor, facts.status, today],
  );
  await writeOutOfOrder(tx, { hotelId, roomId: newId }, facts.outOfOrder);
  await recount(tx, hotelId, [facts.roomTypeId], today);
  return { kind: 'created', made: (await findRoom(tx, hotelId, newId))! };
}

/** See `Hotels.updateRoom`. */
export async function updateRoom(
  tx: SqlSession,
  now: Date,
  place: { readonly hotelId: string; readonly roomId: string },
  facts: RoomFacts,
  ifVersion: bigint | undefined,
): Promise<Updated> {
  const { hotelId, roomId } = place;
  const hotel = await findHotel(tx, hotelId, 'FOR SHARE OF h');
  const before = await findRoom(tx, hotelId, roomId, 'FOR NO KEY UPDATE OF r');
  if (hotel === undefined || before === undefined) return { kind: 'unknown' };
  if (ifVersion !== undefined && ifVersion !== before.version) return { kind: 'stale' };
  const { hotelId: _hotel, roomId: _room, version: _version, ...factsBefore } = before;
  if (isDeepStrictEqual(factsBefore, facts)) return { kind: 'unchanged', now: before };
  if (!hasType(hotel, facts.roomTypeId)) return { kind: 'unknown-room-type' };
  await tx.query(
    `UPDATE room SET room_type_id = $3, number = $4, floor = $5, status = $6, version = version + 1
     WHERE hotel_id = $1 AND room_id = $2`,
    [hotelId, roomId, facts.roomTypeId, facts.number, facts.floor, facts.status],
  );
  const today = await todayIn(tx, now, hotel.timeZone);
  const moved = before.roomTypeId !== facts.roomTypeId;
  if (moved || !isDeepStrictEqual(before.outOfOrder, facts.outOfOrder)) {
    await writeOutOfOrder(tx, place, facts.outOfOrder);
    await recount(tx, hotelId, moved ? [before.roomTypeId, facts.roomTypeId] : [facts.roomTypeId], today);
  }
  return { kind: 'updated', now: (await findRoom(tx, hotelId, roomId))! };
}

/** See `Hotels.deleteRoom`. */
export async function deleteRoom(
  tx: SqlSession,
  now: Date,
  place: { readonly hotelId: string; readonly roomId: string },
  ifVersion: bigint | undefined,
): Promise<Deleted> {
  const { hotelId, roomId } = place;
  const hotel = await findHotel(tx, hotelId, 'FOR SHARE OF h');
  const before = await findRoom(tx, hotelId, roomId, 'FOR NO KEY UPDATE OF r');
  if (hotel === undefined || before === undefined) return 'unknown';
  if (ifVersion !== undefined && ifVersion !== before.version) return 'stale';
  const today = await todayIn(tx, now, hotel.timeZone);
  await tx.query(
    `UPDATE room SET status = 'retired', retired_from = $3, version = version + 1 WHERE hotel_id = $1 AND room_id = $2`,
    [hotelId, roomId, today],
  );
  // Guests who were assigned this room get another room of the type.
  await tx.query('DELETE FROM room_night WHERE hotel_id = $1 AND room_id = $2 AND date >= $3', [
    hotelId,
    roomId,
    today,
  ]);
  await recount(tx, hotelId, [before.roomTypeId], today);
  return 'deleted';
}

const hasType = ({ roomTypes }: Hotel, wanted: string) =>
  roomTypes.some(({ roomTypeId }) => roomTypeId === wanted);

async function recount(tx: SqlSession, hotelId: string, types: readonly string[], today: string) {
  // In the same order as all other transactions that lock counts.
  for (const roomTypeId of types.toSorted((left, right) =>
    Buffer.compare(Buffer.from(left), Buffer.from(right)),
  ))
    await tx.query('SELECT recount_rooms($1, $2, $3, $3::date + $4::integer)', [
      hotelId,
      roomTypeId,
      today,
      staticLimits.recountDays,
    ]);
}
