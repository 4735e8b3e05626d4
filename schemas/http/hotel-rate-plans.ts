import { type Static, Type } from 'typebox';
import { quoteQuery, StayQuote } from './hotel-availability.js';
import { mealPlans } from './hotel-reservations.js';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
/** Only text that PostgreSQL stores unchanged. */
const pattern = '^[^\\p{Cc}\\p{Cs}]*$';
const id = Type.String({ minLength: 1, maxLength: 64, pattern });
const day = Type.String({ format: 'date', description: 'YYYY-MM-DD in the time zone of the hotel.' });
const amount = Type.String({ description: 'Decimal string with all decimals of the currency.' });
const reason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern,
  description: 'Reason, recorded in the audit log.',
});
const signed = Type.String({
  pattern: '^-?\\d{1,12}(\\.\\d{1,4})?$',
  description: 'Decimal string of the hotel’s currency, may be negative: "-10.00". Default "0".',
});
const percent = Type.Integer({ minimum: 1, maximum: 1_000, description: 'Default 100.' });
const typePath = Type.Object({ id, roomTypeId: id });
const planPath = Type.Object({ id, roomTypeId: id, ratePlanId: id });
const staff = { listener: 'internal', tag: 'hotel management', scopes: ['desk'] } as const;

const Cancellation = Type.Object(
  {
    refundable: Type.Boolean({ description: 'false: lateCancelPercent is kept from the booking on.' }),
    freeCancelHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 8_760,
        description: 'Cancellation is free until this many hours before check-in. Default 24.',
      }),
    ),
    lateCancelPercent: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'Percentage of the price that is charged for a later cancellation. Default 100.',
      }),
    ),
  },
  closed,
);

const planFields = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern }),
  meal: oneOf(mealPlans),
  cancellation: Cancellation,
  valid: Type.Array(Type.Object({ from: day, to: day }, closed), {
    maxItems: 50,
    description: 'Nights that are sold under the plan. Ranges must not overlap. Empty: not on sale.',
  }),
  price: Type.Union(
    [
      Type.Object({ rule: Type.Literal('own') }, closed),
      Type.Object(
        {
          rule: Type.Literal('derived'),
          from: Type.Optional(
            Type.Union([id, Type.Null()], {
              description: 'Another plan of the room type. Default null: the rate of the room type.',
            }),
          ),
          percent: Type.Optional(percent),
          amount: Type.Optional(signed),
        },
        closed,
      ),
    ],
    {
      description:
        'own: dated prices, set with updateHotelAri. derived: a percentage of another price, then an amount.',
    },
  ),
};

export const RatePlanBody = Type.Object({ reason, ...planFields }, closed);
export type RatePlanBody = Static<typeof RatePlanBody>;
export const RatePlanView = Type.Object({ ratePlanID: Type.String(), ...planFields }, closed);
export type RatePlanView = Static<typeof RatePlanView>;

export const listRatePlans = {
  ...staff,
  operationId: 'listRatePlans',
  method: 'GET',
  path: '/v1/staff/hotels/{id}/room-types/{roomTypeId}/rate-plans',
  summary: 'Rate plans of a room type, sorted by id',
  params: typePath,
  responses: {
    200: {
      description: 'At most 20 plans.',
      schema: Type.Object({ ratePlans: Type.Array(RatePlanView) }, closed),
    },
    404: { description: 'The hotel or the room type does not exist.' },
  },
} as const satisfies RouteContract;

export const putRatePlan = {
  ...staff,
  operationId: 'putRatePlan',
  method: 'PUT',
  path: '/v1/staff/hotels/{id}/room-types/{roomTypeId}/rate-plans/{ratePlanId}',
  summary: 'Add or replace a rate plan; reservations keep the price and terms that they were sold under',
  params: planPath,
  body: { maxBytes: 16 * 1024, contentTypes: ['application/json'], schema: RatePlanBody },
  responses: {
    200: { description: 'The plan.', schema: RatePlanView },
    404: { description: 'The hotel or the room type does not exist.' },
    409: {
      description:
        'The plan is derived from itself or from an unknown plan, would cost nothing or less on a night, ' +
        'or the room type has the maximum number of plans.',
    },
  },
} as const satisfies RouteContract;

