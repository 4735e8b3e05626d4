import { moneyText } from '#hotel/hotels/money-text.js';
import { catchUnavailable } from '#hotel/http/catch-unavailable.js';
import { noReservation } from '#hotel/http/reservation-routes.js';
import { bookingNumberIn } from '#hotel/http/reservation-view.js';
import { type Order, readOrder } from '#payment/orders/order.js';
import type { PaymentService } from '#payment/payment-service.js';
import { type Route, route } from '#platform/http/http-types.js';
import { withoutCardData } from '#platform/http/response/without-card-data.js';
import { type BookingPaymentView, getReservationPayment } from '#schemas/http/bookings.js';
import type { UserId } from '#schemas/units.js';
import type { BookingDeps } from './booking-deps.js';
import { batchPayments } from './payment-batchers.js';
import { paymentStateOf } from './payment-state.js';

const takenOf = ({ capturedMinor, refundingMinor, currency }: Order) => ({
  captured: moneyText(capturedMinor, currency),
  refunded: moneyText(refundingMinor, currency),
});

/** Shows a guest how to pay: this needs both the hotel and the payment package. */
export const bookingRoutes = (
  { sql, reservations }: Pick<BookingDeps, 'sql' | 'reservations'>,
  payments: Pick<PaymentService, 'sql'>,
): readonly Route[] => {
  const booked = batchPayments(sql);
  return withoutCardData([
    route(getReservationPayment, ({ params, identity }) =>
      catchUnavailable(async () => {
        const found = await reservations.get(params.id, { userId: identity.userId as UserId });
        if (found === undefined) return noReservation();
        const named = await booked.newestOf(found.reservationId);
        const order = named && (await readOrder(payments.sql, named.paymentOrderId));
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
        };
        return { status: 200, headers: { 'cache-control': 'no-store' }, body };
      }),
    ),
  ]);
};
