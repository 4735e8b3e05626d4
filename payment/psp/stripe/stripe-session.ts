import type { PspAnswer, PspOrder } from '../psp.js';
import type { PspPayment } from '../psp-payment.js';
import type { ReturnUrls } from '../return-urls.js';
import { type Fields, objectOf, readFailure, type StripeClient } from './stripe-client.js';
import { sessionPayment } from './stripe-payment.js';

const minuteMs = 60_000;
/** Stripe's bounds for the time of a page, with a minute for clocks that differ. */
const leastMs = 31 * minuteMs;
const mostMs = 24 * 60 * minuteMs - minuteMs;

export const unreadable = { kind: 'unknown', reason: 'the answer of the provider cannot be parsed' } as const;

/**
 * Registers a payment with a page. Nobody can pay on a page whose address nobody has, so a lost answer is
 * followed by another session. The page stays open for longer than the order, because Stripe's least time is
 * half an hour; the order closes it.
 */
export async function makeSession(
  stripe: StripeClient,
  { nonce, currency, attempt, expiresMs, manual, keepCard }: PspOrder,
  amount: string,
  urls: ReturnUrls,
  nowMs: number,
): Promise<PspAnswer<PspPayment>> {
  const item = 'line_items[0]';
  const fields = {
    mode: 'payment',
    client_reference_id: nonce,
    'metadata[nonce]': nonce,
    'payment_intent_data[metadata][nonce]': nonce,
    'payment_intent_data[metadata][page]': 'checkout',
    ...(manual === true && { 'payment_intent_data[capture_method]': 'manual' }),
    // Stripe makes the customer when the buyer pays, and says on its page that the card is kept.
    ...(keepCard === true && {
      customer_creation: 'always',
      'payment_intent_data[setup_future_usage]': 'off_session',
    }),
    'payment_method_types[0]': 'card',
    // The buyer pays the amount and currency of the order.
    'adaptive_pricing[enabled]': 'false',
    [`${item}[quantity]`]: '1',
    [`${item}[price_data][currency]`]: currency.toLowerCase(),
    [`${item}[price_data][unit_amount]`]: amount,
    [`${item}[price_data][product_data][name]`]: `Payment ${nonce}`,
  };
  return postSession(stripe, { nonce, attempt, expiresMs, fields }, urls, nowMs, sessionPayment);
}

/** A Checkout Session for a nonce, with the addresses to return to and the time at which it closes. */
export async function postSession<Value>(
  stripe: StripeClient,
  { nonce, attempt, expiresMs, fields }: SessionRequest,
  urls: ReturnUrls,
  nowMs: number,
  read: (session: Fields, nonce: string) => Value | undefined,
): Promise<PspAnswer<Value>> {
  const all = {
    ...fields,
    success_url: `${withResult(urls.success, 'success')}&tokenID={CHECKOUT_SESSION_ID}`,
    cancel_url: withResult(urls.failure, 'failure'),
    expires_at: closesAt(expiresMs, nowMs),
  };
  const reply = await stripe.post('/v1/checkout/sessions', all, `${nonce}:${attempt}`);
  const session = objectOf(reply);
  if (session === undefined) return readFailure(reply, false);
  const value = read(session, nonce);
  return value === undefined ? { kind: 'refused', code: 'never_arrived' } : { kind: 'known', value };
}

interface SessionRequest {
  readonly nonce: string;
  readonly attempt: number;
  readonly expiresMs: number;
  readonly fields: Readonly<Record<string, string>>;
}

/** In seconds, as Stripe wants it. */
const closesAt = (expiresMs: number, nowMs: number): string =>
  String(Math.floor(Math.min(nowMs + mostMs, Math.max(nowMs + leastMs, expiresMs)) / 1_000));

/** Closes the page. A session that is not open any more says itself what became of it. */
export async function expireSession(
  stripe: StripeClient,
  { nonce, reference }: PspOrder,
  query: () => Promise<PspAnswer<PspPayment>>,
): Promise<PspAnswer<PspPayment>> {
  const reply = await stripe.post(`/v1/checkout/sessions/${encodeURIComponent(reference!)}/expire`, {});
  const session = objectOf(reply);
  if (session !== undefined) return closed(sessionPayment(session, nonce));
  if (reply.kind !== 'reply' || reply.status !== 400) return readFailure(reply, true);
  const answer = await query();
  return answer.kind === 'known' ? closed(answer.value) : answer;
}

/** The caller asked for it: `voided` in our words. */
const closed = (payment: PspPayment | undefined): PspAnswer<PspPayment> =>
  payment === undefined
    ? unreadable
    : { kind: 'known', value: payment.status === 'expired' ? { ...payment, status: 'voided' } : payment };

function withResult(url: string, result: 'success' | 'failure'): string {
  const back = new URL(url);
  back.searchParams.set('payResult', result);
  return back.href;
}
