import { createHash } from 'node:crypto';
import type { ApiCall } from '../api.js';
import type { Call, Reply } from '../exchange.js';
import type { PspStore } from '../psp-store.js';
import type { SimulatedPayment } from '../record.js';
import { deleteStripeCustomer, detachMethod, makeCustomer, methodJson, showMethod } from './stripe-cards.js';
import { closeStripeDispute, keepStripeFile, showDispute, updateDispute } from './stripe-disputes.js';
import { cancelIntent, captureIntent, confirmIntent, makeIntent } from './stripe-intents.js';
import { listBalance, listPayouts } from './stripe-lists.js';
import { intentJson, sessionJson, stripeRefundJson } from './stripe-objects.js';
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
  textsOf,
  unknownField,
} from './stripe-request.js';
import { expireSetupSession, makeSetupSession, showSetupSession } from './stripe-setup.js';

/**
 * Stripe's API over the same store: the nonce of a payment is the id of its intent. A key makes a repeated
 * call have one effect and one answer, also an error of the server.
 */
export function stripeCall(call: Call, deps: StripeApiDeps): ApiCall | undefined {
  const found = route(call, deps);
  const key = call.headers['idempotency-key'];
  if (found === undefined || call.method !== 'POST' || typeof key !== 'string') return found;
  const { book } = deps;
  const fingerprint = createHash('sha256')
    .update(`${call.path}\n${JSON.stringify(call.body)}`)
    .digest('hex');
  return {
    operation: found.operation,
    run() {
      const kept = book.replies.get(key);
      if (kept !== undefined && kept.fingerprint !== fingerprint)
        return stripeError(400, { type: 'idempotency_error', code: 'idempotency_error' });
      if (kept !== undefined)
        return { status: kept.status, body: kept.body, headers: { 'idempotent-replayed': 'true' } };
      const reply = found.run();
      if (reply.status === 200 || reply.status === 402)
        book.keepReply({ key, fingerprint, status: reply.status, body: reply.body as object });
      return reply;
    },
    failed: (reply) => book.keepReply({ key, fingerprint, status: reply.status, body: reply.body as object }),
  };
}

function route(call: Call, deps: StripeApiDeps): ApiCall | undefined {
  const { book, baseUrl } = deps;
  const fields = textsOf(call.body);
  const [, , ...parts] = call.path.split('/').map(decodeURIComponent);
  const intent = (payment: SimulatedPayment): Reply => ({
    status: 200,
    body: intentJson(payment, baseUrl()),
  });
  const session = (payment: SimulatedPayment): Reply => ({
    status: 200,
    body: sessionJson(payment, baseUrl()),
  });
  const [resource, second = '', third] = parts;
  const setup = resource === 'checkout' ? book.cardPageByToken(third ?? '') : undefined;
  switch (`${call.method} ${resource}`) {
    case 'POST payment_intents': {
      if (second === '') return { operation: 'intents', run: () => makeIntent(fields, deps, intent) };
      const payment = book.payment(second);
      if (third === 'confirm')
        return { operation: 'confirm', run: () => confirmIntent(payment, fields, deps, intent) };
      if (third === 'capture')
        return { operation: 'capture', run: () => captureIntent(payment, fields, book, intent) };
      if (third === 'cancel') return { operation: 'void', run: () => cancelIntent(payment, book, intent) };
      return undefined;
    }
    case 'GET payment_intents':
      return { operation: 'query', run: () => found(book.payment(second), shownIntent(call, deps)) };
    case 'POST customers':
      return { operation: 'customers', run: () => makeCustomer(fields, book, invalid) };
    case 'DELETE customers':
      return { operation: 'cards', run: () => deleteStripeCustomer(second, book, invalid) };
    case 'GET payment_methods':
      return { operation: 'query', run: () => showMethod(second, book, invalid) };
    case 'POST payment_methods':
      return third === 'detach'
        ? { operation: 'cards', run: () => detachMethod(second, book, invalid) }
        : undefined;
    case 'POST checkout':
      if (third === undefined && fields['mode'] === 'setup')
        return { operation: 'card-pages', run: () => makeSetupSession(fields, deps) };
      if (third === undefined)
        return { operation: 'registrations', run: () => makeSession(fields, deps, session) };
      if (setup !== undefined) return { operation: 'void', run: () => expireSetupSession(setup, deps) };
      return { operation: 'void', run: () => expire(book.byToken(third), book, session) };
    case 'GET checkout':
      return setup === undefined
        ? { operation: 'query', run: () => found(book.byToken(third ?? ''), session) }
        : { operation: 'query', run: () => showSetupSession(setup, call.query, deps) };
    case 'POST refunds':
      return { operation: 'refunds', run: () => refund(fields, book) };
    case 'GET refunds':
      return { operation: 'query', run: () => listRefunds(call.query.get('payment_intent'), book) };
    case 'POST files':
      return { operation: 'documents', run: () => keepStripeFile(call.body, book, invalid) };
    case 'POST disputes':
      return third === 'close'
        ? { operation: 'acceptance', run: () => closeStripeDispute(second, book, invalid) }
        : { operation: 'evidence', run: () => updateDispute(second, fields, book, invalid) };
    case 'GET disputes':
      return { operation: 'query', run: () => showDispute(second, book, invalid) };
    case 'GET balance_transactions':
      return { operation: 'settlement', run: () => listBalance(call.query, deps) };
    case 'GET payouts':
      return { operation: 'settlement', run: () => listPayouts(call.query, deps) };
    default:
      return undefined;
  }
}

