import { type Static, Type } from 'typebox';
import { GuestBody } from './hotel-guests.js';
import { TaxLineView } from './hotel-taxes.js';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

/** Only text that PostgreSQL stores unchanged. */
const pattern = '^[^\\p{Cc}\\p{Cs}]*$';
const closed = { additionalProperties: false } as const;
const day = Type.String({ format: 'date', description: 'YYYY-MM-DD in the time zone of the hotel.' });
const moment = Type.String({ description: 'RFC 3339.' });
const amount = Type.String({
  description: 'Decimal string with all decimals of the currency, for example "120.00"; never a JSON number.',
});
/** The values of A3 and §8; `hotel/limits.ts` has the same, and a test compares them. */
export const reservationBounds = { roomCountMax: 10, nightsMax: 31, reservationIdMax: 64 } as const;

/**
 * The input of `parseReservationRequest`; the body is parsed by hand, so that each field is refused with its
 * own sentence.
 */
const ReservationBody = Type.Object(
  {
    startDate: Type.String({
      format: 'date',
      description: 'First day of the stay, YYYY-MM-DD in the time zone of the hotel.',
    }),
    endDate: Type.String({
      format: 'date',
      description:
        'Last night, inclusive: the same day as startDate means one night. At most ' +
        `${reservationBounds.nightsMax} nights.`,
    }),
    hotelID: Type.String({ minLength: 1, maxLength: 64 }),
    roomTypeID: Type.String({ minLength: 1, maxLength: 64 }),
    roomCount: Type.String({
      pattern: '^([1-9]|10)$',
      description: `A string holding an integer, "1" to "${reservationBounds.roomCountMax}".`,
    }),
    reservationID: Type.String({
      minLength: 1,
      maxLength: reservationBounds.reservationIdMax,
      description:
        'Globally unique id that the client creates when the customer opens the form. It is the ' +
        'idempotency key. Best is {hotelID}~{16 or more random characters without ~}, which with several ' +
        'servers is found without a directory; such an id is refused for another hotel. A UUID works, too.',
    }),
    ratePlanID: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'A rate plan of the room type (extension). Without it, the rate and terms of the room type apply.',
      }),
    ),
    adults: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]?$',
        description: 'Adults in each room, a string holding an integer (extension). Prices can depend on it.',
      }),
    ),
    blockCode: Type.Optional(
      Type.String({
        pattern: '^[A-Z0-9-]{4,32}$',
        description:
          'Of a group block of the hotel (extension): the rooms come from those that it holds. Rooms of a ' +
          'cancelled reservation return to general sale, not to the block.',
      }),
    ),
    guest: Type.Optional(GuestBody),
  },
  closed,
);

export const reservationStatuses = [
  'pending_payment',
  'paid',
  'payment_returned',
  'checked_in',
  'completed',
  'rejected',
  'expired',
  'cancelled',
  'refunded',
  'no_show',
] as const;

export const mealPlans = ['none', 'breakfast', 'half_board', 'full_board', 'all_inclusive'] as const;

