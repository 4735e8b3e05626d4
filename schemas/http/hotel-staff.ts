import { type Static, Type } from 'typebox';
import { ReservationView, reservationStatuses } from './hotel-reservations.js';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
/** Nothing that PostgreSQL could not keep as it came. */
const pattern = '^[^\\p{Cc}\\p{Cs}]*$';
const id = Type.String({ minLength: 1, maxLength: 64, pattern });
const day = Type.String({ format: 'date', description: 'YYYY-MM-DD of the hotel.' });
const reason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern,
  description: 'Why; it stands in the audit list.',
});
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '50 when absent.' }));
const cursor = Type.Optional(
  Type.String({ pattern: '^\\d{1,18}$', description: 'nextCursor of the page before.' }),
);
const nextCursor = Type.Optional(Type.String({ description: 'There is more: send it as cursor.' }));
const reservationPath = Type.Object({ id });
const hotelPath = Type.Object({ id });

/** All of the management service: on the internal listener alone, for staff alone. */
const management = { listener: 'internal', tag: 'hotel management', scopes: ['staff'] } as const;

const StaffReservation = Type.Object({ userID: Type.String(), reservation: ReservationView }, closed);
const noReservation = { description: 'There is no reservation of this id.' };

export const searchReservations = {
  ...management,
  operationId: 'searchReservations',
  method: 'GET',
  path: '/v1/staff/reservations',
  summary: 'Reservations of a hotel, a user, a status or a day, newest first',
  query: Type.Object(
    {
      hotelID: Type.Optional(id),
      userID: Type.Optional(Type.String({ minLength: 1, maxLength: 128, pattern })),
      status: Type.Optional(oneOf(reservationStatuses)),
      on: Type.Optional(day),
      refundDue: Type.Optional(
        Type.Boolean({ description: 'true: only those of which money goes back to the guest, or went.' }),
      ),
      limit,
      cursor,
    },
    closed,
  ),
  responses: {
    200: {
      description: 'A page.',
      schema: Type.Object({ reservations: Type.Array(StaffReservation), nextCursor }, closed),
    },
  },
} as const satisfies RouteContract;

export const getStaffReservation = {
  ...management,
  operationId: 'getStaffReservation',
  method: 'GET',
  path: '/v1/staff/reservations/{id}',
  summary: 'Any reservation, with the moves of its status',
  params: reservationPath,
  responses: {
    200: {
      description: 'The reservation.',
      schema: Type.Object(
        {
          ...StaffReservation.properties,
          history: Type.Array(
            Type.Object(
              { at: Type.String(), from: Type.Union([Type.String(), Type.Null()]), to: Type.String() },
              closed,
            ),
          ),
        },
        closed,
      ),
    },
    404: noReservation,
  },
} as const satisfies RouteContract;

export const searchHotels = {
  ...management,
  operationId: 'searchHotels',
  method: 'GET',
  path: '/v1/staff/hotels',
  summary: 'Hotels by a part of their name, in the order of their ids',
  query: Type.Object(
    {
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern })),
      limit,
      cursor: Type.Optional(id),
    },
    closed,
  ),
  responses: {
    200: {
      description: 'A page.',
      schema: Type.Object(
        {
          hotels: Type.Array(
            Type.Object(
              { hotelID: Type.String(), name: Type.String(), address: Type.String(), rooms: Type.Integer() },
              closed,
            ),
          ),
          nextCursor,
        },
        closed,
      ),
    },
  },
} as const satisfies RouteContract;

export const getHotelCalendar = {
  ...management,
  operationId: 'getHotelCalendar',
  method: 'GET',
  path: '/v1/staff/hotels/{id}/calendar',
  summary: 'Counts of a hotel by room type and day',
  params: hotelPath,
  query: Type.Object({ from: day, to: day }, closed),
  responses: {
    200: {
      description: 'Days that are not filled yet are left out.',
      schema: Type.Object(
        {
          days: Type.Array(
            Type.Object(
              {
                roomTypeID: Type.String(),
                date: Type.String(),
                totalInventory: Type.Integer(),
                totalReserved: Type.Integer(),
                overbooked: Type.Boolean({
                  description: 'More is reserved than 110 % of what there is now.',
                }),
              },
              closed,
            ),
          ),
        },
        closed,
      ),
    },
    404: { description: 'No hotel has this id.' },
  },
} as const satisfies RouteContract;

export const putHotelRates = {
  ...management,
  operationId: 'putHotelRates',
  method: 'PUT',
  path: '/v1/staff/hotels/{id}/rates',
  summary: 'Set prices of room types by day, and how they follow the occupancy of the hotel on that day',
  params: hotelPath,
  body: {
    maxBytes: 64 * 1024,
    contentTypes: ['application/json'],
    schema: Type.Object(
      {
        reason,
        rates: Type.Optional(
          Type.Array(
            Type.Object(
              {
                roomTypeID: id,
                from: day,
                to: day,
                price: Type.String({
                  maxLength: 16,
                  description: 'Decimal, "120.00", for one room and night.',
                }),
              },
              closed,
            ),
            { maxItems: 200 },
          ),
        ),
        steps: Type.Optional(
          Type.Array(
            Type.Object(
              {
                fromOccupancyPercent: Type.Integer({ minimum: 0, maximum: 110 }),
                pricePercent: Type.Integer({ minimum: 1, maximum: 1_000 }),
              },
              closed,
            ),
            { maxItems: 20, description: 'Replaces all steps; the highest one that is reached counts.' },
          ),
        ),
      },
      closed,
    ),
  },
  responses: {
    204: { description: 'Prices of reservations that were made before stay as they are.' },
    404: { description: 'No hotel has this id.' },
  },
} as const satisfies RouteContract;

