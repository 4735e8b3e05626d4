import { queryAll } from '#platform/sql/query-all.js';
import type { SqlSession } from '#platform/sql/sql.js';
import type { Hotel } from '../hotels/hotel.js';
import { moneyText } from '../hotels/money-text.js';
import { type DayRestrictions, dayRestrictions, restrictionsOf } from '../rates/day-restrictions.js';
import type { Reservation } from '../reservations/reservation.js';
import { reservationOf } from '../reservations/reservation-row.js';

export interface ReservationSearch {
  readonly hotelId?: string;
  readonly userId?: string;
  /** The one of this booking number. */
  readonly sequence?: bigint;
  readonly status?: string;
  /** Guests whose stay includes this day, whether they arrived or not. */
  readonly on?: string;
  /** Only those with a refund, in progress or complete. */
  readonly refundDue?: boolean;
  /** Only those with a lower sequence. */
  readonly before?: bigint;
  /** Only those of these hotels. */
  readonly properties?: readonly string[] | undefined;
  readonly limit: number;
}

/** Of several databases, each with its own sequences: by sequence, which is newest first in each. */
export async function searchReservations(
  databases: readonly SqlSession[],
  { hotelId, userId, sequence, status, on, refundDue = false, before, properties, limit }: ReservationSearch,
): Promise<readonly Reservation[]> {
  const rows = await queryAll(
    databases,
    `SELECT * FROM reservation
     WHERE hotel_is_here(hotel_id) AND ($1::text IS NULL OR hotel_id = $1) AND ($2::text IS NULL OR user_id = $2) AND ($3::text IS NULL OR status::text = $3)
       AND ($4::date IS NULL OR $4 BETWEEN start_date AND end_date) AND ($5::bigint IS NULL OR sequence < $5)
       AND (NOT $7 OR refund_due_minor > 0) AND ($8::text[] IS NULL OR hotel_id = ANY ($8))
       AND ($9::bigint IS NULL OR sequence = $9 AND payment_id IS NOT NULL)
     ORDER BY sequence DESC LIMIT $6`,
    [
      hotelId ?? null,
      userId ?? null,
      status ?? null,
      on ?? null,
      before ?? null,
      limit,
      refundDue,
      properties ?? null,
      sequence ?? null,
    ],
  );
  const found = rows.map(reservationOf);
  return databases.length === 1
    ? found
    : found.toSorted((a, b) => (a.sequence < b.sequence ? 1 : -1)).slice(0, limit);
}

export interface StatusMove {
  readonly at: string;
  readonly from: string | null;
  readonly to: string;
}

/** Oldest first. */
export async function historyOf(sql: SqlSession, reservationId: string): Promise<readonly StatusMove[]> {
  const { rows } = await sql.query(
    'SELECT at, from_status, to_status FROM reservation_status_history WHERE reservation_id = $1 ORDER BY position',
    [reservationId],
  );
  return rows.map((row) => ({
    at: (row['at'] as Date).toISOString(),
    from: row['from_status'] as string | null,
    to: row['to_status'] as string,
  }));
}

export interface FoundHotel {
  readonly hotelID: string;
  readonly name: string;
  readonly address: string;
  /** Rooms that are not retired. */
  readonly rooms: number;
}

/** In the order of their ids, from after `after`. */
export async function searchHotels(
  databases: readonly SqlSession[],
  {
    name,
    after,
    properties,
    limit,
  }: {
    readonly name?: string;
    readonly after?: string;
    /** Only these. */
    readonly properties?: readonly string[] | undefined;
    readonly limit: number;
  },
): Promise<readonly FoundHotel[]> {
  const rows = await queryAll(
    databases,
    `SELECT h.hotel_id, h.name, h.address,
       (SELECT count(*)::integer FROM room r WHERE r.hotel_id = h.hotel_id AND r.retired_from IS NULL) AS rooms
     FROM hotel h WHERE h.deleted_at IS NULL AND hotel_is_here(h.hotel_id) AND ($1::text IS NULL OR strpos(lower(h.name), lower($1)) > 0) AND h.hotel_id > $2
       AND ($4::text[] IS NULL OR h.hotel_id = ANY ($4))
     ORDER BY h.hotel_id LIMIT $3`,
    [name ?? null, after ?? '', limit, properties ?? null],
  );
  const found = rows.map((row) => ({
    hotelID: row['hotel_id'] as string,
    name: row['name'] as string,
    address: row['address'] as string,
    rooms: row['rooms'] as number,
  }));
  return databases.length === 1
    ? found
    : found
        .toSorted((a, b) => Buffer.compare(Buffer.from(a.hotelID), Buffer.from(b.hotelID)))
        .slice(0, limit);
}

export interface CalendarDay {
  readonly roomTypeID: string;
  readonly date: string;
  readonly totalInventory: number;
  readonly totalReserved: number;
  /** More is reserved than may be sold now. */
  readonly overbooked: boolean;
  readonly overbookingPercent: number;
  readonly sellLimit: number | null;
  readonly restrictions: DayRestrictions;
  /** Decimal text in the currency of the hotel; absent: nothing is set. */
  readonly rate?: string;
}

/** By room type and date; days without a row are left out. */
export async function calendarOf(
  sql: SqlSession,
  { hotelId, currency }: Pick<Hotel, 'hotelId' | 'currency'>,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly CalendarDay[]> {
  const { rows } = await sql.query(
    `SELECT room_type_id, date, total_inventory, total_reserved, overbooking_percent, sell_limit,
       total_reserved > rooms_sold_at_most(total_inventory, overbooking_percent, sell_limit) AS overbooked, ${dayRestrictions},
       price_minor
     FROM room_type_inventory i LEFT JOIN room_type_rate USING (hotel_id, room_type_id, date)
     WHERE hotel_id = $1 AND date BETWEEN $2 AND $3 ORDER BY room_type_id, date`,
    [hotelId, from, to],
  );
  return rows.map((row) => ({
    roomTypeID: row['room_type_id'] as string,
    date: row['date'] as string,
    totalInventory: row['total_inventory'] as number,
    totalReserved: row['total_reserved'] as number,
    overbooked: row['overbooked'] as boolean,
    overbookingPercent: row['overbooking_percent'] as number,
    sellLimit: row['sell_limit'] as number | null,
    restrictions: restrictionsOf(row),
    ...(row['price_minor'] === null ? {} : { rate: moneyText(row['price_minor'] as bigint, currency) }),
  }));
}
