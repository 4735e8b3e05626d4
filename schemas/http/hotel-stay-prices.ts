import { type Static, Type } from 'typebox';
import { quoteQuery, StayQuote } from './hotel-availability.js';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
const day = Type.String({ format: 'date', description: 'YYYY-MM-DD in the time zone of the hotel.' });

const StayPriceView = Type.Object(
  {
    hotelID: Type.String(),
    currency: Type.String(),
    cheapest: Type.Optional(
      Type.Object(
        {
          roomTypeID: Type.String(),
          roomType: Type.String({ description: 'Its name.' }),
          stay: StayQuote,
          refundable: Type.Boolean(),
          freeCancelHours: Type.Integer(),
          rooms: Type.Integer({ description: 'Rooms of this type that are free in all nights.' }),
        },
        { ...closed, description: 'Absent when nothing can be reserved for this stay.' },
      ),
    ),
    /**
     * No room type sleeps so many; none has enough rooms; or none is sold for these nights, for example
     * because its prices are not set yet.
     */
    reason: Type.Optional(oneOf(['too-small', 'full', 'not-sold'])),
  },
  closed,
);
export type StayPriceView = Static<typeof StayPriceView>;

export const getStayPrice = {
  operationId: 'getStayPrice',
  method: 'GET',
  path: '/v1/hotels/{id}/stay-price',
  listener: 'public',
  tag: 'reservations',
  summary: 'The lowest price of a stay in a hotel, for lists of hotels (extension)',
  description:
    'Over all room types that sleep the guests and have enough rooms, under every rate plan. For display ' +
    'only, as getAvailability: reserving checks everything itself.',
  scopes: 'open',
  params: Type.Object({
    id: Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\p{Cc}\\p{Cs}]*$' }),
  }),
  query: Type.Object({ startDate: day, endDate: day, ...quoteQuery }, closed),
  responses: {
    200: { description: 'The lowest price, or why there is none.', schema: StayPriceView },
    404: { description: 'The hotel does not exist.' },
  },
} as const satisfies RouteContract;
