import { type Static, Type } from 'typebox';
import { ReservationView, reservationPath } from './hotel-reservations.js';
import type { RouteContract } from './route-contract.js';

/** Only text that PostgreSQL stores unchanged. */
const pattern = '^[^\\p{Cc}\\p{Cs}]*$';
const closed = { additionalProperties: false } as const;
const day = Type.String({ format: 'date', description: 'YYYY-MM-DD in the time zone of the hotel.' });
const noReservation = { description: 'You have no reservation with this id.' };

const StayDates = Type.Object({ startDate: day, endDate: day }, closed);

export const putReservationDates = {
  operationId: 'putReservationDates',
  method: 'PUT',
  path: '/v1/reservations/{id}/dates',
  listener: 'public',
  tag: 'reservations',
  summary: 'Move a reservation to other dates, in one step or not at all (extension)',
  scopes: ['customer'],
  params: reservationPath,
  body: { maxBytes: 1_024, contentTypes: ['application/json'], schema: StayDates },
  responses: {
    200: { description: 'The current state.', schema: ReservationView },
    404: noReservation,
    409: {
      description:
        'The nights are sold out, not on sale or more expensive than the amount paid, or the status ' +
        'does not allow it.',
    },
    422: { description: 'The stay would start in the past.' },
  },
} as const satisfies RouteContract;

const StayChangeBody = Type.Object(
  {
    startDate: Type.Optional(day),
    endDate: Type.Optional(day),
    roomTypeID: Type.Optional(Type.String({ minLength: 1, maxLength: 64, pattern })),
    roomCount: Type.Optional(
      Type.String({ pattern: '^([1-9]|10)$', description: 'A string holding an integer.' }),
    ),
    ratePlanID: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 64, pattern }), Type.Null()], {
        description: 'null: the rate and the terms of the room type.',
      }),
    ),
  },
  { ...closed, minProperties: 1, description: 'What is absent stays as it is.' },
);
export type StayChangeBody = Static<typeof StayChangeBody>;

export const putReservationStay = {
  operationId: 'putReservationStay',
  method: 'PUT',
  path: '/v1/reservations/{id}/stay',
  listener: 'public',
  tag: 'reservations',
  summary: 'Change dates, room type, rate plan and number of rooms, in one step or not at all (extension)',
  description:
    'Nights that stay as they are keep their price. A lower price of a paid stay becomes a refund, by the ' +
    'cancellation terms. Changes never restore free cancellation once it has ended.',
  scopes: ['customer'],
  params: reservationPath,
  body: { maxBytes: 2_048, contentTypes: ['application/json'], schema: StayChangeBody },
  responses: {
    200: { description: 'The current state.', schema: ReservationView },
    404: {
      description: 'You have no reservation with this id, or the hotel has no such room type or rate plan.',
    },
    409: {
      description:
        'The nights are sold out, not on sale, restricted by the hotel or more expensive than the amount ' +
        'paid, or the status does not allow it.',
    },
    422: { description: 'The stay would start in the past, or the rooms are too small for the guests.' },
  },
} as const satisfies RouteContract;
