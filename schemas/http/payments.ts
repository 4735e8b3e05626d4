import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';
import { SecondReview } from './second-review.js';

const closed = { additionalProperties: false } as const;

const PaymentId = (description: string) =>
  Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9._:-]+$', description });

const Amount = Type.String({
  minLength: 1,
  maxLength: 32,
  description:
    'Decimal text like "10.00"; never a JSON number. At most as many decimals as the currency has.',
});
const CurrencyCode = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' });
const AccountText = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9 ._/-]+$',
  description: 'Bank account, as an IBAN or as the bank writes it.',
});

const NewPaymentOrder = Type.Object(
  {
    seller_account: AccountText,
    amount: Amount,
    currency: CurrencyCode,
    payment_order_id: PaymentId(
      'Globally unique, a UUID by choice; the provider de-duplicates by it, so it can be charged once and no more.',
    ),
  },
  closed,
);

const CreditCardInfo = Type.Object(
  {
    token: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: "The provider's token of a card." }),
    ),
    brand: Type.Optional(Type.String({ maxLength: 32 })),
    last4: Type.Optional(Type.String({ pattern: '^\\d{4}$' })),
    fingerprint: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: "The provider's fingerprint of the card: equal for the same card, whoever pays with it.",
      }),
    ),
  },
  { ...closed, description: 'Never a card number: a request that holds one anywhere is refused.' },
);

export const NewPayment = Type.Object(
  {
    checkout_id: PaymentId('Names the payment event; used once.'),
    buyer_info: Type.Object(
      { account: Type.Optional(AccountText) },
      {
        additionalProperties: true,
        description:
          'Whatever the shop knows of the buyer, at most 4 KiB of JSON. Services name `account`, another' +
          ' one for each buyer; without it the event is refused. Payment events of one buyer in an hour are' +
          ' counted: above 60 staff reviews them, above 600 they fail (settings `PAYMENTS_PER_BUYER` and' +
          ' `PAYMENTS_PER_BUYER_MAX`). One buyer is who has the same `account` at the same service, the' +
          ' same `credit_card_info.fingerprint`, the same `email`, or the same `address`, which is text' +
          ' with a number or an object with `line1`. A customer is the subject of the token.',
      },
    ),
    credit_card_info: CreditCardInfo,
    payment_orders: Type.Array(NewPaymentOrder, { minItems: 1, maxItems: 100 }),
  },
  closed,
);
export type NewPayment = Static<typeof NewPayment>;

const PaymentOrderStatus = oneOf(['NOT_STARTED', 'EXECUTING', 'SUCCESS', 'FAILED'] as const);
const Instant = Type.String({ description: 'RFC 3339' });
const OrNull = <S extends ReturnType<typeof Type.String>>(schema: S) => Type.Union([schema, Type.Null()]);

export const Refund = Type.Object({
  refund_id: Type.String(),
  payment_order_id: Type.String(),
  amount: Type.String(),
  currency: Type.String(),
  refund_status: PaymentOrderStatus,
  pending: Type.Union([oneOf(['review'] as const), Type.Null()], {
    description: '`review`: a second person of the staff must agree first.',
  }),
  failure_code: OrNull(Type.String()),
  reason: Type.String(),
  created_at: Instant,
  updated_at: Instant,
});
export type Refund = Static<typeof Refund>;

export const PaymentOrder = Type.Object({
  payment_order_id: Type.String(),
  checkout_id: Type.String(),
  buyer_account: Type.String(),
  seller_account: Type.String(),
  amount: Type.String({ description: 'As it was sent.' }),
  currency: Type.String(),
  payment_order_status: PaymentOrderStatus,
  is_final: Type.Boolean({ description: 'SUCCESS always is; FAILED is, unless it is tried again.' }),
  pending: Type.Union(
    [oneOf(['review', 'buyer', 'challenge', 'processing', 'unknown'] as const), Type.Null()],
    { description: 'Whom an open order waits for.' },
  ),
  ledger_updated: Type.Boolean(),
  wallet_updated: Type.Boolean(),
  failure_code: OrNull(Type.String()),
  attempts: Type.Integer(),
  next_attempt_at: OrNull(Instant),
  token: OrNull(Type.String({ description: "The provider's token of the registration." })),
  payment_page_url: OrNull(Type.String({ description: 'Where the buyer types the card.' })),
  captured_amount: Type.String(),
  refunded_amount: Type.String(),
  refunds: Type.Array(Refund),
  disputes: Type.Array(
    Type.Object({
      dispute_id: Type.String(),
      dispute_status: oneOf(['OPENED', 'WON', 'LOST'] as const),
      amount: Type.String(),
      opened_at: Instant,
      closed_at: OrNull(Instant),
    }),
  ),
  expires_at: Instant,
  created_at: Instant,
  updated_at: Instant,
});
export type PaymentOrder = Static<typeof PaymentOrder>;

export const PaymentEvent = Type.Object({
  checkout_id: Type.String(),
  is_payment_done: Type.Boolean(),
  payment_orders: Type.Array(PaymentOrder),
});
export type PaymentEvent = Static<typeof PaymentEvent>;

const keyed =
  'Needs the header `idempotency-key`. The same key again answers with the existing object and `Idempotent-Replayed: true`; with another body also `Idempotency-Mismatch: true`.';

