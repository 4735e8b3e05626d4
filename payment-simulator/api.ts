import type { Answer } from './answer.js';
import { type CardOutcome, outcomeOfKept, outcomeOfToken } from './cards.js';
import type { Call, Reply } from './exchange.js';
import type { PspStore } from './psp-store.js';
import type { SimulatedCard, SimulatedCardPage, SimulatedPayment } from './record.js';
import { cardPageJson, paymentJson, payoutJson, refundJson } from './wire.js';

export interface ApiDeps {
  readonly book: PspStore;
  readonly baseUrl: () => string;
}

/** What a shop may request from the provider. `operation` is the name that faults are planned by. */
export interface ApiCall {
  readonly operation: string;
  readonly run: () => Reply;
  /** The effect took place, and the answer was this error. */
  readonly failed?: (reply: Reply) => void;
}

export function apiCall(call: Call, { book, baseUrl }: ApiDeps): ApiCall | undefined {
  const { method, path, body } = call;
  const payment = (answer: Answer<SimulatedPayment>): Reply =>
    reply(answer, (value) => paymentJson(value, baseUrl(), keptBy(value, book)));
  const cardPage = (answer: Answer<SimulatedCardPage>): Reply =>
    reply(answer, (page) => cardPageJson(page, baseUrl(), book.cards.get(page.cardToken ?? '')));
  const parts = path.split('/').slice(1).map(decodeURIComponent);
  const [version, resource, id, action] = parts;
  if (version !== 'v1') return undefined;
  const nonce = id ?? '';
  switch (
    `${method} ${resource}${id === undefined ? '' : '/id'}${action === undefined ? '' : `/${action}`}`
  ) {
    case 'POST registrations':
      return { operation: 'registrations', run: () => payment(checked(body, () => register(body, book))) };
    case 'POST charges':
      return { operation: 'charges', run: () => payment(checked(body, () => charge(body, book))) };
    case 'POST card-pages':
      return { operation: 'card-pages', run: () => cardPage(checked(body, () => openCardPage(body, book))) };
    case 'GET card-pages/id':
      return { operation: 'query', run: () => cardPage(found(book.cardPage(nonce))) };
    case 'POST card-pages/id/close':
      return { operation: 'void', run: () => cardPage(book.closeCardPage(nonce, book.newId)) };
    case 'GET payments/id':
      return { operation: 'query', run: () => payment(found(book.payment(nonce))) };
    case 'POST payments/id/void':
      return { operation: 'void', run: () => payment(book.void(nonce)) };
    case 'POST payments/id/capture':
      return { operation: 'capture', run: () => payment(capture(body, nonce, book)) };
    case 'POST refunds':
      return {
        operation: 'refunds',
        run: () =>
          reply(
            checked(body, () =>
              book.refund(
                text(body['nonce']),
                text(body['payment_nonce']),
                text(body['amount_minor']),
                text(body['currency']),
              ),
            ),
            refundJson,
          ),
      };
    case 'GET refunds/id':
      return { operation: 'query', run: () => reply(found(book.refunds.get(nonce)), refundJson) };
    case 'POST cards/id/delete':
      return { operation: 'cards', run: () => reply(book.deleteCard(nonce), () => ({ deleted: true })) };
    case 'POST disputes/id/documents':
      return { operation: 'documents', run: () => received(keepDocument(body, book)) };
    case 'POST disputes/id/evidence':
      return { operation: 'evidence', run: () => received(evidence(body, nonce, book)) };
    case 'POST disputes/id/acceptance':
      return { operation: 'acceptance', run: () => received(book.acceptDispute(nonce)) };
    case 'POST payouts':
      return {
        operation: 'payouts',
        run: () =>
          reply(
            checked(body, () =>
              book.payout(
                text(body['nonce']),
                text(body['account']),
                text(body['amount_minor']),
                text(body['currency']),
              ),
            ),
            payoutJson,
          ),
      };
    case 'GET payouts/id':
      return { operation: 'query', run: () => reply(found(book.payouts.get(nonce)), payoutJson) };
    default:
      return undefined;
  }
}

/** The card that a payment left behind; not one that paid it. */
function keptBy({ keep, cardToken }: SimulatedPayment, book: PspStore): SimulatedCard | undefined {
  const card = keep === 'agreed' && cardToken !== undefined ? book.cards.get(cardToken) : undefined;
  return card?.deletedMs === undefined ? card : undefined;
}

/** All that the shop learns of an answer: the dispute itself comes by webhook. */
const received = (answer: Answer<object>): Reply => reply(answer, () => ({ received: true }));

function keepDocument(body: Call['body'], book: PspStore): Answer<object> {
  const bytes = Buffer.from(text(body['base64']), 'base64');
  const type = text(body['content_type']);
  if (bytes.length === 0 || !/^(application\/pdf|image\/png|image\/jpeg)$/.test(type))
    return { ok: false, status: 400, code: 'invalid_document' };
  return book.keepFile(text(body['nonce']), type, bytes);
}

