import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import type { RoomStatus } from '../hotels/hotel.js';
import { type RoomPosition, roomOrder } from '../housekeeping/rooms-of-hotel.js';
import { hotelLimits } from '../limits.js';
import type { Reservation } from '../reservations/reservation.js';
import { reservationOf } from '../reservations/reservation-row.js';
import { addDays } from '../reservations/stay-days.js';

export interface PlanPlace {
  readonly hotelId: string;
  readonly roomTypeId: string;
  /** First and last night. */
  readonly from: string;
  readonly to: string;
}

export interface PlannedRoom extends RoomPosition {
  readonly status: RoomStatus;
  /** Out of order, or not yet in service. */
  readonly closed: readonly { readonly from: string; readonly to: string }[];
}

export interface RoomPlan {
  readonly types: readonly {
    readonly roomTypeID: string;
    readonly rooms: number;
    readonly unassigned: number;
  }[];
  /** One more than asked for when there are more. */
  readonly rooms: readonly PlannedRoom[];
  readonly stays: readonly Reservation[];
  readonly unassigned: readonly Reservation[];
}

/** Of stays that no room was assigned to yet. */
const unassignedMax = 100;

/** Nights of the hotel $1 from $2 to $3; `start_date` > $4, so that an index finds them. */
const waiting = `v.hotel_id = $1 AND v.status IN ('paid', 'payment_returned')
  AND v.start_date BETWEEN $4::date AND $3::date AND v.end_date >= $2::date
  AND NOT EXISTS (SELECT FROM room_night n WHERE n.reservation_id = v.reservation_id)`;

/** In a transaction that is `repeatable read`: the bars of two pages agree. */
export async function roomPlanOf(
  tx: SqlSession,
  { hotelId, roomTypeId, from, to }: PlanPlace,
  { after, limit }: { readonly after?: RoomPosition | undefined; readonly limit: number },
): Promise<RoomPlan> {
  const nights = [hotelId, from, to];
  const range = [...nights, addDays(from, 1 - hotelLimits.nightsMax)];
  const { rows: types } = await tx.query<TypeRow>(
    `SELECT t.room_type_id, (SELECT count(*)::integer FROM room r WHERE r.hotel_id = t.hotel_id
         AND r.room_type_id = t.room_type_id AND r.status <> 'retired') AS rooms,
       coalesce(w.stays, 0) AS unassigned
     FROM room_type t LEFT JOIN (SELECT v.room_type_id, count(*)::integer AS stays FROM reservation v
         WHERE ${waiting} GROUP BY 1) w USING (room_type_id)
     WHERE t.hotel_id = $1 ORDER BY t.room_type_id`,
    range,
  );
  const { rows: rooms } = await tx.query<PlannedRow>(
    `SELECT r.room_id, r.number, r.floor, r.status::text,
       (SELECT coalesce(json_agg(json_build_object('from', c.first_day, 'to', c.last_day) ORDER BY c.first_day), '[]')
        FROM (SELECT o.from_date, o.to_date FROM room_out_of_order o
            WHERE o.hotel_id = r.hotel_id AND o.room_id = r.room_id AND o.from_date <= $3 AND o.to_date >= $2
          UNION ALL SELECT $2::date, r.in_service_from - 1 WHERE r.in_service_from > $2::date
        ) c (first_day, last_day)) AS closed
     FROM room r WHERE r.hotel_id = $1 AND r.room_type_id = $4 AND r.status <> 'retired'
       AND ($5::integer IS NULL OR (${roomOrder}) > ($5, length($6), $6, $7))
     ORDER BY ${roomOrder} LIMIT $8`,
    [...nights, roomTypeId, after?.floor ?? null, after?.number ?? '', after?.roomId ?? '', limit + 1],
  );
  const shown = rooms.slice(0, limit).map(({ room_id: roomId }) => roomId);
  const { rows: stays } = await tx.query(
    `SELECT * FROM reservation WHERE reservation_id IN (SELECT reservation_id FROM room_night
       WHERE hotel_id = $1 AND date BETWEEN $2 AND $3 AND room_id = ANY ($4))
     ORDER BY start_date, sequence`,
    [...nights, shown],
  );
  const { rows: unassigned } = await tx.query(
    `SELECT * FROM reservation v WHERE ${waiting} AND v.room_type_id = $5
     ORDER BY v.start_date, v.sequence LIMIT ${unassignedMax}`,
    [...range, roomTypeId],
  );
  return {
    types: types.map((row) => ({
      roomTypeID: row.room_type_id,
      ...{ rooms: row.rooms, unassigned: row.unassigned },
    })),
    rooms: rooms.map(({ room_id: roomId, ...room }) => ({ roomId, ...room })),
    stays: stays.map(reservationOf),
    unassigned: unassigned.map(reservationOf),
  };
}

interface TypeRow extends SqlRow {
  readonly room_type_id: string;
  readonly rooms: number;
  readonly unassigned: number;
}

interface PlannedRow extends SqlRow, Omit<PlannedRoom, 'roomId'> {
  readonly room_id: string;
}
