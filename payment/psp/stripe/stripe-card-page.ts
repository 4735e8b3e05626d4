import { parseCurrency } from '../../money/currency.js';
import { formatMoney } from '../../money/money.js';
import type { PspAnswer } from '../psp.js';
import type { PspCardPage, PspCardPageOrder } from '../psp-card-page.js';
import type { ReturnUrls } from '../return-urls.js';
import { cardOfMethod } from './stripe-card.js';
import { type Fields, fieldsOf, objectOf, readFailure, type StripeClient } from './stripe-client.js';
import { postSession, unreadable } from './stripe-session.js';

/**
 * A Checkout Session in setup mode. Stripe makes a customer for the card and asks the bank now, with the
 * buyer present. Nobody can type a card on a page whose address nobody has, so a lost answer is followed by
 * another session.
 */
export async function openStripeCardPage(
  stripe: StripeClient,
  order: PspCardPageOrder,
  urls: ReturnUrls,
  nowMs: number,
): Promise<PspAnswer<PspCardPage>> {
  const { nonce, currency, attempt, expiresMs } = order;
  const fields = {
    mode: 'setup',
    client_reference_id: nonce,
    'metadata[nonce]': nonce,
    'setup_intent_data[metadata][nonce]': nonce,
    customer_creation: 'always',
    currency: currency.toLowerCase(),
    'payment_method_types[0]': 'card',
    // A session in this mode shows no amount of its own.
    'custom_text[submit][message]': messageOf(order),
  };
  return postSession(stripe, { nonce, attempt, expiresMs, fields }, urls, nowMs, pageOf);
}

function messageOf({ payments, totalMinor, currency: code }: PspCardPageOrder): string {
  const currency = parseCurrency(code);
  const total = currency === undefined ? '' : formatMoney({ minor: totalMinor, currency });
  const count = `${payments} ${payments === 1 ? 'payment' : 'payments'}`;
  return `Your card is charged for ${count}, ${total} ${code} in all.`;
}

export async function stripeCardPage(
  stripe: StripeClient,
  { nonce, reference }: PspCardPageOrder,
): Promise<PspAnswer<PspCardPage>> {
  if (reference === undefined) return { kind: 'absent' };
  const path = `/v1/checkout/sessions/${encodeURIComponent(reference)}?expand[0]=setup_intent.payment_method`;
  const reply = await stripe.get(path);
  const session = objectOf(reply);
  if (session === undefined) return readFailure(reply, true);
  const page = pageOf(session, nonce);
  return page === undefined ? unreadable : { kind: 'known', value: page };
}

/** A session that is not open any more says itself what became of it. */
export async function closeStripeCardPage(
  stripe: StripeClient,
  order: PspCardPageOrder,
): Promise<PspAnswer<PspCardPage>> {
  const { nonce, reference } = order;
  if (reference === undefined) return { kind: 'absent' };
  const reply = await stripe.post(`/v1/checkout/sessions/${encodeURIComponent(reference)}/expire`, {});
  const session = objectOf(reply);
  if (session === undefined)
    return reply.kind === 'reply' && reply.status === 400
      ? stripeCardPage(stripe, order)
      : readFailure(reply, true);
  const page = pageOf(session, nonce);
  return page === undefined ? unreadable : { kind: 'known', value: page };
}

function pageOf(session: Fields, nonce: string): PspCardPage | undefined {
  const { id, mode, status, url, customer, client_reference_id: named } = session;
  if (typeof id !== 'string' || !/^[\w-]{1,255}$/.test(id)) return undefined;
  if (named !== nonce || mode !== 'setup') return undefined;
  const page = { nonce, reference: id, token: id };
  switch (status) {
    case 'open':
      return typeof url === 'string' && url.length <= 2_048
        ? { ...page, state: { kind: 'open', pageUrl: url } }
        : undefined;
    case 'expired':
      return { ...page, state: { kind: 'over' } };
    case 'complete': {
      const method = fieldsOf(fieldsOf(session['setup_intent'])?.['payment_method']);
      if (method === undefined) return undefined;
      // Detached meanwhile: there is nothing to charge with.
      if (method['customer'] === null) return { ...page, state: { kind: 'over' } };
      const card = method['customer'] === customer ? cardOfMethod(method, customer) : undefined;
      return card === undefined ? undefined : { ...page, state: { kind: 'taken', card } };
    }
    default:
      return undefined;
  }
}
