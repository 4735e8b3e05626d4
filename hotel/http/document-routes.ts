import { type Route, route } from '#platform/http/http-types.js';
import { problem } from '#platform/http/problem.js';
import type { Sql } from '#platform/sql/sql.js';
import { getReservationCalendar, getReservationReceipt } from '#schemas/http/hotel-documents.js';
import type { UserId } from '#schemas/units.js';
import { calendarFile } from '../documents/calendar-file.js';
import { receiptPage } from '../documents/receipt.js';
import { calendarStayOf, receiptOf } from '../documents/stay-documents.js';
import type { Hotels } from '../hotels/hotels.js';
import { bookingNumberIn } from '../reservations/booking-number.js';
import type { Reservations } from '../reservations/reservations.js';
import { catchUnavailable } from './catch-unavailable.js';
import { hotelProblems } from './hotel-problems.js';
import { noReservation } from './reservation-routes.js';

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
        const body = receiptPage(receiptOf(reservation, hotel, bookingNumber));
        return { status: 200, headers, body, contentType: 'text/html; charset=utf-8' };
      }),
    ),
    route(getReservationCalendar, ({ params, identity }) =>
      catchUnavailable(async () => {
        const found = await booked(params.id, identity.userId);
        if ('status' in found) return found;
        const { reservation, bookingNumber, hotel } = found;
        const body = calendarFile(await calendarStayOf(sql, reservation, hotel, bookingNumber));
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