function evidence(body: Call['body'], disputeId: string, book: PspStore): Answer<object> {
  const { texts, documents } = body;
  if (typeof texts !== 'object' || texts === null || !Array.isArray(documents))
    return { ok: false, status: 400, code: 'invalid_evidence' };
  return book.answerDispute(disputeId, {
    nonce: text(body['nonce']),
    texts: texts as Record<string, string>,
    documents: Object.fromEntries(documents.map((id) => [String(id), String(id)])),
  });
}

function capture(body: Call['body'], nonce: string, book: PspStore): Answer<SimulatedPayment> {
  const amount = body['amount_minor'];
  if (amount === undefined) return book.capture(nonce);
  return /^[1-9]\d{0,17}$/.test(text(amount))
    ? book.capture(nonce, text(amount))
    : { ok: false, status: 400, code: 'invalid_amount' };
}

const captureOf = (body: Call['body']): { readonly manual?: true } =>
  body['capture'] === 'manual' ? { manual: true } : {};

function register(body: Call['body'], book: PspStore): Answer<SimulatedPayment> {
  return book.register({
    nonce: text(body['nonce']),
    amountMinor: text(body['amount_minor']),
    currency: text(body['currency']),
    expiresMs: Date.parse(text(body['expires_at'])),
    successUrl: text(body['success_url']),
    failureUrl: text(body['failure_url']),
    ...captureOf(body),
    ...(body['save_card'] === true && { keep: 'offered' }),
  });
}

function openCardPage(body: Call['body'], book: PspStore): Answer<SimulatedCardPage> {
  const { payments } = body;
  if (typeof payments !== 'number' || !Number.isInteger(payments) || payments < 1 || payments > 100)
    return { ok: false, status: 400, code: 'invalid_payments' };
  return book.openCardPage(
    {
      nonce: text(body['nonce']),
      payments,
      totalMinor: text(body['amount_minor']),
      currency: text(body['currency']),
      expiresMs: Date.parse(text(body['expires_at'])),
      successUrl: text(body['success_url']),
      failureUrl: text(body['failure_url']),
    },
    book.newId,
  );
}

/** An unavailable bank leaves no trace of the nonce, so the charge may be attempted again. */
function charge(body: Call['body'], book: PspStore): Answer<SimulatedPayment> {
  const { outcome, card } = cardOf(body, book);
  const nonce = text(body['nonce']);
  if (outcome.result === 'unavailable' && book.payment(nonce) === undefined)
    return { ok: false, status: 503, code: outcome.code };
  const registered = book.register(
    {
      nonce,
      amountMinor: text(body['amount_minor']),
      currency: text(body['currency']),
      expiresMs: Date.parse(text(body['expires_at'])),
      successUrl: text(body['success_url']),
      failureUrl: text(body['failure_url']),
      ...captureOf(body),
      ...(body['save_card'] === true && { keep: 'agreed' }),
    },
    'charge',
  );
  if (!registered.ok || registered.repeated) return registered;
  return book.pay(nonce, outcome, card, 'charge');
}

/** A card that is kept for the customer, or one that was typed into the fields of the provider. */
function cardOf(body: Call['body'], book: PspStore) {
  const [token, customer] = [text(body['card_token']), text(body['customer'])];
  const kept = book.chargeable(token, customer);
  if (kept !== undefined) {
    const outcome: CardOutcome = outcomeOfKept(kept, {
      amountMinor: text(body['amount_minor']),
      isBuyerAway: body['off_session'] === true,
    });
    return { outcome, card: { brand: kept.brand, last4: kept.last4, cardToken: kept.token } };
  }
  const card = { brand: 'visa', last4: '4242', cardKind: token, cardExpiry: '2030-12' };
  return { outcome: outcomeOfToken(token), card };
}

function checked<Value>(body: Call['body'], run: () => Answer<Value>): Answer<Value> {
  const refuse = (code: string): Answer<Value> => ({ ok: false, status: 400, code });
  if (!/^[\w.:-]{1,64}$/.test(text(body['nonce']))) return refuse('invalid_nonce');
  if (!/^[1-9]\d{0,17}$/.test(text(body['amount_minor']))) return refuse('invalid_amount');
  if (!/^[A-Z]{3}$/.test(text(body['currency']))) return refuse('invalid_currency');
  if ('expires_at' in body && Number.isNaN(Date.parse(text(body['expires_at']))))
    return refuse('invalid_expiry');
  return run();
}

function found<Value>(value: Value | undefined): Answer<Value> {
  return value === undefined
    ? { ok: false, status: 404, code: 'unknown_nonce' }
    : { ok: true, value, repeated: true };
}

function reply<Value>(answer: Answer<Value>, json: (value: Value) => Record<string, unknown>): Reply {
  if (answer.ok)
    return {
      status: answer.repeated ? 200 : 201,
      body: { ...json(answer.value), already_processed: answer.repeated },
    };
  return {
    status: answer.status,
    body: { code: answer.code },
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
