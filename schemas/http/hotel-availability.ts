import { type Static, Type } from 'typebox';
import { reservationBounds } from './hotel-reservations.js';
import { TaxLineView } from './hotel-taxes.js';
import type { RouteContract } from './route-contract.js';

/** Only text that PostgreSQL stores unchanged. */
const pattern = '^[^\\p{Cc}\\p{Cs}]*$';
const closed = { additionalProperties: false } as const;
const day = Type.String({ format: 'date', description: 'YYYY-MM-DD in the time zone of the hotel.' });
const amount = Type.String({
  description: 'Decimal string with all decimals of the currency, for example "120.00"; never a JSON number.',
});

const AvailabilityView = Type.Object(
  {
    hotelID: Type.String(),
    roomTypeID: Type.String(),
    currency: Type.String(),
    source: Type.Union([Type.Literal('cache'), Type.Literal('database')], {
      description: 'The cache can lag. Only a reservation is authoritative.',
    }),
    nights: Type.Array(
      Type.Object(
        {
          date: day,
          rooms: Type.Integer({ description: 'Rooms that can be reserved now, including overbooking.' }),
          price: Type.Optional(amount),
        },
        closed,
      ),
    ),
    stay: Type.Optional(
      Type.Object(
        { total: amount, net: amount, taxes: Type.Array(TaxLineView) },
        {
          ...closed,
          description:
            'What a reservation of roomCount rooms for guests people costs now, with all taxes. Absent ' +
            'when a night has no price, or without prices.',
        },
      ),
    ),
  },
  closed,
);
export type AvailabilityView = Static<typeof AvailabilityView>;

export const getAvailability = {
  operationId: 'getAvailability',
  method: 'GET',
  path: '/v1/hotels/{id}/room-types/{roomTypeId}/availability',
  listener: 'both',
  tag: 'reservations',
  summary: 'Available rooms and prices of one room type by night (extension)',
  description: 'For display only. Do not call it before a reservation: reserving checks availability itself.',
  scopes: 'open',
  params: Type.Object({
    id: Type.String({ minLength: 1, maxLength: 64, pattern }),
    roomTypeId: Type.String({ minLength: 1, maxLength: 64, pattern }),
  }),
  query: Type.Object(
    {
      startDate: day,
      endDate: day,
      prices: Type.Optional(
        Type.Boolean({ description: 'Include prices, which are read from the database. Default true.' }),
      ),
      roomCount: Type.Optional(
        Type.Integer({ minimum: 1, maximum: reservationBounds.roomCountMax, description: 'Default 1.' }),
      ),
      guests: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 500,
          description: 'People, for taxes. Default one in each room.',
        }),
      ),
    },
    closed,
  ),
  responses: {
    200: { description: 'Each night from startDate to endDate, both inclusive.', schema: AvailabilityView },
    404: { description: 'The hotel or the room type does not exist.' },
    409: { description: '`dates` lists the nights that are not on sale.' },
  },
} as const satisfies RouteContract;
