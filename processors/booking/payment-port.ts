import { accountOf, sellerAccount } from '#payment/ledger/accounts.js';
import { post } from '#payment/ledger/ledger.js';
import { type Currency, parseCurrency } from '#payment/money/currency.js';
import { formatMoney } from '#payment/money/money.js';
import { fingerprintOf } from '#payment/orders/idempotency-key.js';
import { readOrder } from '#payment/orders/order.js';
import { readRefund } from '#payment/orders/refund.js';
import { requestRefund } from '#payment/orders/request-refund.js';
import { closeCheckout, retryOrder } from '#payment/orders/retry-order.js';
import { submitPayment } from '#payment/orders/submit-payment.js';
import { withdrawOrder } from '#payment/orders/withdraw-order.js';
import type { PaymentService } from '#payment/payment-service.js';
import { queueRefusedRefund } from '#payment/reconciliation/refused-refund.js';
import type { BookingPayment } from './booking-payments.js';
import { bookingLimits } from './limits.js';

export interface BookingRefund {
  readonly refundId: string;
  readonly paymentOrderId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly reason: string;
}

export type Asked = 'asked' | 'no such card' | 'over';

/** What booking requires from payment. Every call may be repeated: it has one effect. */
export interface PaymentPort {
  /**
   * Stores the payment, or another order to replace a declined one, and starts to charge its saved card, or
   * to register it at the provider until the hold ends. Resolves when it is stored; the background job of
   * payment handles later errors. Nothing is stored with `no such card`: the saved card cannot be used; and
   * with `over`: the checkout is over.
   */
  ask(payment: BookingPayment): Promise<Asked>;
  /** No other card follows: the checkout is over once its orders are. */
  close(checkoutId: string): Promise<void>;
  /** The payment is no longer wanted; if money arrives first, it is reported as a success. */
  withdraw(paymentOrderId: string): Promise<void>;
  /** `refused`: nothing is refunded, and the id of the refund can be used again. */
  refund(refund: BookingRefund): Promise<'asked' | 'refused'>;
  /** A refund that payment refuses waits in the finance queue; false if the payment does not exist. */
  queueRefused(refund: BookingRefund): Promise<boolean>;
  /** Records in the ledger that money that arrived after the end of the hold paid for its rooms. */
  noteReseat(payment: BookingPayment): Promise<void>;
}

/** What the payment event says of the card. */
const cardOf = ({ keepsCard, savedCardId }: BookingPayment) =>
  savedCardId === undefined
    ? { cardInfo: keepsCard ? '{"save":true}' : '{}', keepsCard }
    : { cardInfo: JSON.stringify({ saved_card_id: savedCardId }), savedCardId };

/** Each hotel is a merchant of its own. */
export const sellerOf = (hotelId: string): string => `hotel/${hotelId}`;

const caller = 'booking';

/** The payment service of this process. */
export function paymentPort(service: PaymentService): PaymentPort {
  const { sql, submit } = service;
  const beginning = new Set<Promise<void>>();
  const begin = async (paymentOrderId: string) => {
    while (beginning.size >= bookingLimits.beginningMax) await Promise.race(beginning);
    const begun = service.execute(paymentOrderId).finally(() => beginning.delete(begun));
    beginning.add(begun);
  };
  const store = async (payment: BookingPayment): Promise<Asked> => {
    const nowMs = submit.nowMs();
    const expiresMs = payment.expiresAt.getTime();
    if (payment.retryOf !== null) {
      const { paymentOrderId: id, retryOf } = payment;
      return (await retryOrder(sql, { id, retryOf, expiresMs }, nowMs)) === 'refused' ? 'over' : 'asked';
    }
    const money = { minor: payment.amountMinor, currency: currencyOf(payment.currency) };
    const outcome = await submitPayment(
      {
        ...submit,
        nowMs: () => nowMs,
        settings: { ...submit.settings, registrationMs: expiresMs - nowMs },
      },
      {
        // The guest is the caller, and sees the payment and its page as their own.
        caller: payment.userId,
        key: payment.paymentOrderId,
        fingerprint: fingerprintOf({ reservationId: payment.reservationId }),
        checkoutId: payment.checkoutId,
        buyerAccount: payment.userId,
        buyerInfo: JSON.stringify({ reservationId: payment.reservationId }),
        ...cardOf(payment),
        takesRetries: true,
        orders: [
          {
            id: payment.paymentOrderId,
            sellerAccount: sellerOf(payment.hotelId),
            amount: formatMoney(money),
            money,
          },
        ],
      },
    );
    // The stay is paid all the same.
    if (outcome.outcome === 'too many cards') return store({ ...payment, keepsCard: false });
    if (outcome.outcome === 'no such card') return 'no such card';
    if (outcome.outcome === 'taken')
      throw new Error(`The ${outcome.what} ${payment.paymentOrderId} belongs to another payment.`);
    return 'asked';
  };
  return {
    async ask(payment) {
      const asked = await store(payment);
      if (asked === 'asked') await begin(payment.paymentOrderId);
      return asked;
    },
    async close(checkoutId) {
      await sql.transaction((tx) => closeCheckout(tx, checkoutId));
    },
    async withdraw(paymentOrderId) {
      await withdrawOrder(sql, paymentOrderId, submit.nowMs());
      service.wake();
    },
    async refund({ refundId, paymentOrderId, amountMinor, currency, reason }) {
      const amount = formatMoney({ minor: amountMinor, currency: currencyOf(currency) });
      const request = { caller, key: refundId, paymentOrderId, refundId, amount, reason };
      const fingerprint = fingerprintOf({ paymentOrderId, refundId, amount });
      const { outcome } = await requestRefund(sql, { ...request, fingerprint }, submit.nowMs());
      if (outcome === 'accepted') service.wake();
      if (outcome === 'accepted' || outcome === 'replayed') return 'asked';
      // Requested before, and its key has expired.
      return (await readRefund(sql, refundId))?.paymentOrderId === paymentOrderId ? 'asked' : 'refused';
    },
    async queueRefused(refund) {
      const order = await readOrder(sql, refund.paymentOrderId);
      if (order === undefined) return false;
      await queueRefusedRefund(sql, order, refund, new Date(submit.nowMs()));
      return true;
    },
    async noteReseat({ paymentOrderId, hotelId, amountMinor, currency: code }) {
      const currency = currencyOf(code);
      const amount = { minor: amountMinor, currency };
      const seller = sellerAccount(sellerOf(hotelId), currency);
      const suspense = accountOf('psp-suspense', currency);
      // From the hotel's account and back: the sum is zero, and the two entries show what happened.
      await sql.transaction((tx) =>
        post(tx, [
          {
            subject: paymentOrderId,
            operation: 'late-success:reseated',
            kind: 'adjustment',
            legs: [
              { debit: seller, credit: suspense, amount },
              { debit: suspense, credit: seller, amount },
            ],
            cause: 'paid after the hold had ended, the rooms were free',
          },
        ]),
      );
    },
  };
}

function currencyOf(code: string): Currency {
  const currency = parseCurrency(code);
  if (currency === undefined) throw new Error(`Hotels sell in ${code}, which is not a currency of ISO 4217.`);
  return currency;
}