export const deleteRatePlan = {
  ...staff,
  operationId: 'deleteRatePlan',
  method: 'DELETE',
  path: '/v1/staff/hotels/{id}/room-types/{roomTypeId}/rate-plans/{ratePlanId}',
  summary: 'Delete a rate plan with its prices and restrictions; reservations stay',
  params: planPath,
  responses: {
    204: { description: 'Deleted.' },
    404: { description: 'The hotel, the room type or the plan does not exist.' },
    409: { description: 'Another plan is derived from it.' },
  },
} as const satisfies RouteContract;

export const putAdultPrices = {
  ...staff,
  operationId: 'putAdultPrices',
  method: 'PUT',
  path: '/v1/staff/hotels/{id}/room-types/{roomTypeId}/adult-prices',
  summary: 'Set how prices of a room type depend on the number of adults in a room',
  params: typePath,
  body: {
    maxBytes: 8 * 1024,
    contentTypes: ['application/json'],
    schema: Type.Object(
      {
        reason,
        prices: Type.Array(
          Type.Object(
            {
              adults: Type.Integer({ minimum: 1, maximum: 50 }),
              percent: Type.Optional(percent),
              amount: Type.Optional(signed),
            },
            closed,
          ),
          { maxItems: 50, description: 'Replaces all. Other numbers of adults pay the unchanged price.' },
        ),
      },
      closed,
    ),
  },
  responses: {
    204: { description: 'Prices of existing reservations do not change.' },
    404: { description: 'The hotel or the room type does not exist.' },
  },
} as const satisfies RouteContract;

const OfferView = Type.Object(
  {
    ratePlanID: Type.Optional(
      Type.String({ description: 'Absent: the rate and the terms of the room type.' }),
    ),
    name: Type.String(),
    meal: oneOf(mealPlans),
    refundable: Type.Boolean(),
    freeCancelHours: Type.Integer(),
    lateCancelPercent: Type.Integer(),
    nights: Type.Array(Type.Object({ date: day, price: Type.Optional(amount) }, closed), {
      description: 'The price of one room for each night; without a price, the night cannot be reserved.',
    }),
    total: Type.Optional(
      Type.String({
        description:
          'All nights of one room, without what comes on top. Present when each night has a price.',
      }),
    ),
    stay: Type.Optional(StayQuote),
    restriction: Type.Optional(
      Type.Object(
        {
          code: oneOf([
            'stop-sell',
            'closed-to-arrival',
            'closed-to-departure',
            'minimum-stay',
            'maximum-stay',
          ]),
          dates: Type.Array(day),
          nights: Type.Optional(Type.Integer({ description: 'The minimum or maximum stay.' })),
        },
        { ...closed, description: 'Why the stay cannot be reserved under this plan now.' },
      ),
    ),
  },
  closed,
);
export type OfferView = Static<typeof OfferView>;
export const OffersView = Type.Object(
  {
    currency: Type.String(),
    offers: Type.Array(OfferView),
    receiptByEmail: Type.Boolean({ description: 'After the payment, the guest gets the receipt by e-mail.' }),
  },
  closed,
);
export type OffersView = Static<typeof OffersView>;

export const listOffers = {
  operationId: 'listOffers',
  method: 'GET',
  path: '/v1/hotels/{id}/room-types/{roomTypeId}/offers',
  listener: 'both',
  tag: 'reservations',
  summary: 'Prices and terms of a stay by rate plan (extension)',
  description: 'For display only, as getAvailability: reserving checks everything itself.',
  scopes: 'open',
  params: typePath,
  query: Type.Object(
    {
      startDate: day,
      endDate: day,
      adults: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'In each room.' })),
      ...quoteQuery,
    },
    closed,
  ),
  responses: {
    200: { description: 'The rate of the room type first, then its plans by id.', schema: OffersView },
    404: { description: 'The hotel or the room type does not exist.' },
  },
} as const satisfies RouteContract;