export const ReservationView = Type.Object(
  {
    reservationID: Type.String(),
    bookingNumber: Type.Optional(
      Type.String({
        description:
          'For people, for example K4W-7FM-2XR: once the reservation was paid. The last character is ' +
          'a check.',
      }),
    ),
    status: oneOf(reservationStatuses),
    hotelID: Type.String(),
    roomTypeID: Type.String(),
    startDate: day,
    endDate: day,
    roomCount: Type.String({ description: 'A string holding an integer.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    guests: Type.Optional(Type.Integer({ description: 'People, if it was said how many.' })),
    price: Type.String({ description: 'What is charged: all nights and rooms, taxes and fees.' }),
    net: Type.String({ description: 'The price without taxes: price − the sum of taxes.' }),
    taxes: Type.Array(TaxLineView, {
      description: 'Taxes and fees, of which those that are not included add to the price of the nights.',
    }),
    nights: Type.Array(Type.Object({ date: day, price: amount }, closed), {
      description: 'Price of one room for each night, fixed when the reservation was made.',
    }),
    paid: Type.String({ description: 'The sum of all payments.' }),
    refundDue: Type.String({
      description:
        'The part of paid that is to be refunded, or that was refunded once the status is refunded. ' +
        'At most refundable.',
    }),
    refundable: Type.String({
      description: 'The maximum of refundDue: the payments minus other refunds and disputes.',
    }),
    refunded: Type.String({ description: 'The amount refunded or being refunded, whoever requested it.' }),
    disputed: Type.String({
      description: 'The amount that the guest’s bank reversed in a dispute that is open or lost.',
    }),
    supplement: Type.Optional(
      Type.Object(
        {
          supplementID: Type.String(),
          amount,
          expiresAt: Type.String({ description: 'It can be paid until then. RFC 3339.' }),
        },
        {
          ...closed,
          description:
            'A further amount to pay now: of a change that is made once it is paid, or of extras. ' +
            'GET /v1/reservations/{id}/payment has the page.',
        },
      ),
    ),
    holdExpiresAt: Type.Optional(
      Type.String({ description: 'While pending_payment: the rooms are held until this time. RFC 3339.' }),
    ),
    ratePlan: Type.Optional(
      Type.Object(
        { ratePlanID: Type.String(), name: Type.String(), meal: oneOf(mealPlans) },
        { ...closed, description: 'The rate plan, as it was when the reservation was made.' },
      ),
    ),
    adults: Type.Optional(Type.String({ description: 'Adults in each room. A string holding an integer.' })),
    refundableRate: Type.Boolean({
      description: 'false: lateCancelPercent of the price is charged from the booking on.',
    }),
    freeCancelUntil: moment,
    lateCancelPercent: Type.Integer({
      description: 'Percentage of the price that is charged for a later cancellation.',
    }),
    roomNumbers: Type.Optional(
      Type.Array(Type.String(), { description: 'Present once rooms are assigned, and only in the details.' }),
    ),
    createdAt: moment,
    updatedAt: moment,
  },
  closed,
);
export type ReservationView = Static<typeof ReservationView>;

const ReservationPage = Type.Object(
  {
    reservations: Type.Array(ReservationView),
    nextCursor: Type.Optional(
      Type.String({ description: 'Present when there are more results; send it as cursor.' }),
    ),
  },
  closed,
);

export const reservationPath = Type.Object({
  id: Type.String({ minLength: 1, maxLength: reservationBounds.reservationIdMax, pattern }),
});
const noReservation = { description: 'You have no reservation with this id.' };

export const listReservations = {
  operationId: 'listReservations',
  method: 'GET',
  path: '/v1/reservations',
  listener: 'public',
  tag: 'reservations',
  summary: 'Your reservations, newest first',
  scopes: ['customer'],
  query: Type.Object(
    {
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default 20.' })),
      cursor: Type.Optional(
        Type.String({ minLength: 1, maxLength: 400, description: 'The nextCursor of the previous page.' }),
      ),
    },
    closed,
  ),
  responses: { 200: { description: 'A page.', schema: ReservationPage } },
} as const satisfies RouteContract;

export const getReservation = {
  operationId: 'getReservation',
  method: 'GET',
  path: '/v1/reservations/{id}',
  listener: 'public',
  tag: 'reservations',
  summary: 'One of your reservations',
  scopes: ['customer'],
  params: reservationPath,
  responses: { 200: { description: 'The reservation.', schema: ReservationView }, 404: noReservation },
} as const satisfies RouteContract;

export const postReservation = {
  operationId: 'postReservation',
  method: 'POST',
  path: '/v1/reservations',
  listener: 'public',
  tag: 'reservations',
  summary: 'Reserve rooms of one type',
  description:
    'Reserves all nights or none. The rooms are held until holdExpiresAt while the payment is ' +
    'pending. Sending the same reservationID again is safe: it makes one reservation. Unknown ' +
    'fields are rejected. This call checks availability; no separate check is needed. The headers ' +
    'RateLimit-Policy and RateLimit state how many bookings, changes and cancellations you may send in a ' +
    'minute; the next one is 429 with Retry-After. With `Prefer: wait=5` (RFC 7240), as for every ' +
    'operation of hotels, the answer comes within five seconds: 503 if there is none yet, and the same ' +
    'reservationID gets the outcome later.',
  scopes: ['customer'],
  body: { maxBytes: 16 * 1024, contentTypes: ['application/json'], describedBy: ReservationBody },
  responses: {
    200: {
      description: 'An earlier identical request made it. The answer is its current state.',
      schema: ReservationView,
    },
    201: { description: 'Reserved; awaiting payment.', schema: ReservationView },
    404: { description: 'The hotel or the room type does not exist.' },
    409: {
      description:
        'Some nights are sold out, not on sale or without a price (see `dates`), the hotel restricts such ' +
        'stays (stop-sell, closed-to-arrival, closed-to-departure, minimum-stay, maximum-stay), or you ' +
        'have too many unpaid reservations.',
    },
    422: {
      description:
        'The stay starts in the past, the rooms do not sleep so many people, or the reservationID was ' +
        'used for a different request.',
    },
  },
} as const satisfies RouteContract;

export const deleteReservation = {
  operationId: 'deleteReservation',
  method: 'DELETE',
  path: '/v1/reservations/{id}',
  listener: 'public',
  tag: 'reservations',
  summary: 'Cancel a reservation, or some of its rooms',
  description:
    'Until freeCancelUntil the refund is in full. After that, lateCancelPercent of the price is charged.',
  scopes: ['customer'],
  params: reservationPath,
  query: Type.Object(
    {
      rooms: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: reservationBounds.roomCountMax,
          description: 'Cancels only this many of the rooms.',
        }),
      ),
      of: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: reservationBounds.roomCountMax,
          description:
            'The current number of rooms. The call is rejected if the reservation has fewer, so ' +
            'that a retry after a lost answer does not cancel another room.',
        }),
      ),
    },
    closed,
  ),
  responses: {
    200: { description: 'The current state. Cancelling again has no effect.', schema: ReservationView },
    404: noReservation,
    409: { description: 'The status or the number of rooms does not allow it.' },
  },
} as const satisfies RouteContract;
