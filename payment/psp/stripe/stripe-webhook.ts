import type { PspDispute, PspEvent, WebhookReading, WebhookRequest } from '../psp-event.js';
import { isDisputeReason } from '../read-answer.js';
import { fromStripeAmount, fromStripeCurrency } from './stripe-amounts.js';
import { type Fields, fieldsOf, objectOf, type StripeClient } from './stripe-client.js';
import { intentPayment, metadataOf, sessionPayment, stripeRefund } from './stripe-payment.js';
import { verifyStripeSignature } from './stripe-signature.js';

const unreadable = { kind: 'nothing', effect: 'unreadable' } as const;
const ofNoInterest = { kind: 'nothing', effect: 'of no interest' } as const;

/** Disputes name the intent and not our order, so they are looked up: `not now` if Stripe does not answer. */
export async function readStripeWebhook(
  stripe: StripeClient,
  { header, body }: WebhookRequest,
  by: { readonly secrets: readonly string[]; readonly nowMs: number; readonly toleranceMs: number },
): Promise<WebhookReading> {
  const verified = verifyStripeSignature(
    header('stripe-signature'),
    body,
    by.secrets,
    by.nowMs,
    by.toleranceMs,
  );
  if (!verified.ok) return { kind: 'refused', reason: verified.reason };
  const message = parse(body);
  if (message === undefined) return { kind: 'malformed', reason: 'The body is not an event of Stripe.' };
  const { id, type, object, created } = message;
  const event = type.startsWith('charge.dispute.')
    ? await disputeEvent(stripe, type, object, created)
    : eventOf(type, object);
  return 'reason' in event ? event : { kind: 'read', id: `stripe:${id}`, type: type.slice(0, 64), event };
}

function parse(
  body: string,
):
  | { readonly id: string; readonly type: string; readonly object: Fields; readonly created: unknown }
  | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  const { id, type, data, created } = fieldsOf(value) ?? {};
  const object = fieldsOf(fieldsOf(data)?.['object']);
  if (typeof id !== 'string' || !/^[\w-]{1,100}$/.test(id) || object === undefined) return undefined;
  return typeof type === 'string' && /^[a-z0-9_.]{1,100}$/.test(type)
    ? { id, type, object, created }
    : undefined;
}

function eventOf(type: string, object: Fields): PspEvent {
  const nonce = metadataOf(object)['nonce'];
  // Stripe also reports what others do with the account.
  if (typeof nonce !== 'string' || nonce === '' || nonce.length > 64) return ofNoInterest;
  const nothing = { ...ofNoInterest, nonce };
  if (type.startsWith('checkout.session.')) {
    if (object['mode'] === 'setup') return { kind: 'card page', nonce };
    const payment = sessionPayment(object, nonce);
    if (payment === undefined) return { ...unreadable, nonce };
    const failed = type === 'checkout.session.async_payment_failed';
    return {
      kind: 'payment',
      payment: failed ? { ...payment, status: 'declined', code: 'card_declined', sequence: 8 } : payment,
    };
  }
  if (type.startsWith('payment_intent.')) {
    // The page goes on after a declined card; its session says how it ends.
    if (metadataOf(object)['page'] === 'checkout' && type !== 'payment_intent.succeeded') return nothing;
    const payment = intentPayment(object, nonce);
    if (payment === 'absent') return nothing;
    return payment === undefined ? { ...unreadable, nonce } : { kind: 'payment', payment };
  }
  if (type.startsWith('refund.')) {
    const refund = stripeRefund(object, nonce);
    return refund === undefined ? { ...unreadable, nonce } : { kind: 'refund', refund };
  }
  return nothing;
}

const ends: Readonly<Record<string, PspDispute['status']>> = {
  needs_response: 'opened',
  under_review: 'opened',
  won: 'won',
  lost: 'lost',
};

/** `updated` moves the deadline. */
const followed: ReadonlySet<string> = new Set(
  ['created', 'updated', 'closed'].map((what) => `charge.dispute.${what}`),
);

async function disputeEvent(
  stripe: StripeClient,
  type: string,
  object: Fields,
  created: unknown,
): Promise<PspEvent | (WebhookReading & { kind: 'not now' })> {
  const { id, status, payment_intent: intent } = object;
  // `warning_…` and `prevented`: a bank asks, and has taken no money.
  const state = typeof status === 'string' ? ends[status] : undefined;
  if (!followed.has(type) || state === undefined) return ofNoInterest;
  const currency = fromStripeCurrency(object['currency']);
  const amountMinor = currency === undefined ? undefined : fromStripeAmount(object['amount'], currency);
  const isReadable = typeof id === 'string' && /^[\w-]{1,64}$/.test(id) && typeof intent === 'string';
  if (!isReadable || currency === undefined || amountMinor === undefined || amountMinor === 0n)
    return unreadable;
  const reply = await stripe.get(`/v1/payment_intents/${encodeURIComponent(intent)}`);
  const payment = objectOf(reply);
  if (payment === undefined)
    return reply.kind === 'reply' && reply.status === 404
      ? ofNoInterest
      : { kind: 'not now', reason: 'The payment of the dispute could not be read from Stripe.' };
  const nonce = metadataOf(payment)['nonce'];
  if (typeof nonce !== 'string') return ofNoInterest;
  const { reason } = object;
  const due = fieldsOf(object['evidence_details'])?.['due_by'];
  const dispute = {
    id,
    nonce,
    status: state,
    amountMinor,
    currency,
    ...(typeof due === 'number' && Number.isSafeInteger(due) ? { dueMs: due * 1_000 } : {}),
    ...(typeof created === 'number' && Number.isSafeInteger(created) ? { saidMs: created * 1_000 } : {}),
    ...(isDisputeReason(reason) ? { reason } : {}),
  };
  return { kind: 'dispute', dispute };
}
