import { type Route, route } from '#platform/http/http-types.js';
import { problem } from '#platform/http/problem.js';
import type { Sql } from '#platform/sql/sql.js';
import { getReservationCalendar, getReservationReceipt } from '#schemas/http/hotel-documents.js';
import type { UserId } from '#schemas/units.js';
import { calendarFile } from '../documents/calendar-file.js';
import { receiptPage } from '../documents/receipt.js';
import type { Hotels } from '../hotels/hotels.js';
import type { Reservation } from '../reservations/reservation.js';
import type { Reservations } from '../reservations/reservations.js';
import { addDays } from '../reservations/stay-days.js';
import { catchUnavailable } from './catch-unavailable.js';
import { hotelProblems } from './hotel-problems.js';
import { noReservation } from './reservation-routes.js';
import { bookingNumberIn } from './reservation-view.js';

export interface DocumentRouteDeps {
  readonly sql: Sql;
  readonly hotels: Hotels;
  readonly reservations: Reservations;
}

/** They show names of a person's stays, so no cache keeps them. */
const headers = { 'cache-control': 'no-store' };

/** What a guest gets after the payment: a receipt and a file for the calendar. */
export function documentRoutes({ sql, hotels, reservations }: DocumentRouteDeps): readonly Route[] {
  const booked = async (id: string, userId: string) => {
    const reservation = await reservations.get(id, { userId: userId as UserId });
    if (reservation === undefined) return noReservation();
    const bookingNumber = bookingNumberIn(reservation);
    const hotel = await hotels.get(reservation.hotelId);
    if (bookingNumber === undefined || hotel === undefined) return problem(hotelProblems.notBooked);
    return { reservation, bookingNumber, hotel };
  };
  return [
    route(getReservationReceipt, ({ params, identity }) =>
      catchUnavailable(async () => {
        const found = await booked(params.id, identity.userId);
        if ('status' in found) return found;
        const { reservation, bookingNumber, hotel } = found;
        const type = hotel.roomTypes.find(({ roomTypeId }) => roomTypeId === reservation.roomTypeId);
        const body = receiptPage({
          reservation,
          bookingNumber,
          hotelName: hotel.name,
          address: hotel.address,
          roomTypeName: type?.name ?? reservation.roomTypeId,
        });
        return { status: 200, headers, body, contentType: 'text/html; charset=utf-8' };
      }),
    ),
    route(getReservationCalendar, ({ params, identity }) =>
      catchUnavailable(async () => {
        const found = await booked(params.id, identity.userId);
        if ('status' in found) return found;
        const { reservation, bookingNumber, hotel } = found;
        const body = calendarFile({
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
        });
        return {
          status: 200,
          headers: { ...headers, 'content-disposition': `attachment; filename="${bookingNumber}.ics"` },
          body,
          contentType: 'text/calendar; charset=utf-8',
        };
      }),
    ),
  ];
}

/** Check-in on the first day and check-out after the last night, by the clock of the hotel. */
async function timesOf(
  sql: Sql,
  { startDate, endDate }: Reservation,
  hotel: { readonly timeZone: string; readonly checkInTime: string; readonly checkOutTime: string },
): Promise<{ readonly from: Date; readonly to: Date }> {
  const { rows } = await sql.query<{ from: Date; to: Date }>(
    `SELECT ($1::date + $2::time) AT TIME ZONE $5 AS from, ($3::date + $4::time) AT TIME ZONE $5 AS to`,
    [startDate, hotel.checkInTime, addDays(endDate, 1), hotel.checkOutTime, hotel.timeZone],
  );
  return rows[0]!;
}
