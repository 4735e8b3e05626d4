import { Type } from 'typebox';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
const managing = { listener: 'internal', tag: 'merchants', scopes: ['finance'] } as const;
const json = { maxBytes: 4_096, contentTypes: ['application/json'] } as const;
const Why = Type.String({ maxLength: 200, pattern: '\\S', description: 'Kept permanently.' });
const SellerAccount = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9 ._/-]+$' });

const MerchantAccount = Type.Object({
  seller_account: Type.String(),
  merchant_id: Type.String(),
  assigned_by: Type.String(),
  assigned_at: Type.String({ description: 'RFC 3339' }),
  reason: Type.String(),
});

export const getMerchantAccounts = {
  ...managing,
  operationId: 'getMerchantAccounts',
  method: 'GET',
  path: '/v1/merchant-accounts',
  summary: 'Which merchant reads which seller account',
  query: Type.Object({
    after: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,17}$', description: '`next` of a page.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 50.' })),
  }),
  responses: {
    200: {
      description: 'One page.',
      schema: Type.Object({
        accounts: Type.Array(MerchantAccount),
        next: Type.Union([Type.String(), Type.Null()]),
      }),
    },
  },
} as const satisfies RouteContract;

export const postMerchantAccount = {
  ...managing,
  operationId: 'postMerchantAccount',
  method: 'POST',
  path: '/v1/merchant-accounts',
  summary: 'Let a merchant read a seller account',
  description:
    'The merchant is the subject of tokens with the scope `merchant`. It reads balance, entries, payments ' +
    'and statements of the account, and moves no money. A repeated request has no further effect.',
  body: {
    ...json,
    schema: Type.Object(
      {
        merchant_id: Type.String({ minLength: 1, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' }),
        seller_account: SellerAccount,
        reason: Why,
      },
      closed,
    ),
  },
  responses: {
    200: { description: 'It reads the account already.' },
    201: { description: 'From now on.' },
    409: { description: 'Another merchant reads it, or the merchant has 100 accounts.' },
  },
} as const satisfies RouteContract;

export const postMerchantAccountRemoval = {
  ...managing,
  operationId: 'postMerchantAccountRemoval',
  method: 'POST',
  path: '/v1/merchant-accounts/removals',
  summary: 'Take a seller account away from its merchant',
  description: 'Its webhook endpoints get no further events of the account.',
  body: { ...json, schema: Type.Object({ seller_account: SellerAccount, reason: Why }, closed) },
  responses: {
    204: { description: 'Nobody reads it now.' },
    404: { description: 'Nobody reads the account.' },
  },
} as const satisfies RouteContract;
