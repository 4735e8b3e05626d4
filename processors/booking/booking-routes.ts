import { moneyText } from '#hotel/hotels/money-text.js';
import { catchUnavailable } from '#hotel/http/catch-unavailable.js';
import { noReservation } from '#hotel/http/reservation-routes.js';
import { withinProperties } from '#hotel/http/within-properties.js';
import { bookingNumberIn } from '#hotel/reservations/booking-number.js';
import type { ChangedStay } from '#hotel/reservations/changed-stay.js';
import type { Reservation } from '#hotel/reservations/reservation.js';
import type { Actor } from '#hotel/reservations/reservations.js';
import { readOpenSupplement } from '#hotel/reservations/supplements.js';
import { findCard } from '#payment/cards/saved-card.js';
import { noCard } from '#payment/http/saved-card-routes.js';
import { type Order, readOrder } from '#payment/orders/order.js';
import type { PaymentService } from '#payment/payment-service.js';
import { type Route, route } from '#platform/http/http-types.js';
import { problem } from '#platform/http/problem.js';
import { withoutCardData } from '#platform/http/response/without-card-data.js';
import {
  type BookingPaymentView,
  getReservationPayment,
  getStaffReservationPayment,
  putCardConsent,
  putSavedCard,
} from '#schemas/http/bookings.js';
import type { UserId } from '#schemas/units.js';
import type { BookingDeps } from './booking-deps.js';
import type { PaidFor } from './booking-payments.js';
import { bookingProblems } from './booking-problems.js';
import { agreeToKeepCard, chooseSavedCard } from './card-choice.js';
import { batchPayments } from './payment-batchers.js';
import { paymentStateOf } from './payment-state.js';

const takenOf = ({ capturedMinor, refundingMinor, currency }: Order) => ({
  captured: moneyText(capturedMinor, currency),
  refunded: moneyText(refundingMinor, currency),
});

/** Shows a guest, and the desk, how to pay: this needs both the hotel and the payment package. */
export const bookingRoutes = (
  { sql, reservations, nowMs }: Pick<BookingDeps, 'sql' | 'reservations' | 'nowMs'>,
  payments: Pick<PaymentService, 'sql'>,
): readonly Route[] => {
  const booked = batchPayments(sql);
  const paymentOf = async (paidFor: PaidFor) => {
    const named = await booked.newestOf(paidFor);
    return { named, order: named && (await readOrder(payments.sql, named.paymentOrderId)) };
  };
  const supplementOf = async (found: Reservation): Promise<Pick<BookingPaymentView, 'supplement'>> => {
    const open = await readOpenSupplement(sql, found);
    if (open === undefined) return {};
    const { supplementId, amountMinor, expiresAt, stay } = open;
    const { named, order } = await paymentOf(open);
    return {
      supplement: {
        supplementID: supplementId,
        amount: moneyText(amountMinor, found.currency),
        expiresAt: expiresAt.toISOString(),
        ...paymentStateOf({ status: 'pending_payment' }, named, order),
        ...(order === undefined ? {} : { paymentOrderID: order.id }),
        ...(stay === null ? {} : { change: changeView(stay, found.currency) }),
      },
    };
  };
  const show = (id: string, actor: Actor) =>
    catchUnavailable(async () => {
      const found = await reservations.get(id, actor);
      if (found === undefined) return noReservation();
      const { named, order } = await paymentOf({ reservationId: found.reservationId, supplementId: '' });
      const bookingNumber = bookingNumberIn(found);
      const body: BookingPaymentView = {
        reservationID: found.reservationId,
        price: moneyText(found.priceMinor, found.currency),
        currency: found.currency,
        expiresAt: found.holdExpiresAt.toISOString(),
        ...paymentStateOf(found, named, order),
        ...(bookingNumber === undefined ? {} : { bookingNumber }),
        ...(order === undefined ? {} : { paymentOrderID: order.id }),
        ...(order === undefined || order.capturedMinor === 0n ? {} : takenOf(order)),
        ...(await supplementOf(found)),
      };
      return { status: 200, headers: { 'cache-control': 'no-store' }, body };
    });
  const routes = [
    route(getReservationPayment, ({ params, identity }) =>
      show(params.id, { userId: identity.userId as UserId }),
    ),
    route(putCardConsent, ({ params, identity }) =>
      catchUnavailable(async () => {
        const agreeing = { reservationId: params.id, userId: identity.userId };
        const isRecorded = await agreeToKeepCard(sql, agreeing, new Date(nowMs()));
        return isRecorded ? { status: 204 } : problem(bookingProblems.paymentExists);
      }),
    ),
    route(putSavedCard, ({ params, body, identity }) =>
      catchUnavailable(async () => {
        const { userId } = identity;
        const card = await findCard(payments.sql, { caller: userId }, body.cardID);
        if (card?.state !== 'kept') return noCard;
        const choosing = { reservationId: params.id, userId };
        const isRecorded = await chooseSavedCard(sql, choosing, card.id, new Date(nowMs()));
        return isRecorded ? { status: 204 } : problem(bookingProblems.paymentExists);
      }),
    ),
    route(getStaffReservationPayment, ({ params }) => show(params.id, { staff: true })),
  ];
  return withinProperties(withoutCardData(routes), reservations);
};

const changeView = (
  { startDate, endDate, roomTypeId, roomCount, priceMinor }: ChangedStay,
  currency: string,
) => ({
  startDate,
  endDate,
  roomTypeID: roomTypeId,
  roomCount: String(roomCount),
  price: moneyText(priceMinor, currency),
});
