import type { Reservation } from '#hotel/reservations/reservation.js';
import type { Order } from '#payment/orders/order.js';
import type { BookingPaymentView } from '#schemas/http/bookings.js';
import type { BookingPayment } from './booking-payments.js';

type PaymentState = Pick<BookingPaymentView, 'status' | 'paymentPageURL' | 'failureCode'>;

/** Why the previous card was declined, while another may be tried. */
const because = (code: string | null | undefined) => (code ? { failureCode: code } : {});

/**
 * State of a reservation's payment, as the guest sees it. A captured payment counts only once the reservation
 * has recorded it: it may come too late for the rooms, and is then refunded.
 */
export function paymentStateOf(
  reservation: Pick<Reservation, 'status'>,
  named: Pick<BookingPayment, 'outcome' | 'declinedCode'> | undefined,
  order: Pick<Order, 'status' | 'isFinal' | 'pending' | 'pspPageUrl' | 'failureCode'> | undefined,
): PaymentState {
  if (reservation.status === 'paid') return { status: 'paid' };
  // While the reservation waits, either an order follows or the rooms are released.
  const open = reservation.status === 'pending_payment' ? 'preparing' : 'failed';
  if (order === undefined || order.status === 'NOT_STARTED')
    return { status: open, ...because(named?.declinedCode) };
  if (order.status === 'SUCCESS') return endOf(named?.outcome ?? null);
  if (order.isFinal) return { status: open, ...because(order.failureCode) };
  if (order.pending === 'buyer' && order.pspPageUrl !== undefined)
    return { status: 'open', paymentPageURL: order.pspPageUrl, ...because(named?.declinedCode) };
  if (order.pending === 'challenge' && order.pspPageUrl !== undefined)
    return { status: 'confirm', paymentPageURL: order.pspPageUrl };
  return { status: 'processing' };
}

/** `outcome`: the result of the payment; the reason if the money was refunded. */
function endOf(outcome: string | null): PaymentState {
  if (outcome === null) return { status: 'processing' };
  if (outcome === 'paid' || outcome === 'reseated') return { status: 'paid' };
  return { status: 'failed', failureCode: outcome.replaceAll('-', '_') };
}