export const postPayment = {
  operationId: 'postPayment',
  method: 'POST',
  path: '/v1/payments',
  listener: 'public',
  tag: 'payments',
  summary: 'Submit a payment event of one or more payment orders',
  description: keyed,
  scopes: ['customer', 'service'],
  body: { maxBytes: 64 * 1024, contentTypes: ['application/json'], schema: NewPayment },
  responses: {
    200: { description: 'The key was used before: the existing object.', schema: PaymentEvent },
    201: { description: 'Stored, and the provider has every order.', schema: PaymentEvent },
    202: {
      description: 'Stored; ask for the orders that the provider has not answered yet.',
      schema: PaymentEvent,
    },
    409: { description: 'The key is still being worked on, or an id is taken.' },
    422: { description: 'The key was used with another body, where the strict setting is on.' },
  },
} as const satisfies RouteContract;

const byId = Type.Object({ payment_order_id: Type.String({ minLength: 1, maxLength: 64 }) });

export const getPayment = {
  operationId: 'getPayment',
  method: 'GET',
  path: '/v1/payments/{payment_order_id}',
  listener: 'both',
  tag: 'payments',
  summary: 'Execution status of one payment order',
  scopes: ['customer', 'service', 'staff'],
  params: byId,
  responses: {
    200: { description: 'As it stands now.', schema: PaymentOrder },
    404: { description: "No such payment order, or somebody else's." },
  },
} as const satisfies RouteContract;

const NewRefund = Type.Object(
  {
    refund_id: PaymentId('Globally unique; the provider de-duplicates by it.'),
    amount: Type.Optional(Amount),
    reason: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { ...closed, description: 'Without an amount what is left of the payment.' },
);

export const postRefund = {
  operationId: 'postRefund',
  method: 'POST',
  path: '/v1/payments/{payment_order_id}/refunds',
  listener: 'both',
  tag: 'payments',
  summary: 'Give back all or a part of a payment',
  description:
    `Where staff gives back more than a limit of one payment, in one refund or in` +
    ` several, a second person must agree. ${keyed}`,
  scopes: ['service', 'staff'],
  params: byId,
  body: { maxBytes: 4_096, contentTypes: ['application/json'], schema: NewRefund },
  responses: {
    200: { description: 'The key was used before: the existing refund.', schema: Refund },
    202: {
      description: 'Stored; the provider is asked now, or after the second person agreed.',
      schema: Refund,
    },
    404: { description: "No such payment order, or somebody else's." },
    409: { description: 'The refund id is taken, or the payment has not succeeded.' },
    422: { description: 'More than is left of the captured amount.' },
  },
} as const satisfies RouteContract;

export const byRefund = Type.Object({
  payment_order_id: Type.String({ minLength: 1, maxLength: 64 }),
  refund_id: Type.String({ minLength: 1, maxLength: 64 }),
});

export const getRefund = {
  operationId: 'getRefund',
  method: 'GET',
  path: '/v1/payments/{payment_order_id}/refunds/{refund_id}',
  listener: 'both',
  tag: 'payments',
  summary: 'Status of one refund',
  scopes: ['customer', 'service', 'staff'],
  params: byRefund,
  responses: { 200: { description: 'As it stands now.', schema: Refund } },
} as const satisfies RouteContract;

export const postReview = {
  operationId: 'postPaymentReview',
  method: 'POST',
  path: '/v1/payments/{payment_order_id}/review',
  listener: 'internal',
  tag: 'payments',
  summary: 'Let a payment order through that waits for review, or end it',
  scopes: ['staff'],
  params: byId,
  body: {
    maxBytes: 4_096,
    contentTypes: ['application/json'],
    schema: SecondReview,
  },
  responses: {
    200: { description: 'Decided and recorded.', schema: PaymentOrder },
    409: { description: 'It does not wait for review.' },
  },
} as const satisfies RouteContract;

export const postPspWebhook = {
  operationId: 'postPspWebhook',
  method: 'POST',
  path: '/v1/psp/webhooks',
  listener: 'public',
  tag: 'payments',
  summary: 'What the payment service provider tells, signed as Standard Webhooks says',
  description:
    'Headers `webhook-id`, `webhook-timestamp`, `webhook-signature`. Recorded once for each id, believed only with a signature.',
  scopes: 'open',
  body: { maxBytes: 64 * 1024, contentTypes: ['application/json'] },
  responses: {
    204: { description: 'Recorded, now or before.' },
    400: { description: 'Signed, but in no shape that is known.' },
    401: { description: 'Unsigned, forged, too old or from the future; nothing changed.' },
  },
} as const satisfies RouteContract;

export const getPaymentReturn = {
  operationId: 'getPaymentReturn',
  method: 'GET',
  path: '/v1/payment-return',
  listener: 'public',
  tag: 'payments',
  summary: 'Where the page of the provider sends the browser back to',
  description: 'What `payResult` says is believed for nothing: the provider itself is asked.',
  scopes: 'open',
  query: Type.Object({
    tokenID: Type.String({ minLength: 1, maxLength: 128, pattern: '^[\\w-]+$' }),
    payResult: Type.Optional(Type.String({ maxLength: 32 })),
  }),
  responses: {
    200: {
      description: 'How the payment order stands.',
      schema: Type.Object({
        payment_order_id: Type.String(),
        payment_order_status: PaymentOrderStatus,
        is_final: Type.Boolean(),
      }),
    },
    404: { description: 'Nobody registered such a token.' },
  },
} as const satisfies RouteContract;