/** With the card in full, if that is asked for. */
const shownIntent =
  ({ query }: Call, { book, baseUrl }: StripeApiDeps): Show =>
  (payment) => {
    const card = book.cards.get(payment.cardToken ?? '');
    const isWhole = card !== undefined && query.get('expand[0]') === 'payment_method';
    return { status: 200, body: intentJson(payment, baseUrl(), isWhole ? methodJson(card) : undefined) };
  };

const known = {
  refund: new Set(['payment_intent', 'amount', 'metadata[nonce]', 'metadata[payment_nonce]']),
  session: new Set([
    'mode',
    'client_reference_id',
    'metadata[nonce]',
    'payment_intent_data[metadata][nonce]',
    'payment_intent_data[metadata][page]',
    'payment_intent_data[capture_method]',
    'payment_intent_data[setup_future_usage]',
    'customer_creation',
    'payment_method_types[0]',
    'adaptive_pricing[enabled]',
    'line_items[0][quantity]',
    'line_items[0][price_data][currency]',
    'line_items[0][price_data][unit_amount]',
    'line_items[0][price_data][product_data][name]',
    'success_url',
    'cancel_url',
    'expires_at',
  ]),
};

const found = (payment: SimulatedPayment | undefined, show: Show): Reply =>
  payment?.stripe === undefined ? invalid('resource_missing', 'id') : show(payment);

function makeSession(fields: Fields, { book, nowMs }: StripeApiDeps, show: Show): Reply {
  const price = 'line_items[0][price_data]';
  const amount = fields[`${price}[unit_amount]`];
  const currency = fields[`${price}[currency]`];
  const bad = unknownField(fields, known.session) ?? badMoney(amount, currency);
  if (bad !== undefined) return bad;
  const expiresMs = Number(fields['expires_at']) * 1_000;
  const inMs = expiresMs - nowMs();
  if (!(inMs >= 30 * 60_000 && inMs <= 24 * 3_600_000)) return invalid('parameter_invalid', 'expires_at');
  const made = book.register({
    nonce: book.newId('pi'),
    amountMinor: amount!,
    currency: currency!.toUpperCase(),
    expiresMs,
    successUrl: fields['success_url'] ?? '',
    failureUrl: fields['cancel_url'] ?? '',
    stripe: { session: book.newId('cs'), metadata: metadataIn(fields, 'payment_intent_data[metadata]') },
    ...captureIn(fields['payment_intent_data[capture_method]']),
    ...keepIn(fields['payment_intent_data[setup_future_usage]']),
  });
  return shown(made, show);
}

function expire(payment: SimulatedPayment | undefined, book: PspStore, show: Show): Reply {
  if (payment?.stripe === undefined) return invalid('resource_missing', 'session');
  if (payment.status !== 'registered' && payment.status !== 'challenge') return invalid('session_not_open');
  return shown(book.force(payment.nonce, 'voided', undefined, undefined, 'void'), show);
}

function refund(fields: Fields, book: PspStore): Reply {
  const { payment_intent: intent = '', amount } = fields;
  const bad = unknownField(fields, known.refund);
  if (bad !== undefined) return bad;
  const payment = book.payment(intent);
  if (payment?.stripe === undefined) return invalid('resource_missing', 'payment_intent');
  if (!/^[1-9]\d{0,11}$/.test(amount ?? '')) return invalid('parameter_invalid_integer', 'amount');
  const made = book.refund(book.newId('re'), intent, amount!, payment.currency, {
    metadata: metadataIn(fields, 'metadata'),
  });
  if (made.ok) return { status: 200, body: stripeRefundJson(made.value) };
  return invalid(made.code === 'above_captured' ? 'charge_already_refunded' : made.code);
}

function listRefunds(intent: string | null, book: PspStore): Reply {
  const data = [...book.refunds.values()]
    .filter(({ paymentNonce }) => paymentNonce === intent)
    .toReversed()
    .map(stripeRefundJson);
  return { status: 200, body: { object: 'list', data, has_more: false } };
}