const because = {
  maxBytes: 4_096,
  contentTypes: ['application/json'],
  schema: Type.Object({ reason }, closed),
};

export const postStaffCancellation = {
  ...management,
  operationId: 'postStaffCancellation',
  method: 'POST',
  path: '/v1/staff/reservations/{id}/cancellation',
  summary: 'Cancel a reservation for its customer; the refund follows its policy',
  params: reservationPath,
  body: because,
  responses: {
    200: { description: 'As it is now.', schema: ReservationView },
    404: noReservation,
    409: { description: 'Its status does not allow it.' },
  },
} as const satisfies RouteContract;

export const postStaffPaymentCancellation = {
  ...management,
  operationId: 'postStaffPaymentCancellation',
  method: 'POST',
  path: '/v1/staff/reservations/{id}/payment-cancellation',
  summary: 'Stop waiting for the payment of a reservation; its rooms go back',
  params: reservationPath,
  body: because,
  responses: {
    200: { description: 'As it is now.', schema: ReservationView },
    404: noReservation,
    409: { description: 'No payment is pending.' },
  },
} as const satisfies RouteContract;

export const postStaffRefund = {
  ...management,
  operationId: 'postStaffRefund',
  method: 'POST',
  path: '/v1/staff/reservations/{id}/refund',
  summary: 'Ask for a refund of a cancelled reservation beyond what its policy gives',
  params: reservationPath,
  body: {
    maxBytes: 4_096,
    contentTypes: ['application/json'],
    schema: Type.Object(
      {
        reason,
        refundDue: Type.String({
          pattern: '^\\d{1,15}(\\.\\d{1,4})?$',
          description: 'All that is to go back, decimal: at least what is due already, at most refundable.',
        }),
      },
      closed,
    ),
  },
  responses: {
    200: { description: 'As it is now.', schema: ReservationView },
    404: noReservation,
    409: {
      description:
        'It is not cancelled, was refunded already, or so much of its payment would go back that a second ' +
        'person must agree: then ask for it by POST /v1/payments/{payment_order_id}/refunds.',
    },
  },
} as const satisfies RouteContract;

const atDesk = {
  maxBytes: 4_096,
  contentTypes: ['application/json'],
  schema: Type.Object({ reason: Type.Optional(reason) }, closed),
};
const movedAtDesk = {
  200: { description: 'As it is now; the same again changes nothing.', schema: ReservationView },
  404: noReservation,
  409: { description: 'Its status, or the day, does not allow it.' },
};

export const postRoomAssignment = {
  ...management,
  operationId: 'postRoomAssignment',
  method: 'POST',
  path: '/v1/staff/reservations/{id}/rooms',
  summary: 'Give a paid reservation its rooms, those named or the lowest numbers that are free',
  params: reservationPath,
  body: {
    ...atDesk,
    schema: Type.Object(
      {
        reason: Type.Optional(reason),
        roomIDs: Type.Optional(Type.Array(id, { minItems: 1, maxItems: 10 })),
      },
      closed,
    ),
  },
  responses: {
    200: {
      description: 'Its rooms, in place of those it had.',
      schema: Type.Object(
        { rooms: Type.Array(Type.Object({ roomID: Type.String(), number: Type.String() }, closed)) },
        closed,
      ),
    },
    404: noReservation,
    409: { description: 'Its status does not allow it, or the rooms are not free on all nights.' },
  },
} as const satisfies RouteContract;

export const postCheckIn = {
  ...management,
  operationId: 'postCheckIn',
  method: 'POST',
  path: '/v1/staff/reservations/{id}/check-in',
  summary: 'The guest is there; its rooms are occupied from now on',
  params: reservationPath,
  body: atDesk,
  responses: movedAtDesk,
} as const satisfies RouteContract;

export const postCheckOut = {
  ...management,
  operationId: 'postCheckOut',
  method: 'POST',
  path: '/v1/staff/reservations/{id}/check-out',
  summary: 'The guest has left; its rooms are dirty from now on',
  params: reservationPath,
  body: atDesk,
  responses: movedAtDesk,
} as const satisfies RouteContract;

export const postNoShow = {
  ...management,
  operationId: 'postNoShow',
  method: 'POST',
  path: '/v1/staff/reservations/{id}/no-show',
  summary: 'The guest did not come; from the day after arrival on',
  params: reservationPath,
  body: atDesk,
  responses: movedAtDesk,
} as const satisfies RouteContract;

const StaffAction = Type.Object(
  {
    actionID: Type.String(),
    at: Type.String({ description: 'RFC 3339.' }),
    staffID: Type.String(),
    action: Type.String(),
    subject: Type.String({ description: 'A reservation or hotel.' }),
    reason: Type.String(),
    detail: Type.Object({}, { additionalProperties: true }),
    outcome: Type.Union([Type.String(), Type.Null()], {
      description: 'Null: it was cut short; look at its subject.',
    }),
  },
  closed,
);
export type StaffAction = Static<typeof StaffAction>;

export const listStaffActions = {
  ...management,
  operationId: 'listStaffActions',
  method: 'GET',
  path: '/v1/staff/actions',
  summary: 'The audit list: who did what, when and why; newest first',
  query: Type.Object({ subject: Type.Optional(id), limit, cursor }, closed),
  responses: {
    200: {
      description: 'A page.',
      schema: Type.Object({ actions: Type.Array(StaffAction), nextCursor }, closed),
    },
  },
} as const satisfies RouteContract;
