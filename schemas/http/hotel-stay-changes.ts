import { type Static, Type } from 'typebox';
import { ReservationView, reservationPath } from './hotel-reservations.js';
import type { RouteContract } from './route-contract.js';

/** Only text that PostgreSQL stores unchanged. */
const pattern = '^[^\\p{Cc}\\p{Cs}]*$';
const closed = { additionalProperties: false } as const;
const day = Type.String({ format: 'date', description: 'YYYY-MM-DD in the time zone of the hotel.' });
const noReservation = { description: 'You have no reservation with this id.' };

const difference = Type.Optional(
  Type.String({
    pattern: '^\\d{1,12}(\\.\\d{1,4})?$',
    description:
      'What the guest agreed to pay: the difference of the quote. Needed only if the stay is paid and the ' +
      'change makes it more expensive.',
  }),
);
/** Of a stay as the caller saw it. */
export const ExpectedStay = Type.Object(
  {
    roomTypeID: Type.String({ minLength: 1, maxLength: 64, pattern }),
    startDate: day,
    endDate: day,
    roomCount: Type.String({ pattern: '^([1-9]|10)$', description: 'A string holding an integer.' }),
    roomIDs: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern }), {
        maxItems: 10,
        description: 'The rooms that were assigned, in any order. Absent: whichever.',
      }),
    ),
  },
  {
    ...closed,
    description:
      'The stay as the caller saw it. If it is another one by now, nothing is changed (code ' +
      'stay-changed-before), so that nobody undoes a change that they have not seen.',
  },
);
export type ExpectedStay = Static<typeof ExpectedStay>;
const expected = Type.Optional(ExpectedStay);

const StayDates = Type.Object({ startDate: day, endDate: day, difference, expected }, closed);

const change = {
  roomTypeID: Type.Optional(Type.String({ minLength: 1, maxLength: 64, pattern })),
  roomCount: Type.Optional(
    Type.String({ pattern: '^([1-9]|10)$', description: 'A string holding an integer.' }),
  ),
  ratePlanID: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 64, pattern }), Type.Null()], {
      description: 'null: the rate and the terms of the room type.',
    }),
  ),
  startDate: Type.Optional(day),
  endDate: Type.Optional(day),
};
const StayChangeBody = Type.Object(
  { ...change, difference, expected },
  { ...closed, minProperties: 1, description: 'What is absent stays as it is.' },
);
export type StayChangeBody = Static<typeof StayChangeBody>;

const QuoteBody = Type.Object(change, {
  ...closed,
  minProperties: 1,
  description: 'What is absent stays as it is.',
});

export const StayQuoteView = Type.Object(
  {
    currency: Type.String({ description: 'ISO 4217.' }),
    price: Type.String({ description: 'Of the changed stay: all nights and rooms, taxes and fees.' }),
    difference: Type.String({
      description: 'To be paid before the change is made; "0.00" if nothing is, or the stay is not paid yet.',
    }),
    refund: Type.String({ description: 'What goes back, by the cancellation terms.' }),
  },
  closed,
);
export type StayQuoteView = Static<typeof StayQuoteView>;

const guest = {
  listener: 'public',
  tag: 'reservations',
  scopes: ['customer'],
  params: reservationPath,
} as const;
const management = {
  listener: 'internal',
  tag: 'hotel management',
  scopes: ['desk'],
  params: reservationPath,
} as const;

const refusals = {
  404: {
    description: 'No such reservation, or the hotel has no such room type or rate plan.',
  },
  409: {
    description:
      'The nights are sold out, not on sale or restricted by the hotel, the status does not allow it, the ' +
      'stay is not as `expected` (code stay-changed-before), or the paid stay costs more than the agreed ' +
      '`difference` (code dates-cost-more, with the current one).',
  },
  422: { description: 'The stay would start in the past, or the rooms are too small for the guests.' },
} as const;
const changed = {
  200: { description: 'Changed. The current state.', schema: ReservationView },
  202: {
    description:
      'The rooms of the change are held. It is made once `supplement` is paid; until then the stay is as ' +
      'it was.',
    schema: ReservationView,
  },
  ...refusals,
} as const;
const quoted = {
  200: { description: 'At this moment. Nothing is held.', schema: StayQuoteView },
  ...refusals,
} as const;

export const putReservationDates = {
  ...guest,
  operationId: 'putReservationDates',
  method: 'PUT',
  path: '/v1/reservations/{id}/dates',
  summary: 'Move a reservation to other dates, in one step or not at all (extension)',
  body: { maxBytes: 1_024, contentTypes: ['application/json'], schema: StayDates },
  responses: changed,
} as const satisfies RouteContract;

export const putReservationStay = {
  ...guest,
  operationId: 'putReservationStay',
  method: 'PUT',
  path: '/v1/reservations/{id}/stay',
  summary: 'Change dates, room type, rate plan and number of rooms, in one step or not at all (extension)',
  description:
    'Nights that stay as they are keep their price. A lower price of a paid stay becomes a refund, by the ' +
    'cancellation terms. Of a higher price only the difference is paid, before the change is made. Changes ' +
    'never restore free cancellation once it has ended.',
  body: { maxBytes: 2_048, contentTypes: ['application/json'], schema: StayChangeBody },
  responses: changed,
} as const satisfies RouteContract;

export const postStayQuote = {
  ...guest,
  operationId: 'postStayQuote',
  method: 'POST',
  path: '/v1/reservations/{id}/stay/quote',
  summary: 'What a change of a reservation would cost (extension)',
  body: { maxBytes: 2_048, contentTypes: ['application/json'], schema: QuoteBody },
  responses: quoted,
} as const satisfies RouteContract;

export const deleteSupplement = {
  ...guest,
  operationId: 'deleteSupplement',
  method: 'DELETE',
  path: '/v1/reservations/{id}/supplement',
  summary: 'Give up a change that waits to be paid; the stay stays as it is (extension)',
  description: 'A payment that arrives nevertheless is refunded.',
  responses: {
    200: { description: 'The current state.', schema: ReservationView },
    404: noReservation,
  },
} as const satisfies RouteContract;

const reason = Type.Optional(
  Type.String({ minLength: 1, maxLength: 500, pattern, description: 'Reason, recorded in the audit log.' }),
);

export const putStaffStay = {
  ...management,
  operationId: 'putStaffStay',
  method: 'PUT',
  path: '/v1/staff/reservations/{id}/stay',
  summary: 'Change a stay for its guest; of a higher price the guest pays the difference first',
  body: {
    maxBytes: 4_096,
    contentTypes: ['application/json'],
    schema: Type.Object({ ...change, difference, expected, reason }, closed),
  },
  responses: changed,
} as const satisfies RouteContract;

export const postStaffStayQuote = {
  ...management,
  operationId: 'postStaffStayQuote',
  method: 'POST',
  path: '/v1/staff/reservations/{id}/stay/quote',
  summary: 'What a change of a stay would cost',
  body: { maxBytes: 2_048, contentTypes: ['application/json'], schema: QuoteBody },
  responses: quoted,
} as const satisfies RouteContract;
