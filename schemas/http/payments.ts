import { type Static, Type } from 'typebox';
import { CreditCardInfo } from './credit-card-info.js';
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
    'Decimal string, for example "10.00"; never a JSON number. At most as many decimals as the currency has.',
});
const CurrencyCode = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' });
const AccountText = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9 ._/-]+$',
  description: 'Bank account, as an IBAN or in the format of the bank.',
});

const NewPaymentOrder = Type.Object(
  {
    seller_account: AccountText,
    amount: Amount,
    currency: CurrencyCode,
    payment_order_id: PaymentId(
      'Globally unique, preferably a UUID. The provider deduplicates by it, so it is charged at most once.',
    ),
  },
  closed,
);

export const NewPayment = Type.Object(
  {
    checkout_id: PaymentId('Id of the payment event. Use it once.'),
    buyer_info: Type.Object(
      { account: Type.Optional(AccountText) },
      {
        additionalProperties: true,
        description:
          'Information about the buyer, at most 4 KiB of JSON. Services must send `account`, a different' +
          ' one for each buyer; without it the event is rejected. Payment events of one buyer per hour are' +
          ' counted: above 60 they need a review, above 600 they fail (settings `PAYMENTS_PER_BUYER` and' +
          '`PAYMENTS_PER_BUYER_MAX`). Two events are of one buyer if they have the same `account` ' +
          'at the same service, the' +
          ' same `credit_card_info.fingerprint`, the same `email`, or the same `address`, which is a string' +
          ' with a number or an object with `line1`. For customers, the buyer is the subject of the token.',
      },
    ),
    credit_card_info: CreditCardInfo,
    capture_method: Type.Optional(oneOf(['automatic', 'manual'] as const)),
    one_page: Type.Optional(
      Type.Boolean({
        description:
          'The buyer types one card on one page of the provider, and each order is charged with it by ' +
          'itself. `payment_page_url` of every order that waits is this page. An order that the card ' +
          'cannot pay fails, and another order in its place (`retried_by`) waits on another page for ' +
          'another card, five cards at most and within the same time.',
      }),
    ),
    payment_orders: Type.Array(NewPaymentOrder, { minItems: 1, maxItems: 100 }),
  },
  closed,
);
export type NewPayment = Static<typeof NewPayment>;

export const PaymentOrderStatus = oneOf(['NOT_STARTED', 'EXECUTING', 'SUCCESS', 'FAILED'] as const);
const Instant = Type.String({ description: 'RFC 3339' });
const OrNull = <S extends ReturnType<typeof Type.String>>(schema: S) => Type.Union([schema, Type.Null()]);

