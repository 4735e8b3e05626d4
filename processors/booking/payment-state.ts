import type { Reservation } from '#hotel/reservations/reservation.js';
import type { Order } from '#payment/orders/order.js';
import type { BookingPaymentView } from '#schemas/http/bookings.js';
import type { BookingPayment } from './booking-payments.js';

type PaymentState = Pick<BookingPaymentView, 'status' | 'paymentPageURL' | 'failureCode'>;

/**
 * How far the payment of a reservation is, as its guest is told. Money that was taken has paid for nothing until the reservation has heard of
 * it: it may have come too late for the rooms, and then goes back.
 */
export function paymentStateOf(
  reservation: Pick<Reservation, 'status'>,
  named: Pick<BookingPayment, 'outcome'> | undefined,
  order: Pick<Order, 'status' | 'isFinal' | 'pending' | 'pspPageUrl' | 'failureCode'> | undefined,
): PaymentState {
  if (reservation.status === 'paid') return { status: 'paid' };
  if (order === undefined || order.status === 'NOT_STARTED') return { status: 'preparing' };
  if (order.status === 'SUCCESS') return endOf(named?.outcome ?? null);
  if (order.isFinal)
    return {
      status: 'failed',
      ...(order.failureCode === undefined ? {} : { failureCode: order.failureCode }),
    };
  if (order.pending === 'buyer' && order.pspPageUrl !== undefined)
    return { status: 'open', paymentPageURL: order.pspPageUrl };
  return { status: 'processing' };
}

/** `outcome`: what became of the money; the reason when it was sent back. */
function endOf(outcome: string | null): PaymentState {
  if (outcome === null) return { status: 'processing' };
  if (outcome === 'paid' || outcome === 'reseated') return { status: 'paid' };
  return { status: 'failed', failureCode: outcome.replaceAll('-', '_') };
}
