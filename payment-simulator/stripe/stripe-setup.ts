import type { Reply } from '../exchange.js';
import type { PspStore } from '../psp-store.js';
import type { SimulatedCardPage } from '../record.js';
import { methodJson } from './stripe-cards.js';
import { type Fields, invalid, metadataIn, type StripeApiDeps, unknownField } from './stripe-request.js';

const known = new Set([
  'mode',
  'client_reference_id',
  'metadata[nonce]',
  'setup_intent_data[metadata][nonce]',
  'customer_creation',
  'currency',
  'payment_method_types[0]',
  'custom_text[submit][message]',
  'success_url',
  'cancel_url',
  'expires_at',
]);

/** A Checkout Session in setup mode: it takes a card, and no money. */
export function makeSetupSession(fields: Fields, deps: StripeApiDeps): Reply {
  const { book, baseUrl, nowMs } = deps;
  const { currency = '', success_url: successUrl = '', cancel_url: failureUrl = '' } = fields;
  const bad = unknownField(fields, known);
  if (bad !== undefined) return bad;
  if (!/^[a-z]{3}$/.test(currency)) return invalid('parameter_invalid', 'currency');
  if (fields['customer_creation'] !== 'always') return invalid('parameter_invalid', 'customer_creation');
  const expiresMs = Number(fields['expires_at']) * 1_000;
  const inMs = expiresMs - nowMs();
  if (!(inMs >= 30 * 60_000 && inMs <= 24 * 3_600_000)) return invalid('parameter_invalid', 'expires_at');
  const [, payments = '', whole = '0', part = ''] =
    /(\d+) payments?, (\d+)(?:\.(\d+))? /.exec(fields['custom_text[submit][message]'] ?? '') ?? [];
  const made = book.openCardPage(
    {
      nonce: book.newId('seti'),
      payments: Number(payments),
      totalMinor: BigInt(whole + part).toString(),
      currency: currency.toUpperCase(),
      expiresMs,
      successUrl,
      failureUrl,
      stripe: { session: book.newId('cs'), metadata: metadataIn(fields, 'metadata') },
    },
    book.newId,
  );
  return made.ok ? { status: 200, body: setupSessionJson(made.value, baseUrl(), book) } : invalid(made.code);
}

export function showSetupSession(
  page: SimulatedCardPage,
  query: URLSearchParams,
  { book, baseUrl }: StripeApiDeps,
): Reply {
  const isWhole = query.get('expand[0]') === 'setup_intent.payment_method';
  return { status: 200, body: setupSessionJson(page, baseUrl(), book, isWhole) };
}

export function expireSetupSession(page: SimulatedCardPage, { book, baseUrl }: StripeApiDeps): Reply {
  if (page.status !== 'open' && page.status !== 'challenge') return invalid('session_not_open');
  const closed = book.closeCardPage(page.nonce, book.newId);
  return closed.ok
    ? { status: 200, body: setupSessionJson(closed.value, baseUrl(), book) }
    : invalid(closed.code);
}

const statuses = {
  open: 'open',
  challenge: 'open',
  taken: 'complete',
  expired: 'expired',
  closed: 'expired',
} as const;

export function setupSessionJson(
  page: SimulatedCardPage,
  baseUrl: string,
  book?: PspStore,
  isWhole = false,
): Record<string, unknown> {
  const card = book?.cards.get(page.cardToken ?? '');
  const status = statuses[page.status];
  return {
    id: page.token,
    object: 'checkout.session',
    mode: 'setup',
    amount_total: null,
    currency: page.currency.toLowerCase(),
    client_reference_id: page.stripe?.metadata['nonce'] ?? null,
    metadata: page.stripe?.metadata ?? {},
    status,
    payment_status: 'no_payment_required',
    payment_intent: null,
    customer: page.customer ?? null,
    setup_intent:
      isWhole && card !== undefined
        ? { id: page.nonce, object: 'setup_intent', status: 'succeeded', payment_method: methodJson(card) }
        : page.nonce,
    url: status === 'open' ? `${baseUrl}/card/${page.token}` : null,
    expires_at: Math.floor(page.expiresMs / 1_000),
    livemode: false,
  };
}
