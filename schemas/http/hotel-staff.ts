import { type Static, Type } from 'typebox';
import { DayRestrictions } from './hotel-availability.js';
import { ReservationView, reservationStatuses } from './hotel-reservations.js';
import { ExpectedStay } from './hotel-stay-changes.js';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
/** Only text that PostgreSQL stores unchanged. */
const pattern = '^[^\\p{Cc}\\p{Cs}]*$';
const id = Type.String({ minLength: 1, maxLength: 64, pattern });
const day = Type.String({ format: 'date', description: 'YYYY-MM-DD in the time zone of the hotel.' });
const reason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern,
  description: 'Reason, recorded in the audit log.',
});
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default 50.' }));
const cursor = Type.Optional(
  Type.String({ pattern: '^\\d{1,18}$', description: 'The nextCursor of the previous page.' }),
);
const nextCursor = Type.Optional(
  Type.String({ description: 'Present when there are more results; send it as cursor.' }),
);
const reservationPath = Type.Object({ id });
const hotelPath = Type.Object({ id });

/** All operations of the management service: on the internal listener only, for staff only. */
const management = { listener: 'internal', tag: 'hotel management', scopes: ['desk'] } as const;

const StaffReservation = Type.Object({ userID: Type.String(), reservation: ReservationView }, closed);
const noReservation = { description: 'No reservation has this id.' };

