import type { HttpsReply, PinnedHttps } from '../pinned-https.js';
import type { KeepReference, Psp, PspAnswer, PspOrder, PspRefundOrder } from '../psp.js';
import type { PspPayment, PspRefund } from '../psp-payment.js';
import { toStripeAmount } from './stripe-amounts.js';
import { deleteStripeCard, makeCustomer, stripeKeptCard } from './stripe-card.js';
import { closeStripeCardPage, openStripeCardPage, stripeCardPage } from './stripe-card-page.js';
import {
  errorOf,
  type Fields,
  fieldsOf,
  objectOf,
  readFailure,
  type StripeClient,
  stripeClient,
} from './stripe-client.js';
import { answerStripeDispute } from './stripe-dispute.js';
import { intentPayment, metadataOf, neverCharged, sessionPayment, stripeRefund } from './stripe-payment.js';
import { expireSession, makeSession } from './stripe-session.js';
import { readSettlement } from './stripe-settlement.js';
import { readStripeWebhook } from './stripe-webhook.js';

export const stripeName = 'stripe';

export interface StripeOptions {
  /** Sign webhooks, `whsec_…`; several while they rotate, or for several endpoints. */
  readonly webhookSecrets: readonly string[];
  /** Where the buyer goes afterwards. */
  readonly urls: { readonly success: string; readonly failure: string };
  readonly nowMs?: () => number;
  /** The host that takes files; the same as for all else when absent. */
  readonly files?: PinnedHttps;
}

const one = (id: string): string => encodeURIComponent(id);
const unreadable = { kind: 'unknown', reason: 'the answer of the provider cannot be parsed' } as const;

/**
 * Stripe. An order with a card token is a payment intent, which is made first and charged by its
 * confirmation; any other order is a Checkout Session, on whose page the buyer pays. An intent is confirmed
 * only after its id is stored with the order, so at most one intent of an order ever is. That makes it safe
 * to make an intent again after a lost answer, although Stripe cannot be asked for our id and forgets
 * idempotency keys.
 */
export function stripePsp(https: PinnedHttps, options: StripeOptions): Psp {
  const stripe = stripeClient(https, options.files);
  const nowMs = options.nowMs ?? Date.now;
  return {
    name: stripeName,
    style: 'hosted',
    takes: ({ amountMinor, currency }) => toStripeAmount(amountMinor, currency) !== undefined,
    async begin(order, keep) {
      const amount = toStripeAmount(order.amountMinor, order.currency);
      if (amount === undefined) return { kind: 'refused', code: 'invalid_amount' };
      if (order.cardToken !== undefined || order.savedCard !== undefined)
        return charge(stripe, order, amount, options.urls.success, keep);
      return order.reference === undefined
        ? makeSession(stripe, order, amount, options.urls, nowMs())
        : query(stripe, order);
    },
    capture: (order, amountMinor) => capture(stripe, order, amountMinor),
    query: (order) => query(stripe, order),
    cancel: (order) => cancel(stripe, order),
    refund: (refund) => sendBack(stripe, refund),
    keptCard: (order) => stripeKeptCard(stripe, order),
    deleteCard: (card) => deleteStripeCard(stripe, card),
    openCardPage: (order) => openStripeCardPage(stripe, order, options.urls, nowMs()),
    cardPage: (order) => stripeCardPage(stripe, order),
    closeCardPage: (order) => closeStripeCardPage(stripe, order),
    answerDispute: (answer) => answerStripeDispute(stripe, answer),
    webhook: (request, now, toleranceMs) =>
      readStripeWebhook(stripe, request, { secrets: options.webhookSecrets, nowMs: now, toleranceMs }),
    settlement: (period) => readSettlement(stripe, period),
    close: () => stripe.close(),
  };
}

async function charge(
  stripe: StripeClient,
  order: PspOrder,
  amount: string,
  returnUrl: string,
  keep: KeepReference,
): Promise<PspAnswer<PspPayment>> {
  const { nonce, reference, cardToken, savedCard, offSession } = order;
  let id = reference;
  if (id === undefined) {
    const made = await makeIntent(stripe, order, amount);
    if (made.kind !== 'known') return made;
    id = made.value;
    if (!(await keep(id))) return { kind: 'unknown', reason: 'the order changed before it was charged' };
  }
  const fields = {
    payment_method: savedCard?.token ?? cardToken!,
    return_url: withToken(returnUrl, id),
    ...(offSession === true && { off_session: 'true' }),
  };
  const reply = await stripe.post(`/v1/payment_intents/${one(id)}/confirm`, fields, `${nonce}:confirm`);
  const intent = objectOf(reply) ?? fieldsOf(errorOf(reply)['payment_intent']);
  if (intent !== undefined) return readIntent(intent, nonce);
  // It was confirmed or cancelled before.
  if (errorOf(reply)['code'] === 'payment_intent_unexpected_state')
    return query(stripe, { ...order, reference: id });
  return readFailure(reply, true);
}

const withToken = (url: string, token: string): string => {
  const back = new URL(url);
  back.searchParams.set('tokenID', token);
  return back.href;
};

