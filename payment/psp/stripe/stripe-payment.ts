import type { PspPayment, PspRefund, PspStatus } from '../psp-payment.js';
import { fromStripeAmount, fromStripeCurrency } from './stripe-amounts.js';
import { type Fields, fieldsOf } from './stripe-client.js';
import { declineCodeOf } from './stripe-codes.js';

/**
 * Stripe numbers no changes. A payment only ever moves forward in this list, so its place shows which of two
 * reports is stale.
 */
const sequences: Readonly<Record<PspStatus, number>> = {
  registered: 1,
  challenge: 2,
  review: 3,
  processing: 4,
  authorized: 5,
  declined: 8,
  expired: 8,
  voided: 8,
  captured: 9,
};

/** What an intent says; `absent`: it was made, but never confirmed, so nothing was charged. */
export function intentPayment(intent: Fields, nonce: string): PspPayment | 'absent' | undefined {
  const { status, last_payment_error: error, next_action: action } = intent;
  const common = commonOf(intent, intent['amount'], nonce);
  if (common === undefined || metadataOf(intent)['nonce'] !== nonce) return undefined;
  switch (status) {
    case 'requires_confirmation':
      return 'absent';
    case 'requires_payment_method': {
      const failure = fieldsOf(error);
      return failure === undefined
        ? 'absent'
        : paymentOf(common, 'declined', { code: declineCodeOf(failure) });
    }
    case 'requires_action': {
      const pageUrl = fieldsOf(fieldsOf(action)?.['redirect_to_url'])?.['url'];
      // Without a page the buyer cannot act.
      return typeof pageUrl === 'string' && pageUrl.length <= urlLengthMax
        ? paymentOf(common, 'challenge', { token: common.reference, pageUrl })
        : undefined;
    }
    case 'processing':
      return paymentOf(common, 'processing');
    case 'requires_capture':
      return paymentOf(common, 'authorized');
    case 'canceled':
      return paymentOf(common, 'voided');
    case 'succeeded': {
      const capturedMinor = fromStripeAmount(intent['amount_received'], common.currency);
      return capturedMinor === undefined || capturedMinor === 0n
        ? undefined
        : paymentOf(common, 'captured', { capturedMinor });
    }
    default:
      return undefined;
  }
}

/**
 * What a Checkout Session says. While it is open, the buyer may try one card after another on its page, and
 * answers the challenges of banks there.
 */
export function sessionPayment(session: Fields, nonce: string): PspPayment | undefined {
  const { status, payment_status: paid, payment_intent: intent, url } = session;
  const common = commonOf(session, session['amount_total'], nonce);
  if (common === undefined || session['client_reference_id'] !== nonce) return undefined;
  const intentId = typeof intent === 'string' ? intent : fieldsOf(intent)?.['id'];
  switch (status) {
    case 'open':
      return typeof url === 'string' && url.length <= urlLengthMax
        ? paymentOf(common, 'registered', { token: common.reference, pageUrl: url })
        : undefined;
    case 'expired':
      return paymentOf(common, 'expired');
    case 'complete': {
      // Refunds, disputes and settlement name the intent.
      if (typeof intentId !== 'string' || !idPattern.test(intentId)) return undefined;
      const own = { ...common, reference: intentId };
      return paid === 'unpaid'
        ? paymentOf(own, 'processing')
        : paymentOf(own, 'captured', { capturedMinor: common.amountMinor });
    }
    default:
      return undefined;
  }
}

export function stripeRefund(refund: Fields, nonce: string): PspRefund | undefined {
  const { status, failure_reason: reason } = refund;
  const common = commonOf(refund, refund['amount'], nonce);
  if (common === undefined || metadataOf(refund)['nonce'] !== nonce) return undefined;
  switch (status) {
    case 'succeeded':
      return { ...common, status: 'refunded' };
    case 'pending':
    case 'requires_action':
      return { ...common, status: 'processing' };
    case 'failed':
    case 'canceled':
      return { ...common, status: 'refused', code: refundCode(reason) };
    default:
      return undefined;
  }
}

export const metadataOf = (object: Fields): Fields => fieldsOf(object['metadata']) ?? {};

const urlLengthMax = 2_048;
const idPattern = /^[\w-]{1,255}$/;

type Common = Pick<PspPayment, 'nonce' | 'reference' | 'amountMinor' | 'currency'>;

function commonOf(object: Fields, amount: unknown, nonce: string): Common | undefined {
  const { id } = object;
  const currency = fromStripeCurrency(object['currency']);
  if (typeof id !== 'string' || !idPattern.test(id) || currency === undefined) return undefined;
  const amountMinor = fromStripeAmount(amount, currency);
  return amountMinor === undefined ? undefined : { nonce, reference: id, amountMinor, currency };
}

const paymentOf = (
  common: Common,
  status: PspStatus,
  more: Partial<Pick<PspPayment, 'capturedMinor' | 'code' | 'token' | 'pageUrl'>> = {},
): PspPayment => ({ ...common, status, capturedMinor: 0n, sequence: sequences[status], ...more });

/** Nothing is registered at Stripe under this nonce that could ever be charged. */
export const neverCharged = (
  nonce: string,
  { amountMinor, currency }: Pick<PspPayment, 'amountMinor' | 'currency'>,
): PspPayment => paymentOf({ nonce, reference: nonce, amountMinor, currency }, 'voided');

const refundCode = (reason: unknown): string =>
  typeof reason === 'string' && /^[a-z][a-z_]{1,40}$/.test(reason) ? `refund_${reason}` : 'refund_failed';
