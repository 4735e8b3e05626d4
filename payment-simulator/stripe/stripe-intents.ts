import type { Reply } from '../exchange.js';
import type { PspStore } from '../psp-store.js';
import type { SimulatedPayment } from '../record.js';
import { confirmedCard } from './stripe-cards.js';
import { errorJson, intentJson } from './stripe-objects.js';
import {
  badMoney,
  captureIn,
  type Fields,
  invalid,
  keepIn,
  metadataIn,
  type Show,
  type StripeApiDeps,
  shown,
  stripeError,
  unknownField,
} from './stripe-request.js';

const known = {
  intent: new Set([
    'amount',
    'currency',
    'payment_method_types[0]',
    'metadata[nonce]',
    'capture_method',
    'customer',
    'setup_future_usage',
  ]),
  confirm: new Set(['payment_method', 'return_url', 'off_session']),
  capture: new Set(['amount_to_capture']),
};

export function makeIntent(fields: Fields, { book }: StripeApiDeps, show: Show): Reply {
  const { amount, currency, customer } = fields;
  const bad = unknownField(fields, known.intent) ?? badMoney(amount, currency);
  if (bad !== undefined) return bad;
  const owner = book.customers.get(customer ?? '');
  if (customer !== undefined && (owner === undefined || owner.deletedMs !== undefined))
    return invalid('resource_missing', 'customer');
  const made = book.register({
    nonce: book.newId('pi'),
    amountMinor: amount!,
    currency: currency!.toUpperCase(),
    expiresMs: Number.MAX_SAFE_INTEGER,
    successUrl: '',
    failureUrl: '',
    stripe: { metadata: metadataIn(fields, 'metadata') },
    ...captureIn(fields['capture_method']),
    ...keepIn(fields['setup_future_usage']),
    ...(customer !== undefined && { customer }),
  });
  return shown(made, show);
}

export function confirmIntent(
  payment: SimulatedPayment | undefined,
  fields: Fields,
  { book, baseUrl }: StripeApiDeps,
  show: Show,
): Reply {
  const { return_url: back = '' } = fields;
  const bad = unknownField(fields, known.confirm);
  if (bad !== undefined) return bad;
  if (payment?.stripe === undefined) return invalid('resource_missing', 'intent');
  if (payment.status !== 'registered')
    return stripeError(400, {
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      payment_intent: payment.status === 'declined' ? undefined : intentJson(payment, baseUrl()),
    });
  const used = confirmedCard(payment, fields, book);
  if (used === undefined) return invalid('resource_missing', 'payment_method');
  const { outcome } = used;
  const declined = outcome.result === 'unavailable' ? { ...outcome, result: 'declined' as const } : outcome;
  const card = { ...used.card, successUrl: back, failureUrl: back };
  const paid = book.pay(payment.nonce, declined, card, 'charge');
  if (paid.ok && paid.value.status === 'declined')
    return stripeError(402, {
      ...errorJson(paid.value.code),
      payment_intent: intentJson(paid.value, baseUrl()),
    });
  return shown(paid, show);
}

/** Once, in full or in part. */
export function captureIntent(
  payment: SimulatedPayment | undefined,
  fields: Fields,
  book: PspStore,
  show: Show,
): Reply {
  const bad = unknownField(fields, known.capture);
  if (bad !== undefined) return bad;
  if (payment?.stripe === undefined) return invalid('resource_missing', 'intent');
  const amount = fields['amount_to_capture'];
  if (amount !== undefined && !/^[1-9]\d{0,11}$/.test(amount))
    return invalid('parameter_invalid_integer', 'amount_to_capture');
  if (payment.status !== 'authorized') return invalid('payment_intent_unexpected_state');
  const taken = book.capture(payment.nonce, amount);
  return taken.ok ? show(taken.value) : invalid('amount_too_large', 'amount_to_capture');
}

export function cancelIntent(payment: SimulatedPayment | undefined, book: PspStore, show: Show): Reply {
  if (payment?.stripe === undefined) return invalid('resource_missing', 'intent');
  const isOpen = ['registered', 'declined', 'challenge', 'authorized'].includes(payment.status);
  if (!isOpen) return invalid('payment_intent_unexpected_state');
  return shown(book.force(payment.nonce, 'voided', undefined, undefined, 'void'), show);
}