async function makeIntent(stripe: StripeClient, order: PspOrder, amount: string): Promise<PspAnswer<string>> {
  const { nonce, currency, attempt, manual, savedCard, keepCard } = order;
  const owner = keepCard === true ? await makeCustomer(stripe, order) : undefined;
  if (owner !== undefined && owner.kind !== 'known') return owner;
  const customer = owner?.value ?? savedCard?.customer;
  const fields = {
    amount,
    currency: currency.toLowerCase(),
    'payment_method_types[0]': 'card',
    'metadata[nonce]': nonce,
    ...(manual === true && { capture_method: 'manual' }),
    ...(customer !== undefined && { customer }),
    ...(keepCard === true && { setup_future_usage: 'off_session' }),
  };
  const reply = await stripe.post('/v1/payment_intents', fields, `${nonce}:${attempt}`);
  const intent = objectOf(reply);
  if (intent === undefined) return readFailure(reply, false);
  const { id } = intent;
  return typeof id === 'string' && /^[\w-]{1,255}$/.test(id) && metadataOf(intent)['nonce'] === nonce
    ? { kind: 'known', value: id }
    : { kind: 'refused', code: 'never_arrived' };
}

/**
 * The key makes a repeated call take the amount once. A payment that is not waiting for its capture any more
 * says itself what became of it.
 */
async function capture(
  stripe: StripeClient,
  order: PspOrder,
  amountMinor: bigint,
): Promise<PspAnswer<PspPayment>> {
  const { nonce, currency, reference } = order;
  const amount = toStripeAmount(amountMinor, currency);
  if (amount === undefined) return { kind: 'refused', code: 'invalid_amount' };
  if (reference === undefined || reference.startsWith('cs_'))
    return { kind: 'unknown', reason: 'the reference of the payment is not known' };
  const path = `/v1/payment_intents/${one(reference)}/capture`;
  const reply = await stripe.post(path, { amount_to_capture: amount }, `${nonce}:capture:${amount}`);
  const intent = objectOf(reply);
  if (intent !== undefined) return readIntent(intent, nonce);
  if (!isRefusal(reply)) return readFailure(reply, true);
  const now = await query(stripe, order);
  const isOther =
    now.kind === 'known' && now.value.status === 'captured' && now.value.capturedMinor !== amountMinor;
  return isOther ? { kind: 'refused', code: 'captured_otherwise' } : now;
}

/** Whose id was never stored was never confirmed, and nobody has the address of its page. */
async function query(stripe: StripeClient, { nonce, reference }: PspOrder): Promise<PspAnswer<PspPayment>> {
  if (reference === undefined) return { kind: 'absent' };
  const isSession = reference.startsWith('cs_');
  const path = isSession
    ? `/v1/checkout/sessions/${one(reference)}`
    : `/v1/payment_intents/${one(reference)}`;
  const reply = await stripe.get(path);
  const object = objectOf(reply);
  if (object === undefined) return readFailure(reply, true);
  return isSession ? readSession(object, nonce) : readIntent(object, nonce);
}

async function cancel(stripe: StripeClient, order: PspOrder): Promise<PspAnswer<PspPayment>> {
  const { nonce, reference } = order;
  if (reference === undefined) return { kind: 'known', value: neverCharged(nonce, order) };
  if (reference.startsWith('cs_')) return expireSession(stripe, order, () => query(stripe, order));
  // Without a key: it may be refused now and possible later, and a key would repeat the refusal.
  const reply = await stripe.post(`/v1/payment_intents/${one(reference)}/cancel`, {});
  const intent = objectOf(reply);
  if (intent !== undefined) return readIntent(intent, nonce);
  if (isRefusal(reply)) return query(stripe, order);
  return readFailure(reply, true);
}

const isRefusal = (reply: HttpsReply): boolean => reply.kind === 'reply' && reply.status === 400;

const readIntent = (intent: Fields, nonce: string): PspAnswer<PspPayment> => {
  const payment = intentPayment(intent, nonce);
  if (payment === 'absent') return { kind: 'absent' };
  return payment === undefined ? unreadable : { kind: 'known', value: payment };
};

const readSession = (session: Fields, nonce: string): PspAnswer<PspPayment> => {
  const payment = sessionPayment(session, nonce);
  return payment === undefined ? unreadable : { kind: 'known', value: payment };
};

/** Keys are forgotten after a day and refunds are tried for longer, so a repeated one is looked for first. */
async function sendBack(stripe: StripeClient, refund: PspRefundOrder): Promise<PspAnswer<PspRefund>> {
  const { nonce, paymentNonce, paymentReference: intent, attempt, amountMinor, currency } = refund;
  const amount = toStripeAmount(amountMinor, currency);
  if (amount === undefined) return { kind: 'refused', code: 'invalid_amount' };
  if (intent === undefined) return { kind: 'unknown', reason: 'the reference of the payment is not known' };
  if (attempt > 1) {
    const reply = await stripe.get(`/v1/refunds?payment_intent=${one(intent)}&limit=100`);
    const list = objectOf(reply)?.['data'];
    if (!Array.isArray(list)) return readFailure(reply, true);
    const found = list
      .map((entry) => stripeRefund(fieldsOf(entry) ?? {}, nonce))
      .find((entry) => entry !== undefined);
    if (found !== undefined) return { kind: 'known', value: found };
  }
  const fields = {
    payment_intent: intent,
    amount,
    'metadata[nonce]': nonce,
    'metadata[payment_nonce]': paymentNonce,
  };
  const reply = await stripe.post('/v1/refunds', fields, nonce);
  const object = objectOf(reply);
  if (object === undefined) return readFailure(reply, true);
  const value = stripeRefund(object, nonce);
  return value === undefined ? unreadable : { kind: 'known', value };
}
