import type { SqlSession } from '#platform/sql/sql.js';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import type { StayQuoteView } from '#schemas/http/hotel-stay-changes.js';
import { moneyText } from '../hotels/money-text.js';
import { bookingNumberIn } from '../reservations/booking-number.js';
import type { Reservation } from '../reservations/reservation.js';
import type { StayQuote } from '../reservations/reservations.js';
import { addDays } from '../reservations/stay-days.js';
import { type TaxLine, taxLines } from '../taxes/tax-lines.js';
import { taxLineView } from './tax-views.js';

/** A reservation as its owner and staff see it. */
export function reservationView(reservation: Reservation, roomNumbers?: readonly string[]): ReservationView {
  const { currency, startDate } = reservation;
  const money = (minor: bigint) => moneyText(minor, currency);
  const taxes = taxLines(reservation);

  const bookingNumber = bookingNumberIn(reservation);
  return {
    reservationID: reservation.reservationId,
    ...(bookingNumber === undefined ? {} : { bookingNumber }),
    status: reservation.status,
    hotelID: reservation.hotelId,
    roomTypeID: reservation.roomTypeId,
    startDate,
    endDate: reservation.endDate,
    roomCount: String(reservation.roomCount),
    currency,
    ...(reservation.guests === null ? {} : { guests: reservation.guests }),
    price: money(reservation.priceMinor),
    net: money(reservation.priceMinor - sumOf(taxes)),
    taxes: taxes.map((line) => taxLineView(line, currency)),
    nights: reservation.nightPricesMinor.map((minor, night) => ({
      date: addDays(startDate, night),
      price: money(minor),
    })),
    paid: money(reservation.paidMinor),
    refundDue: money(reservation.refundDueMinor),
    refundable: money(reservation.refundableMinor),
    refunded: money(reservation.refundedMinor),
    disputed: money(reservation.disputedMinor),
    ...(reservation.supplement === null
      ? {}
      : {
          supplement: {
            supplementID: reservation.supplement.id,
            amount: money(reservation.supplement.amountMinor),
            expiresAt: reservation.supplement.expiresAt.toISOString(),
          },
        }),
    ...(reservation.status === 'pending_payment'
      ? { holdExpiresAt: reservation.holdExpiresAt.toISOString() }
      : {}),
    ...(reservation.ratePlan === null
      ? {}
      : {
          ratePlan: {
            ratePlanID: reservation.ratePlan.id,
            name: reservation.ratePlan.name,
            meal: reservation.ratePlan.meal,
          },
        }),
    ...(reservation.adults === null ? {} : { adults: String(reservation.adults) }),
    refundableRate: reservation.refundable,
    freeCancelUntil: reservation.freeCancelUntil.toISOString(),
    lateCancelPercent: reservation.lateCancelPercent,
    ...(roomNumbers === undefined || roomNumbers.length === 0 ? {} : { roomNumbers: [...roomNumbers] }),
    createdAt: reservation.createdAt.toISOString(),
    updatedAt: reservation.updatedAt.toISOString(),
  };
}

export function quoteView({
  reservation,
  priceMinor,
  differenceMinor,
  grantedMinor,
}: StayQuote): StayQuoteView {
  const { currency } = reservation;
  return {
    currency,
    price: moneyText(priceMinor, currency),
    difference: moneyText(differenceMinor, currency),
    refund: moneyText(grantedMinor, currency),
  };
}

export const sumOf = (lines: readonly TaxLine[]): bigint =>
  lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);

/** Numbers of the rooms that were assigned, in order. */
export async function roomNumbersOf(sql: SqlSession, reservationId: string): Promise<readonly string[]> {
  const { rows } = await sql.query(
    'SELECT DISTINCT r.number FROM room_night n JOIN room r USING (hotel_id, room_id) ' +
      'WHERE n.reservation_id = $1 ORDER BY 1',
    [reservationId],
  );
  return rows.map((row) => row['number'] as string);
}
