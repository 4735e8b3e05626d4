import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';
import { SecondReview } from './second-review.js';

const closed = { additionalProperties: false } as const;
const OrNull = <S extends ReturnType<typeof Type.String>>(schema: S) => Type.Union([schema, Type.Null()]);
const Instant = Type.String({ description: 'RFC 3339' });
const staff = { listener: 'internal', scopes: ['staff'] } as const;
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
    description: 'The month of the run, 2026-11; for one that somebody asked for, its own id.',
  }),
  payout_status: PayoutStatus,
  provider_reference: OrNull(Type.String()),
  failure: OrNull(Type.String()),
  attempts: Type.Integer(),
  requested_by: Type.String(),
  reason: Type.String({ description: 'Why it was asked for.' }),
  reviewed_by: OrNull(Type.String({ description: 'The second person, who let it go or refused it.' })),
  reviewed_at: OrNull(Instant),
  review_reason: OrNull(Type.String()),
  created_at: Instant,
  updated_at: Instant,
});
export type Payout = Static<typeof Payout>;

const keyed =
  'Needs the header `idempotency-key`. The same key again answers with the existing object and `Idempotent-Replayed: true`; with another body also `Idempotency-Mismatch: true`.';

export const postPayout = {
  ...staff,
  operationId: 'postPayout',
  method: 'POST',
  path: '/v1/payouts',
  tag: 'payouts',
  summary: 'Ask for a pay-out to a seller',
  description: `Reserves the amount in the ledger at once. Nothing is sent before a second person approves it by its \`review\`. ${keyed}`,
  body: {
    ...json,
    schema: Type.Object(
      {
        payout_id: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9._:-]+$' }),
        seller_info: Type.Object(
          {
            account: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9 ._/-]+$' }),
          },
          { ...closed, description: 'Whom the money goes to: the account that the payment orders named.' },
        ),
        amount: Type.String({ minLength: 1, maxLength: 32, description: 'Decimal text like "10.00".' }),
        currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
        reason: Type.Optional(Type.String({ maxLength: 200, description: 'For the second person.' })),
      },
      closed,
    ),
  },
  responses: {
    200: { description: 'The key was used before: the existing pay-out.', schema: Payout },
    202: { description: 'Reserved; it waits for a second person.', schema: Payout },
    409: { description: 'The id is taken.' },
    422: { description: 'More than the seller has, or, where the strict setting is on, another body.' },
  },
} as const satisfies RouteContract;

export const postPayoutReview = {
  ...staff,
  operationId: 'postPayoutReview',
  method: 'POST',
  path: '/v1/payouts/{payout_id}/review',
  tag: 'payouts',
  summary: 'Let a pay-out go that waits for a second person, or refuse it',
  description: 'What is refused is failed, and its money is available to the seller again.',
  params: Type.Object({ payout_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  body: { ...json, schema: SecondReview },
  responses: {
    200: { description: 'Decided and recorded.', schema: Payout },
    403: { description: 'The second person must be another one.' },
    404: { description: 'No such pay-out.' },
    409: { description: 'It does not wait for a second person.' },
  },
} as const satisfies RouteContract;

export const getPayouts = {
  ...staff,
  operationId: 'getPayouts',
  method: 'GET',
  path: '/v1/payouts',
  tag: 'payouts',
  summary: 'Pay-outs in the order of their ids',
  query: Type.Object({
    status: Type.Optional(PayoutStatus),
    after: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  }),
  responses: {
    200: {
      description: 'One page; `next` is for `after`, null when there is no more.',
      schema: Type.Object({ payouts: Type.Array(Payout), next: OrNull(Type.String()) }),
    },
  },
} as const satisfies RouteContract;

export const getPayout = {
  ...staff,
  operationId: 'getPayout',
  method: 'GET',
  path: '/v1/payouts/{payout_id}',
  tag: 'payouts',
  summary: 'How one pay-out stands',
  params: Type.Object({ payout_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: { 200: { description: 'As it stands now.', schema: Payout } },
} as const satisfies RouteContract;

export const payoutContracts: readonly RouteContract[] = [
  postPayout,
  postPayoutReview,
  getPayouts,
  getPayout,
];
