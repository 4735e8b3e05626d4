import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';
import { SecondReview } from './second-review.js';

const closed = { additionalProperties: false } as const;
const OrNull = <S extends ReturnType<typeof Type.String>>(schema: S) => Type.Union([schema, Type.Null()]);
const Instant = Type.String({ description: 'RFC 3339' });
/** No scope both requests a payout and approves it. */
const requesting = { listener: 'internal', scopes: ['payouts'] } as const;
const approving = { listener: 'internal', scopes: ['finance'] } as const;
const reading = { listener: 'internal', scopes: ['finance', 'payouts'] } as const;
const json = { maxBytes: 4_096, contentTypes: ['application/json'] } as const;

const PayoutStatus = oneOf([
  'awaiting_second',
  'created',
  'sending',
  'processing',
  'unknown',
  'paid',
  'failed',
  'returned',
] as const);

export const Payout = Type.Object({
  payout_id: Type.String(),
  seller_account: Type.String(),
  amount: Type.String(),
  currency: Type.String(),
  period: Type.String({
    description:
      'Of a schedule: `day:2026-11-27`. Of the monthly run: 2026-11. Of a requested payout: its own id.',
  }),
  payout_status: PayoutStatus,
  provider_reference: OrNull(Type.String()),
  failure: OrNull(Type.String()),
  attempts: Type.Integer(),
  requested_by: Type.String(),
  reason: Type.String({ description: 'Why it was requested.' }),
  reviewed_by: OrNull(Type.String({ description: 'The second person, who approved or denied it.' })),
  reviewed_at: OrNull(Instant),
  review_reason: OrNull(Type.String()),
  created_at: Instant,
  updated_at: Instant,
});
export type Payout = Static<typeof Payout>;

const keyed =
  'Requires the header `idempotency-key`. A repeated key returns the existing object with ' +
  '`Idempotent-Replayed: true`, and with `Idempotency-Mismatch: true` if the body differs.';

export const postPayout = {
  ...requesting,
  operationId: 'postPayout',
  method: 'POST',
  path: '/v1/payouts',
  tag: 'payouts',
  summary: 'Request a payout to a seller',
  description:
    'Reserves the amount in the ledger immediately. Nothing is sent until a second person approves it ' +
    `with \`review\`. ${keyed}`,
  body: {
    ...json,
    schema: Type.Object(
      {
        payout_id: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9._:-]+$' }),
        seller_info: Type.Object(
          {
            account: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9 ._/-]+$' }),
          },
          { ...closed, description: 'The recipient: the account that the payment orders named.' },
        ),
        amount: Type.String({
          minLength: 1,
          maxLength: 32,
          description: 'Decimal string, for example "10.00".',
        }),
        currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
        reason: Type.Optional(Type.String({ maxLength: 200, description: 'For the second person.' })),
      },
      closed,
    ),
  },
  responses: {
    200: { description: 'The key was already used. Returns the existing payout.', schema: Payout },
    202: { description: 'Reserved; awaiting a second person.', schema: Payout },
    409: { description: 'The id is already in use.' },
    422: {
      description:
        'The amount exceeds the balance of the seller, or the strict setting is on and the body differs.',
    },
  },
} as const satisfies RouteContract;

export const postPayoutReview = {
  ...approving,
  operationId: 'postPayoutReview',
  method: 'POST',
  path: '/v1/payouts/{payout_id}/review',
  tag: 'payouts',
  summary: 'Approve or deny a payout as the second person',
  description: 'A denied payout fails, and its amount is available to the seller again.',
  params: Type.Object({ payout_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  body: { ...json, schema: SecondReview },
  responses: {
    200: { description: 'The decision is recorded.', schema: Payout },
    403: { description: 'The second person must not be the one who requested it.' },
    404: { description: 'No payout has this id.' },
    409: { description: 'It is not awaiting a second person.' },
  },
} as const satisfies RouteContract;

export const getPayouts = {
  ...reading,
  operationId: 'getPayouts',
  method: 'GET',
  path: '/v1/payouts',
  tag: 'payouts',
  summary: 'Payouts sorted by id',
  query: Type.Object({
    status: Type.Optional(PayoutStatus),
    after: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  }),
  responses: {
    200: {
      description: 'One page. Send `next` as `after`; it is null on the last page.',
      schema: Type.Object({ payouts: Type.Array(Payout), next: OrNull(Type.String()) }),
    },
  },
} as const satisfies RouteContract;

export const getPayout = {
  ...reading,
  operationId: 'getPayout',
  method: 'GET',
  path: '/v1/payouts/{payout_id}',
  tag: 'payouts',
  summary: 'Status of one payout',
  params: Type.Object({ payout_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: { 200: { description: 'The current state.', schema: Payout } },
} as const satisfies RouteContract;

export const payoutContracts: readonly RouteContract[] = [
  postPayout,
  postPayoutReview,
  getPayouts,
  getPayout,
];
