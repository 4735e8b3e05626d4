import { Type } from 'typebox';
import { reservationBounds } from './hotel-reservations.js';
import type { RouteContract } from './route-contract.js';

const path = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: reservationBounds.reservationIdMax,
    pattern: '^[^\\p{Cc}\\p{Cs}]*$',
  }),
});
const document = { method: 'GET', listener: 'public', tag: 'reservations', scopes: ['customer'] } as const;
const missing = {
  404: { description: 'You have no reservation with this id.' },
  409: { description: 'It is not paid yet, so it has no booking number.' },
} as const;

export const getReservationReceipt = {
  ...document,
  operationId: 'getReservationReceipt',
  path: '/v1/reservations/{id}/receipt',
  summary: 'Receipt of a paid reservation, as a page (extension)',
  params: path,
  responses: {
    200: { description: 'HTML.', schema: Type.String(), contentType: 'text/html' },
    ...missing,
  },
} as const satisfies RouteContract;

export const getReservationCalendar = {
  ...document,
  operationId: 'getReservationCalendar',
  path: '/v1/reservations/{id}/calendar.ics',
  summary: 'A paid reservation for your calendar, RFC 5545 (extension)',
  description: 'Of a cancelled reservation, the file removes the event.',
  params: path,
  responses: {
    200: { description: 'One event, in UTC.', schema: Type.String(), contentType: 'text/calendar' },
    ...missing,
  },
} as const satisfies RouteContract;
