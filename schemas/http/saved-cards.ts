import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const OrNull = <S extends ReturnType<typeof Type.String>>(schema: S) => Type.Union([schema, Type.Null()]);
const Instant = Type.String({ description: 'RFC 3339' });
const account = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9 ._/-]+$', description }));
const seeing = {
  listener: 'public',
  tag: 'payments',
  scopes: ['customer', 'service', 'merchant'],
} as const;
const byCard = Type.Object({
  card_id: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' }),
});
const unknown = { description: 'You see no such card.' };

const SavedCard = Type.Object({
  card_id: Type.String({ description: 'Pay with it by `credit_card_info.saved_card_id`.' }),
  card_status: Type.Union(oneOf(['kept', 'deleting', 'deleted'] as const).anyOf, {
    description:
      '`deleting`: nobody can pay with it, and the provider has not confirmed the deletion yet. `deleted`: ' +
      'the provider has, and the details of the card are erased.',
  }),
  buyer_account: Type.String(),
  seller_account: Type.String({ description: 'The only seller that the card pays.' }),
  brand: OrNull(Type.String()),
  last4: OrNull(Type.String()),
  expiry_month: OrNull(Type.String({ description: 'For example `2030-12`.' })),
  payment_order_id: Type.String({ description: 'The payment with which the buyer agreed to keep the card.' }),
  saved_at: Instant,
  deleted_at: OrNull(Instant),
});
export type SavedCardBody = Static<typeof SavedCard>;

export const getSavedCards = {
  ...seeing,
  operationId: 'getSavedCards',
  method: 'GET',
  path: '/v1/saved-cards',
  summary: 'Saved cards, the latest first',
  description:
    'Customers see their own cards. Services see those of one buyer who saved them through this service. ' +
    'Merchants see those that were saved with their seller accounts. The provider keeps the cards. ' +
    'Continue with `before=<next>`.',
  query: Type.Object({
    buyer_account: account('Required for services. Customers leave it out.'),
    seller_account: account('Only cards that pay this seller.'),
    before: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,17}$', description: '`next` of a page.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 50.' })),
  }),
  responses: {
    200: {
      description: 'One page, of cards that can be used.',
      schema: Type.Object({ cards: Type.Array(SavedCard), next: OrNull(Type.String()) }),
    },
    404: { description: 'You have no such seller account.' },
  },
} as const satisfies RouteContract;

export const getSavedCard = {
  ...seeing,
  operationId: 'getSavedCard',
  method: 'GET',
  path: '/v1/saved-cards/{card_id}',
  summary: 'One saved card',
  params: byCard,
  responses: { 200: { description: 'Now.', schema: SavedCard }, 404: unknown },
} as const satisfies RouteContract;

export const deleteSavedCard = {
  ...seeing,
  operationId: 'deleteSavedCard',
  method: 'DELETE',
  path: '/v1/saved-cards/{card_id}',
  summary: 'Delete a saved card here and at the provider',
  description:
    'From the answer on, no payment with the card begins, and payments that are not charged yet fail. The ' +
    'deletion is sent to the provider until it confirms it. A repeated request has no further effect.',
  params: byCard,
  responses: {
    200: { description: 'The provider has deleted it.', schema: SavedCard },
    202: { description: 'The provider has not confirmed it yet.', schema: SavedCard },
    404: unknown,
  },
} as const satisfies RouteContract;

export const postBuyerErasure = {
  operationId: 'postBuyerErasure',
  method: 'POST',
  path: '/v1/buyer-erasures',
  listener: 'public',
  tag: 'payments',
  summary: 'Erase what is known of a buyer',
  description:
    'Erases `buyer_info` of all payment events of the buyer at this caller, and deletes the saved cards, ' +
    'also at the provider. Amounts, accounts and states stay, because the books must be kept. A repeated ' +
    'request has no further effect.',
  scopes: ['customer', 'service'],
  body: {
    maxBytes: 1_024,
    contentTypes: ['application/json'],
    schema: Type.Object(
      { buyer_account: account('Required for services. Customers leave it out.') },
      { additionalProperties: false },
    ),
  },
  responses: {
    200: {
      description: 'Erased.',
      schema: Type.Object({
        payment_events: Type.Integer({ description: 'Events whose `buyer_info` was erased.' }),
        cards: Type.Integer({ description: 'Cards whose deletion began.' }),
      }),
    },
  },
} as const satisfies RouteContract;

export const savedCardContracts = [
  getSavedCards,
  getSavedCard,
  deleteSavedCard,
  postBuyerErasure,
] as const satisfies readonly RouteContract[];
