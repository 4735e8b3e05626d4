import { cardOfPayment } from '../cards/card-of-payment.js';
import type { FeeTerms } from '../fees/application-fee.js';
import { countryOf } from './country-of.js';
import type { Order } from './order.js';
import type { Judged } from './submission.js';

/** The fees of orders by their ids, of those that have one. */
export type FeesOfOrders = ReadonlyMap<string, FeeTerms>;

/**
 * The orders of a payment event as they are first stored: version 1, before any charge is requested. Their
 * fees are known once they are stored.
 */
export function newOrders(
  { submission, decision, nowMs, registrationMs }: Judged,
  fees?: FeesOfOrders,
): readonly Order[] {
  const { checkoutId, caller, buyerAccount, cardInfo, manualCapture = false, savedCard, pageId } = submission;
  const waits = decision.decision === 'review';
  const card = cardOfPayment(cardInfo);
  return submission.orders.map(({ id, sellerAccount, amount, money }) => ({
    id,
    checkoutId,
    caller,
    buyerAccount,
    sellerAccount,
    amount,
    amountMinor: money.minor,
    currency: money.currency,
    status: 'NOT_STARTED',
    isFinal: false,
    pending: waits ? 'review' : pageId === undefined ? undefined : 'buyer',
    version: 1,
    attempts: 0,
    // Without the card of its page, its time is all that ends it.
    nextAttemptMs: waits ? undefined : pageId === undefined ? nowMs : nowMs + registrationMs,
    failureCode: undefined,
    // A saved card is with one provider.
    provider: savedCard?.provider,
    country: countryOf(submission, sellerAccount),
    pspToken: undefined,
    pspPageUrl: undefined,
    pspReference: undefined,
    pspSequence: 0,
    capturedMinor: 0n,
    refundingMinor: 0n,
    refundedMinor: 0n,
    ledgerUpdated: false,
    walletUpdated: false,
    notifyBuyer: waits,
    alertedMs: undefined,
    expiresMs: nowMs + registrationMs,
    createdMs: nowMs,
    changedMs: nowMs,
    card,
    manualCapture,
    captureMinor: 0n,
    voidRequested: false,
    cancelRequested: false,
    pageId,
    retryOf: undefined,
    fee: fees?.get(id),
  }));
}
