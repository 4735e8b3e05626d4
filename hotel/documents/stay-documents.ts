import type { SqlSession } from '#platform/sql/sql.js';
import type { Hotel } from '../hotels/hotel.js';
import type { Reservation } from '../reservations/reservation.js';
import { addDays } from '../reservations/stay-days.js';
import type { CalendarStay } from './calendar-file.js';
import type { ReceiptOf } from './receipt.js';

export function receiptOf(reservation: Reservation, hotel: Hotel, bookingNumber: string): ReceiptOf {
  const type = hotel.roomTypes.find(({ roomTypeId }) => roomTypeId === reservation.roomTypeId);
  return {
    reservation,
    bookingNumber,
    hotelName: hotel.name,
    address: hotel.address,
    roomTypeName: type?.name ?? reservation.roomTypeId,
  };
}

export async function calendarStayOf(
  sql: SqlSession,
  reservation: Reservation,
  hotel: Hotel,
  bookingNumber: string,
): Promise<CalendarStay> {
  return {
    bookingNumber,
    reservationId: reservation.reservationId,
    hotelName: hotel.name,
    address: hotel.address,
    lat: hotel.lat,
    lng: hotel.lng,
    ...(await timesOf(sql, reservation, hotel)),
    isCancelled: reservation.status === 'cancelled' || reservation.status === 'refunded',
    // Whole seconds since it was made: never less after a change.
    version: Math.floor((reservation.updatedAt.getTime() - reservation.createdAt.getTime()) / 1_000),
    changedAt: reservation.updatedAt,
  };
}

/** Check-in on the first day and check-out after the last night, by the clock of the hotel. */
async function timesOf(
  sql: SqlSession,
  { startDate, endDate }: Reservation,
  hotel: Hotel,
): Promise<{ readonly from: Date; readonly to: Date }> {
  const { rows } = await sql.query<{ from: Date; to: Date }>(
    `SELECT ($1::date + $2::time) AT TIME ZONE $5 AS from, ($3::date + $4::time) AT TIME ZONE $5 AS to`,
    [startDate, hotel.checkInTime, addDays(endDate, 1), hotel.checkOutTime, hotel.timeZone],
  );
  return rows[0]!;
}
