import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[^\\p{Cc}\\p{Cs}]*$' });
const day = Type.String({ format: 'date', description: 'YYYY-MM-DD, inclusive; a night of the stay.' });
const params = Type.Object({ id: text(64) });

/** A line of a quote, a reservation or an invoice. */
export const TaxLineView = Type.Object(
  {
    code: Type.String(),
    name: Type.String(),
    amount: Type.String({ description: 'Decimal string with all decimals of the currency.' }),
    included: Type.Boolean({ description: 'true: a part of the price of the nights; false: on top of it.' }),
  },
  closed,
);
export type TaxLineView = Static<typeof TaxLineView>;

const TaxRuleBody = Type.Object(
  {
    code: Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$', description: 'For example "city-tax".' }),
    name: text(60),
    kind: oneOf(['vat', 'fee', 'room-night', 'person-night']),
    percent: Type.Optional(
      Type.String({
        pattern: '^(100(\\.0{1,2})?|[1-9]?\\d(\\.\\d{1,2})?)$',
        description:
          'Of vat and fee: more than 0, at most "100". vat is included in the price of the nights.',
      }),
    ),
    amount: Type.Optional(
      Type.String({
        pattern: '^\\d{1,12}(\\.\\d{1,4})?$',
        description: 'Of room-night and person-night: a decimal of the hotel’s currency.',
      }),
    ),
    nightsMax: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 31, description: 'At most so many nights of a stay count.' }),
    ),
    from: Type.Optional(day),
    to: Type.Optional(day),
  },
  closed,
);
export type TaxRuleBody = Static<typeof TaxRuleBody>;

const TaxesView = Type.Object(
  {
    hotelID: Type.String(),
    // Set by an operator, the rules of the hotel's country, or no rules at all.
    source: oneOf(['hotel', 'country', 'none']),
    country: Type.Optional(Type.String({ description: 'ISO 3166-1, two letters.' })),
    rules: Type.Array(TaxRuleBody),
  },
  closed,
);
export type TaxesView = Static<typeof TaxesView>;

const noHotel = { description: 'No hotel has this id.' };

export const getHotelTaxes = {
  operationId: 'getHotelTaxes',
  method: 'GET',
  path: '/v1/hotels/{id}/taxes',
  listener: 'both',
  tag: 'hotels',
  summary: 'Taxes and fees of a hotel (extension)',
  scopes: 'open',
  params,
  responses: { 200: { description: 'The rules for new reservations.', schema: TaxesView }, 404: noHotel },
} as const satisfies RouteContract;

export const putHotelTaxes = {
  operationId: 'putHotelTaxes',
  method: 'PUT',
  path: '/v1/hotels/{id}/taxes',
  listener: 'both',
  tag: 'hotels',
  summary: 'Set the taxes and fees of a hotel in place of those of its country (extension)',
  description:
    'Applies to new reservations. Existing ones keep the rules that they were made under. Percentages are ' +
    'rounded half up, once for all nights of a rule.',
  scopes: ['operator'],
  params,
  body: {
    maxBytes: 16 * 1024,
    contentTypes: ['application/json'],
    schema: Type.Object({ rules: Type.Array(TaxRuleBody, { maxItems: 20 }) }, closed),
  },
  responses: { 200: { description: 'The current state.', schema: TaxesView }, 404: noHotel },
} as const satisfies RouteContract;

export const deleteHotelTaxes = {
  operationId: 'deleteHotelTaxes',
  method: 'DELETE',
  path: '/v1/hotels/{id}/taxes',
  listener: 'both',
  tag: 'hotels',
  summary: 'Return to the taxes of the hotel’s country (extension)',
  scopes: ['operator'],
  params,
  responses: { 200: { description: 'The current state.', schema: TaxesView }, 404: noHotel },
} as const satisfies RouteContract;