export const searchReservations = {
  ...management,
  operationId: 'searchReservations',
  method: 'GET',
  path: '/v1/staff/reservations',
  summary: 'Reservations by hotel, user, booking number, status or day, newest first',
  query: Type.Object(
    {
      hotelID: Type.Optional(id),
      userID: Type.Optional(Type.String({ minLength: 1, maxLength: 128, pattern })),
      bookingNumber: Type.Optional(
        Type.String({ maxLength: 20, description: 'In any case, with or without hyphens.' }),
      ),
      status: Type.Optional(oneOf(reservationStatuses)),
      on: Type.Optional(day),
      refundDue: Type.Optional(
        Type.Boolean({ description: 'true: only reservations with a refund that is due or done.' }),
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

const ReceiptMail = Type.Object(
  {
    state: Type.Union([Type.Literal('waiting'), Type.Literal('sent'), Type.Literal('failed')]),
    attempts: Type.Integer(),
    failure: Type.Optional(
      Type.String({ description: 'Of the last attempt. Another e-mail address of the guest starts again.' }),
    ),
    sentAt: Type.Optional(Type.String()),
  },
  closed,
);

export const getStaffReservation = {
  ...management,
  operationId: 'getStaffReservation',
  method: 'GET',
  path: '/v1/staff/reservations/{id}',
  summary: 'Any reservation, with the history of its status',
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
          receipts: Type.Array(ReceiptMail, {
            description: 'Receipts by e-mail, one for each payment; none without a guest.',
          }),
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
  summary: 'Hotels by part of the name, sorted by id',
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
  summary: 'Inventory of a hotel by room type and day',
  params: hotelPath,
  query: Type.Object({ from: day, to: day }, closed),
  responses: {
    200: {
      description: 'Days without inventory are omitted.',
      schema: Type.Object(
        {
          days: Type.Array(
            Type.Object(
              {
                roomTypeID: Type.String(),
                date: Type.String(),
                totalInventory: Type.Integer(),
                totalReserved: Type.Integer(),
                overbooked: Type.Boolean({ description: 'More rooms are reserved than can be sold now.' }),
                overbookingPercent: Type.Integer({
                  description: 'This percentage of the rooms can be sold.',
                }),
                sellLimit: Type.Union([Type.Integer(), Type.Null()], {
                  description: 'At most this many rooms are sold. null: no limit.',
                }),
                restrictions: DayRestrictions,
                rate: Type.Optional(
                  Type.String({
                    description:
                      'What is set for a room in this night, before rate plans, steps by occupancy and ' +
                      'taxes. Absent: nothing is set.',
                  }),
                ),
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
                  description: 'Decimal string for one room and night, for example "120.00".',
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
            { maxItems: 20, description: 'Replaces all steps. The highest step that is reached applies.' },
          ),
        ),
      },
      closed,
    ),
  },
  responses: {
    204: { description: 'Prices of existing reservations do not change.' },
    404: { description: 'No hotel has this id.' },
    409: { description: 'A derived rate plan would cost nothing or less. Nothing was changed.' },
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
    200: { description: 'The current state.', schema: ReservationView },
    404: noReservation,
    409: { description: 'The status does not allow it.' },
  },
} as const satisfies RouteContract;

export const postStaffPaymentCancellation = {
  ...management,
  operationId: 'postStaffPaymentCancellation',
  method: 'POST',
  path: '/v1/staff/reservations/{id}/payment-cancellation',
  summary: 'Cancel the pending payment of a reservation and release its rooms',
  params: reservationPath,
  body: because,
  responses: {
    200: { description: 'The current state.', schema: ReservationView },
    404: noReservation,
    409: { description: 'No payment is pending.' },
  },
} as const satisfies RouteContract;

export const postStaffRefund = {
  ...management,
  operationId: 'postStaffRefund',
  method: 'POST',
  path: '/v1/staff/reservations/{id}/refund',
  summary: 'Request a refund of a cancelled reservation beyond its policy',
  params: reservationPath,
  body: {
    maxBytes: 4_096,
    contentTypes: ['application/json'],
    schema: Type.Object(
      {
        reason,
        refundDue: Type.String({
          pattern: '^\\d{1,15}(\\.\\d{1,4})?$',
          description: 'The total refund, decimal: at least the amount already due, at most refundable.',
        }),
      },
      closed,
    ),
  },
  responses: {
    200: { description: 'The current state.', schema: ReservationView },
    404: noReservation,
    409: {
      description:
        'The reservation is not cancelled, is already refunded, or the refund, or all of this person ' +
        'in 24 hours, is so large that a second person must approve it: then use ' +
        'POST /v1/payments/{payment_order_id}/refunds.',
    },
  },
} as const satisfies RouteContract;

const atDesk = {
  maxBytes: 4_096,
  contentTypes: ['application/json'],
  schema: Type.Object({ reason: Type.Optional(reason) }, closed),
};
const movedAtDesk = {
  200: {
    description: 'The current state. Sending the same request again has no effect.',
    schema: ReservationView,
  },
  404: noReservation,
  409: { description: 'The status or the date does not allow it.' },
};

export const postRoomAssignment = {
  ...management,
  operationId: 'postRoomAssignment',
  method: 'POST',
  path: '/v1/staff/reservations/{id}/rooms',
  summary: 'Assign rooms to a paid reservation: the given ones, or the lowest available numbers',
  params: reservationPath,
  body: {
    ...atDesk,
    schema: Type.Object(
      {
        reason: Type.Optional(reason),
        roomIDs: Type.Optional(Type.Array(id, { minItems: 1, maxItems: 10 })),
        expected: Type.Optional(ExpectedStay),
      },
      closed,
    ),
  },
  responses: {
    200: {
      description: 'The rooms, replacing those assigned before.',
      schema: Type.Object(
        { rooms: Type.Array(Type.Object({ roomID: Type.String(), number: Type.String() }, closed)) },
        closed,
      ),
    },
    404: noReservation,
    409: {
      description:
        'The status does not allow it, the rooms are not available on all nights, or the stay is not as ' +
        '`expected` (code stay-changed-before).',
    },
  },
} as const satisfies RouteContract;

export const postCheckIn = {
  ...management,
  operationId: 'postCheckIn',
  method: 'POST',
  path: '/v1/staff/reservations/{id}/check-in',
  summary: 'Check a guest in; the rooms become occupied',
  description:
    'Rooms that are not clean, or not inspected where the house rules want it, are refused, unless staff ' +
    'let the guest in with dirtyRooms.',
  params: reservationPath,
  body: {
    ...atDesk,
    schema: Type.Object(
      {
        reason: Type.Optional(reason),
        dirtyRooms: Type.Optional(
          Type.Boolean({ description: 'true: although rooms are dirty or not inspected. Needs a reason.' }),
        ),
      },
      closed,
    ),
  },
  responses: movedAtDesk,
} as const satisfies RouteContract;

export const postCheckOut = {
  ...management,
  operationId: 'postCheckOut',
  method: 'POST',
  path: '/v1/staff/reservations/{id}/check-out',
  summary: 'Check a guest out; the rooms become dirty',
  params: reservationPath,
  body: atDesk,
  responses: movedAtDesk,
} as const satisfies RouteContract;

export const postNoShow = {
  ...management,
  operationId: 'postNoShow',
  method: 'POST',
  path: '/v1/staff/reservations/{id}/no-show',
  summary: 'Mark a reservation as no-show, from the day after arrival',
  description: 'On that day not before `noShowAt` of the house rules, if the hotel has set it.',
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
    subject: Type.String({ description: 'Id of a reservation or hotel.' }),
    reason: Type.String(),
    detail: Type.Object({}, { additionalProperties: true }),
    outcome: Type.Union([Type.String(), Type.Null()], {
      description: 'Null if the action was interrupted. Check its subject.',
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
  summary: 'The audit log: who did what, when and why; newest first',
  query: Type.Object({ subject: Type.Optional(id), limit, cursor }, closed),
  responses: {
    200: {
      description: 'A page.',
      schema: Type.Object({ actions: Type.Array(StaffAction), nextCursor }, closed),
    },
  },
} as const satisfies RouteContract;
