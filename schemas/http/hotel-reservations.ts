import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

/** Nothing that PostgreSQL could not keep as it came. */
const pattern = '^[^\\p{Cc}\\p{Cs}]*$';
const closed = { additionalProperties: false } as const;
const day = Type.String({ format: 'date', description: 'YYYY-MM-DD of the hotel.' });
const moment = Type.String({ description: 'RFC 3339.' });
const amount = Type.String({
  description: 'Decimal with all decimals of the currency, "120.00"; never a JSON number.',
});
/** Those of A3 and §8; `hotel/limits.ts` has the same, and a test holds them together. */
export const reservationBounds = { roomCountMax: 10, nightsMax: 31, reservationIdMax: 64 } as const;

/** What `parseReservationRequest` takes; the body is read by hand, so that each field is refused with a sentence of its own. */
const ReservationBody = Type.Object(
  {
    startDate: Type.String({
      format: 'date',
      description: 'First day of the stay, YYYY-MM-DD of the hotel.',
    }),
    endDate: Type.String({
      format: 'date',
      description: `Last day of the range, inclusive: the same day as startDate is one night. At most ${reservationBounds.nightsMax} nights.`,
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
      description: 'Made once when the customer opens the form, globally unique: the idempotency key.',
    }),
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

export const ReservationView = Type.Object(
  {
    reservationID: Type.String(),
    status: oneOf(reservationStatuses),
    hotelID: Type.String(),
    roomTypeID: Type.String(),
    startDate: day,
    endDate: day,
    roomCount: Type.String({ description: 'A string holding an integer.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    price: amount,
    nights: Type.Array(Type.Object({ date: day, price: amount }, closed), {
      description: 'What one room costs in each night, locked when the reservation was made.',
    }),
    paid: amount,
    refundDue: Type.String({
      description:
        'What of paid goes back, or went back once the status is refunded. Never more than refundable.',
    }),
    refundable: Type.String({
      description: 'The most that refundDue can be: the payment without other refunds and disputes.',
    }),
    refunded: Type.String({ description: 'What went back or is on its way, whoever asked for it.' }),
    disputed: Type.String({
      description: 'What the bank of the guest took back by a dispute that is open or lost.',
    }),
    holdExpiresAt: Type.Optional(
      Type.String({ description: 'While pending_payment: the rooms are kept until then. RFC 3339.' }),
    ),
    freeCancelUntil: moment,
    lateCancelPercent: Type.Integer({ description: 'What is kept of the price when cancelled later.' }),
    roomNumbers: Type.Optional(
      Type.Array(Type.String(), { description: 'Once rooms are assigned; in details only.' }),
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
    nextCursor: Type.Optional(Type.String({ description: 'There is more: send it as cursor.' })),
  },
  closed,
);

const path = Type.Object({
  id: Type.String({ minLength: 1, maxLength: reservationBounds.reservationIdMax, pattern }),
});
const noReservation = { description: 'You have no reservation of this id.' };

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
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: '20 when absent.' })),
      cursor: Type.Optional(
        Type.String({ minLength: 1, maxLength: 400, description: 'nextCursor of the page before.' }),
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
  params: path,
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
    'All nights or nothing. Rooms are kept until holdExpiresAt while payment is pending. The same reservationID may be sent any number of times: it makes one reservation. Fields that are not listed are refused. There is no check before it: this call checks.',
  scopes: ['customer'],
  body: { maxBytes: 16 * 1024, contentTypes: ['application/json'], describedBy: ReservationBody },
  responses: {
    200: { description: 'It was made before by the same request; as it is now.', schema: ReservationView },
    201: { description: 'Reserved; payment is to follow.', schema: ReservationView },
    404: { description: 'No such hotel, or the hotel has no such room type.' },
    409: {
      description:
        'Full, not on sale or without a price on some nights, which `dates` names; or too many unpaid ones.',
    },
    422: { description: 'The stay begins in the past, or the reservationID was used for something else.' },
  },
} as const satisfies RouteContract;

export const deleteReservation = {
  operationId: 'deleteReservation',
  method: 'DELETE',
  path: '/v1/reservations/{id}',
  listener: 'public',
  tag: 'reservations',
  summary: 'Cancel a reservation, or some of its rooms',
  description: 'Until freeCancelUntil everything paid goes back, later what lateCancelPercent leaves.',
  scopes: ['customer'],
  params: path,
  query: Type.Object(
    {
      rooms: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: reservationBounds.roomCountMax,
          description: 'Give back only so many of several rooms.',
        }),
      ),
      of: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: reservationBounds.roomCountMax,
          description:
            'The rooms that it has: refused when it has fewer by now, so that a second try after a lost answer gives back no other one.',
        }),
      ),
    },
    closed,
  ),
  responses: {
    200: { description: 'As it is now; cancelling twice changes nothing.', schema: ReservationView },
    404: noReservation,
    409: { description: 'Its status or the number of its rooms does not allow it.' },
  },
} as const satisfies RouteContract;

const StayDates = Type.Object({ startDate: day, endDate: day }, closed);

export const putReservationDates = {
  operationId: 'putReservationDates',
  method: 'PUT',
  path: '/v1/reservations/{id}/dates',
  listener: 'public',
  tag: 'reservations',
  summary: 'Move a reservation to other dates, in one step or not at all (beyond the specification)',
  scopes: ['customer'],
  params: path,
  body: { maxBytes: 1_024, contentTypes: ['application/json'], schema: StayDates },
  responses: {
    200: { description: 'As it is now.', schema: ReservationView },
    404: noReservation,
    409: { description: 'Full or not on sale, dearer than what was paid, or its status does not allow it.' },
    422: { description: 'The stay would begin in the past.' },
  },
} as const satisfies RouteContract;

const AvailabilityView = Type.Object(
  {
    hotelID: Type.String(),
    roomTypeID: Type.String(),
    currency: Type.String(),
    source: Type.Union([Type.Literal('cache'), Type.Literal('database')], {
      description: 'The cache may lag; only a reservation decides.',
    }),
    nights: Type.Array(
      Type.Object(
        {
          date: day,
          rooms: Type.Integer({ description: 'How many may be reserved now, overbooking included.' }),
          price: Type.Optional(amount),
        },
        closed,
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
  summary: 'Free rooms and prices of one room type by night (beyond the specification)',
  description:
    'For people to look at. Do not ask before reserving: another may be quicker, and reserving checks by itself.',
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
        Type.Boolean({ description: 'Prices too, which asks the database; true when absent.' }),
      ),
    },
    closed,
  ),
  responses: {
    200: { description: 'Each night from startDate to endDate, both inclusive.', schema: AvailabilityView },
    404: { description: 'No such hotel, or the hotel has no such room type.' },
    409: { description: '`dates` names nights that are not on sale.' },
  },
} as const satisfies RouteContract;
