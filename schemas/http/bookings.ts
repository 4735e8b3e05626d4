import { type Static, Type } from 'typebox';
import { reservationBounds } from './hotel-reservations.js';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;

const BookingPaymentView = Type.Object(
  {
    reservationID: Type.String(),
    status: oneOf(['preparing', 'open', 'processing', 'paid', 'failed'] as const),
    price: Type.String({ description: 'Decimal with all decimals of the currency, "120.00".' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    expiresAt: Type.String({ description: 'The rooms are kept until then. RFC 3339.' }),
    paymentOrderID: Type.Optional(Type.String({ description: 'As GET /v1/payments/{id} knows it.' })),
    paymentPageURL: Type.Optional(
      Type.String({ description: 'While open: where the guest types the card, at the payment provider.' }),
    ),
    failureCode: Type.Optional(
      Type.String({
        description:
          'Why it failed; `no_rooms_left` when the money came too late and goes back. ' +
          'While preparing or open: why the card before was declined.',
      }),
    ),
  },
  closed,
);
export type BookingPaymentView = Static<typeof BookingPaymentView>;

export const getReservationPayment = {
  operationId: 'getReservationPayment',
  method: 'GET',
  path: '/v1/reservations/{id}/payment',
  listener: 'public',
  tag: 'reservations',
  summary: 'How one of your reservations is to be paid (beyond the specification)',
  description:
    'A reservation is registered at the payment provider by events, some tenths of a second after ' +
    'it was made: `preparing` until then. ' +
    'After a declined card it is `open` again, with another page, until the hold ends ' +
    'or five cards were declined.',
  scopes: ['customer'],
  params: Type.Object({
    id: Type.String({
      minLength: 1,
      maxLength: reservationBounds.reservationIdMax,
      pattern: '^[^\\p{Cc}\\p{Cs}]*$',
    }),
  }),
  responses: {
    200: { description: 'Its newest payment.', schema: BookingPaymentView },
    404: { description: 'You have no reservation of this id.' },
  },
} as const satisfies RouteContract;
