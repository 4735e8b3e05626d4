import type { PspAnswer, PspOrder } from '../psp.js';
import { type PspCard, type PspCardReference, pspCardOf } from '../psp-card.js';
import { errorOf, type Fields, fieldsOf, objectOf, readFailure, type StripeClient } from './stripe-client.js';
import { metadataOf } from './stripe-payment.js';

const one = (id: string): string => encodeURIComponent(id);

/**
 * The card that a paid intent attached to its customer. The order's reference is the intent or, shortly after
 * the payment, still the session.
 */
export async function stripeKeptCard(
  stripe: StripeClient,
  { nonce, reference }: PspOrder,
): Promise<PspAnswer<PspCard>> {
  if (reference === undefined || reference.startsWith('cs_'))
    return { kind: 'unknown', reason: 'the reference of the payment is not known' };
  const reply = await stripe.get(`/v1/payment_intents/${one(reference)}?expand[0]=payment_method`);
  const intent = objectOf(reply);
  if (intent === undefined) return readFailure(reply, true);
  const { setup_future_usage: usage, customer } = intent;
  if (metadataOf(intent)['nonce'] !== nonce)
    return { kind: 'unknown', reason: 'the payment is of another order' };
  const method = fieldsOf(intent['payment_method']);
  // Detached meanwhile, or never attached.
  const isKept = typeof usage === 'string' && customer !== null && method?.['customer'] === customer;
  if (method === undefined || !isKept) return { kind: 'absent' };
  const card = cardOfMethod(method, customer);
  return card === undefined
    ? { kind: 'unknown', reason: 'the card of the provider cannot be parsed' }
    : { kind: 'known', value: card };
}

export function cardOfMethod(method: Fields, customer: unknown): PspCard | undefined {
  const { brand, last4, exp_month: month, exp_year: year } = fieldsOf(method['card']) ?? {};
  const expiryMonth = `${String(year)}-${String(month).padStart(2, '0')}`;
  return pspCardOf({ token: method['id'], customer, brand, last4, expiryMonth });
}

/** A customer for one card, so that both are deleted together. */
export async function makeCustomer(
  stripe: StripeClient,
  { nonce, attempt }: PspOrder,
): Promise<PspAnswer<string>> {
  const reply = await stripe.post(
    '/v1/customers',
    { 'metadata[nonce]': nonce },
    `${nonce}:${attempt}:customer`,
  );
  const { id } = objectOf(reply) ?? {};
  return typeof id === 'string' && /^[\w-]{1,255}$/.test(id)
    ? { kind: 'known', value: id }
    : readFailure(reply, false);
}

/**
 * Detaches the card, after which Stripe never charges it again, then deletes the customer with what the
 * buyer typed on Stripe's page. Repeated calls are refused because there is nothing left; the card itself
 * says so.
 */
export async function deleteStripeCard(
  stripe: StripeClient,
  { token, customer }: PspCardReference,
): Promise<PspAnswer<'deleted'>> {
  const detached = await stripe.post(`/v1/payment_methods/${one(token)}/detach`, {});
  if (objectOf(detached) === undefined && !isMissing(detached)) {
    if (detached.kind !== 'reply' || detached.status !== 400) return readFailure(detached, true);
    const shown = await stripe.get(`/v1/payment_methods/${one(token)}`);
    const method = objectOf(shown);
    if (method === undefined && !isMissing(shown)) return readFailure(shown, true);
    if (method !== undefined && method['customer'] !== null) return readFailure(detached, true);
  }
  const deleted = await stripe.remove(`/v1/customers/${one(customer)}`);
  return objectOf(deleted) !== undefined || isMissing(deleted)
    ? { kind: 'known', value: 'deleted' }
    : readFailure(deleted, true);
}

const isMissing = (reply: Parameters<typeof errorOf>[0]): boolean =>
  reply.kind === 'reply' && reply.status === 404 && errorOf(reply)['code'] === 'resource_missing';