export const Refund = Type.Object({
  refund_id: Type.String(),
  payment_order_id: Type.String(),
  amount: Type.String(),
  currency: Type.String(),
  refund_status: PaymentOrderStatus,
  pending: Type.Union([oneOf(['review'] as const), Type.Null()], {
    description: '`review`: a second member of staff must approve it first.',
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
  amount: Type.String({ description: 'As sent.' }),
  currency: Type.String(),
  payment_order_status: PaymentOrderStatus,
  is_final: Type.Boolean({ description: 'SUCCESS is always final; FAILED is final unless it is retried.' }),
  pending: Type.Union(
    [oneOf(['review', 'buyer', 'challenge', 'processing', 'capture', 'unknown'] as const), Type.Null()],
    { description: 'What an open order is waiting for.' },
  ),
  ledger_updated: Type.Boolean(),
  wallet_updated: Type.Boolean(),
  failure_code: OrNull(Type.String()),
  failure_message: OrNull(
    Type.String({ description: 'Why it failed for good, in words for the buyer. Plain English.' }),
  ),
  attempts: Type.Integer(),
  next_attempt_at: OrNull(Instant),
  token: OrNull(Type.String({ description: "The provider's token of the registration." })),
  payment_page_url: OrNull(
    Type.String({ description: 'Where the buyer enters the card, or confirms the payment at the bank.' }),
  ),
  capture_method: oneOf(['automatic', 'manual'] as const),
  capturable_amount: Type.String({ description: 'Authorized and waiting for `capture` or `void`.' }),
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
      evidence_due_at: OrNull(Type.String({ description: 'Until when it can be answered. RFC 3339' })),
    }),
  ),
  retry_of: OrNull(Type.String({ description: 'The declined order in whose place this one is.' })),
  retried_by: OrNull(Type.String({ description: 'The order in the place of this declined one.' })),
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
  'Requires the header `idempotency-key`. A repeated key returns the existing object with ' +
  '`Idempotent-Replayed: true`, and with `Idempotency-Mismatch: true` if the body differs.';

export const postPayment = {
  operationId: 'postPayment',
  method: 'POST',
  path: '/v1/payments',
  listener: 'public',
  tag: 'payments',
  summary: 'Submit a payment event with one or more payment orders',
  description: `With \`capture_method\` \`manual\`, cards are authorized now and captured later. ${keyed}`,
  scopes: ['customer', 'service'],
  body: { maxBytes: 64 * 1024, contentTypes: ['application/json'], schema: NewPayment },
  responses: {
    200: { description: 'The key was already used. Returns the existing object.', schema: PaymentEvent },
    201: { description: 'Stored; the provider has accepted every order.', schema: PaymentEvent },
    202: {
      description: 'Stored; poll the orders that the provider has not answered yet.',
      schema: PaymentEvent,
    },
    409: { description: 'A request with this key is in progress, or an id is already in use.' },
    422: {
      description:
        'The saved card cannot pay this, or no more cards can be saved. Or the key was used with a ' +
        'different body, and the strict setting is on.',
    },
    429: {
      description:
        'More payment events of the caller for one seller in a minute than `PAYMENTS_PER_SELLER` allows, ' +
        'or more requests than `RATE_PER_MERCHANT` allows. Nothing was stored; send it again after ' +
        '`Retry-After` seconds.',
    },
  },
} as const satisfies RouteContract;

const byId = Type.Object({ payment_order_id: Type.String({ minLength: 1, maxLength: 64 }) });

export const getPayment = {
  operationId: 'getPayment',
  method: 'GET',
  path: '/v1/payments/{payment_order_id}',
  listener: 'both',
  tag: 'payments',
  summary: 'Status of one payment order',
  scopes: ['customer', 'service', 'desk', 'finance'],
  params: byId,
  responses: {
    200: { description: 'The current state.', schema: PaymentOrder },
    404: { description: 'The payment order does not exist or belongs to someone else.' },
  },
} as const satisfies RouteContract;

export const postCancellation = {
  operationId: 'postCancellation',
  method: 'POST',
  path: '/v1/payments/{payment_order_id}/cancel',
  listener: 'public',
  tag: 'payments',
  summary: 'Cancel a payment order before it is paid',
  description:
    'For one order of a cart, or any other that waits for its buyer: it fails with `voided`, and the ' +
    'others go on. If the provider is asked for the money at this moment, the order still succeeds ' +
    'when the provider was faster: read it. A repeated request has no further effect.',
  scopes: ['customer', 'service'],
  params: byId,
  responses: {
    200: { description: 'It was cancelled before, or has failed already.', schema: PaymentOrder },
    202: { description: 'Stored; the order ends now.', schema: PaymentOrder },
    404: { description: 'The payment order does not exist or belongs to someone else.' },
    409: {
      description:
        'It is charged, authorized, or being processed, or another order is in its place. The detail says ' +
        'which. Nothing was changed.',
    },
  },
} as const satisfies RouteContract;

const NewRefund = Type.Object(
  {
    refund_id: PaymentId('Globally unique. The provider deduplicates by it.'),
    amount: Type.Optional(Amount),
    reason: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { ...closed, description: 'If absent, the rest of the payment.' },
);

export const postRefund = {
  operationId: 'postRefund',
  method: 'POST',
  path: '/v1/payments/{payment_order_id}/refunds',
  listener: 'both',
  tag: 'payments',
  summary: 'Refund all or part of a payment',
  description:
    'If staff refund more than a limit of one payment, in one refund or in several, or one person more ' +
    `than a limit in 24 hours, a second person must approve it. ${keyed}`,
  scopes: ['service', 'desk', 'finance'],
  params: byId,
  body: { maxBytes: 4_096, contentTypes: ['application/json'], schema: NewRefund },
  responses: {
    200: { description: 'The key was already used. Returns the existing refund.', schema: Refund },
    202: {
      description: 'Stored. The request goes to the provider now, or after the second person approves it.',
      schema: Refund,
    },
    404: { description: 'The payment order does not exist or belongs to someone else.' },
    409: { description: 'The refund id is already in use, or the payment has not succeeded.' },
    422: { description: 'The amount exceeds the rest of the captured amount.' },
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
  scopes: ['customer', 'service', 'desk', 'finance'],
  params: byRefund,
  responses: { 200: { description: 'The current state.', schema: Refund } },
} as const satisfies RouteContract;

export const postReview = {
  operationId: 'postPaymentReview',
  method: 'POST',
  path: '/v1/payments/{payment_order_id}/review',
  listener: 'internal',
  tag: 'payments',
  summary: 'Approve or deny a payment order that is under review',
  description: 'Above a limit two people must approve it. Each alone can deny it.',
  scopes: ['desk', 'finance'],
  params: byId,
  body: {
    maxBytes: 4_096,
    contentTypes: ['application/json'],
    schema: SecondReview,
  },
  responses: {
    200: { description: 'The decision is recorded.', schema: PaymentOrder },
    202: { description: 'Approved by a first person. It waits for a second one.', schema: PaymentOrder },
    403: { description: 'The second person must not be the first one.' },
    409: { description: 'It is not under review.' },
  },
} as const satisfies RouteContract;
