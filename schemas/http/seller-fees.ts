import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';
import { pageByNumber, requestedAndReviewed, SecondReview } from './second-review.js';

const OrNull = <S extends ReturnType<typeof Type.String>>(schema: S) => Type.Union([schema, Type.Null()]);
const json = { maxBytes: 4_096, contentTypes: ['application/json'] } as const;
const path = '/v1/seller-fees';
const deciding = { listener: 'internal', scopes: ['finance'], tag: 'finance' } as const;
const State = oneOf(['awaiting_second', 'active', 'denied', 'replaced'] as const);

const SellerFee = Type.Object({
  fee_no: Type.Integer(),
  seller_account: Type.String(),
  currency: Type.String(),
  basis_points: Type.Integer(),
  fixed_amount: Type.String(),
  fee_status: State,
  ...requestedAndReviewed,
});
export type SellerFeeBody = Static<typeof SellerFee>;

export const postSellerFee = {
  ...deciding,
  operationId: 'postSellerFee',
  method: 'POST',
  path,
  summary: 'Request the application fee of a seller',
  description:
    'In force for payments that are submitted after a second person approves it. The fee of a payment is ' +
    '`basis_points` of the captured amount, rounded half up, plus `fixed_amount`, at most the captured ' +
    'amount. It is posted together with the capture. Refunds return it in proportion: of all refunds of a ' +
    'payment together, its share of the refunded amount, rounded down. A lost dispute returns nothing.',
  body: {
    ...json,
    schema: Type.Object(
      {
        seller_account: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9 ._/-]+$' }),
        currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
        basis_points: Type.Integer({
          minimum: 0,
          maximum: 5_000,
          description: 'Hundredths of a percent; 250 is 2.5 %.',
        }),
        fixed_amount: Type.Optional(
          Type.String({ minLength: 1, maxLength: 32, description: 'Decimal, for each payment. Default 0.' }),
        ),
        reason: Type.String({ maxLength: 200, pattern: '\\S', description: 'For the second person.' }),
      },
      { additionalProperties: false },
    ),
  },
  responses: {
    202: { description: 'Stored; awaiting a second person.', schema: SellerFee },
    409: { description: 'Another fee of the seller in this currency waits for a second person.' },
  },
} as const satisfies RouteContract;

export const postSellerFeeReview = {
  ...deciding,
  operationId: 'postSellerFeeReview',
  method: 'POST',
  path: `${path}/{fee_no}/review`,
  summary: 'Approve or deny an application fee as the second person',
  params: Type.Object({ fee_no: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
  body: { ...json, schema: SecondReview },
  responses: {
    200: { description: 'The decision is recorded.', schema: SellerFee },
    403: { description: 'The second person must not be the one who requested it.' },
    404: { description: 'No fee has this number.' },
    409: { description: 'It is not awaiting a second person.' },
  },
} as const satisfies RouteContract;

export const getSellerFees = {
  operationId: 'getSellerFees',
  method: 'GET',
  path,
  listener: 'both',
  scopes: ['merchant', 'finance'],
  tag: 'finance',
  summary: 'Application fees by number; merchants see those of their seller accounts',
  query: Type.Object({ status: Type.Optional(State), ...pageByNumber }),
  responses: {
    200: {
      description: 'One page.',
      schema: Type.Object({ fees: Type.Array(SellerFee), next: OrNull(Type.String()) }),
    },
  },
} as const satisfies RouteContract;

export const sellerFeeContracts: readonly RouteContract[] = [
  postSellerFee,
  postSellerFeeReview,
  getSellerFees,
];
