import { type Static, Type } from 'typebox';
import { reservationBounds } from './hotel-reservations.js';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;

const moment = Type.String({ description: 'RFC 3339.' });
const amount = Type.String({
  description: 'Decimal string with all decimals of the currency, for example "120.00".',
});
const status = Type.Union(
  oneOf(['preparing', 'open', 'confirm', 'processing', 'paid', 'failed'] as const).anyOf,
  {
    description:
      '`open`: the guest enters a card on `paymentPageURL`. `confirm`: the bank of the card asks the guest ' +
      'to confirm the payment there.',
  },
);
const SupplementPayment = Type.Object(
  {
    supplementID: Type.String(),
    amount,
    expiresAt: moment,
    status,
    paymentOrderID: Type.Optional(Type.String()),
    paymentPageURL: Type.Optional(Type.String()),
    failureCode: Type.Optional(Type.String({ description: 'Why the previous card was declined.' })),
    change: Type.Optional(
      Type.Object(
        {
          startDate: Type.String({ description: 'YYYY-MM-DD.' }),
          endDate: Type.String({ description: 'The last night. YYYY-MM-DD.' }),
          roomTypeID: Type.String(),
          roomCount: Type.String({ description: 'A string holding an integer.' }),
          price: amount,
        },
        { ...closed, description: 'The stay as it will be once this is paid. Absent: it is for extras.' },
      ),
    ),
  },
  { ...closed, description: 'A further amount to pay now. The stay stays as it is until then.' },
);

const BookingPaymentView = Type.Object(
  {
    reservationID: Type.String(),
    status,
    supplement: Type.Optional(SupplementPayment),
    price: Type.String({
      description: 'Decimal string with all decimals of the currency, for example "120.00".',
    }),
    currency: Type.String({ description: 'ISO 4217.' }),
    expiresAt: Type.String({ description: 'The rooms are held until this time. RFC 3339.' }),
    paymentOrderID: Type.Optional(
      Type.String({ description: 'The payment order, for GET /v1/payments/{id}.' }),
    ),
    paymentPageURL: Type.Optional(
      Type.String({
        description: 'While `open` or `confirm`: the page of the payment provider or of the bank.',
      }),
    ),
    bookingNumber: Type.Optional(Type.String({ description: 'For people, once the reservation was paid.' })),
    captured: Type.Optional(
      Type.String({
        description: 'What the provider took from the card. Decimal string; absent while it took nothing.',
      }),
    ),
    refunded: Type.Optional(
      Type.String({ description: 'With captured: what was refunded or is being refunded of it.' }),
    ),
    failureCode: Type.Optional(
      Type.String({
        description:
          'Why the payment failed; `no_rooms_left` when it arrived too late and is refunded, ' +
          '`amount_differs` when another amount was taken, which is refunded. ' +
          'While preparing or open: why the previous card was declined.',
      }),
    ),
  },
  closed,
);
export type BookingPaymentView = Static<typeof BookingPaymentView>;

const params = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: reservationBounds.reservationIdMax,
    pattern: '^[^\\p{Cc}\\p{Cs}]*$',
  }),
});

export const getReservationPayment = {
  operationId: 'getReservationPayment',
  method: 'GET',
  path: '/v1/reservations/{id}/payment',
  listener: 'public',
  tag: 'reservations',
  summary: 'Payment of one of your reservations (extension)',
  description:
    'Events register the reservation with the payment provider, some tenths of a second after ' +
    'it is made. Until then, the status is `preparing`. ' +
    'After a declined card, the status is `open` again with a new page, until the hold ends ' +
    'or five cards are declined.',
  scopes: ['customer'],
  params,
  responses: {
    200: { description: 'The latest payment.', schema: BookingPaymentView },
    404: { description: 'You have no reservation with this id.' },
  },
} as const satisfies RouteContract;

export const putCardConsent = {
  operationId: 'putCardConsent',
  method: 'PUT',
  path: '/v1/reservations/{id}/payment/card-consent',
  listener: 'public',
  tag: 'reservations',
  summary: 'Agree that the payment provider keeps the card that pays for a stay (extension)',
  description:
    'Send it before the reservation, with the same reservationID. The page of the provider asks once more. ' +
    'The card is for later payments to the same hotel; `GET /v1/saved-cards` lists it once the stay is ' +
    'paid, and `DELETE /v1/saved-cards/{card_id}` removes it. If a card is declined, the one that pays is ' +
    'kept.',
  scopes: ['customer'],
  params,
  responses: {
    204: { description: 'Recorded now or earlier.' },
    409: { description: 'The reservation has a payment already. Nothing was changed.' },
  },
} as const satisfies RouteContract;

export const putSavedCard = {
  operationId: 'putSavedCard',
  method: 'PUT',
  path: '/v1/reservations/{id}/payment/saved-card',
  listener: 'public',
  tag: 'reservations',
  summary: 'Pay for a stay with a card that you saved earlier (extension)',
  description:
    'Send it before the reservation, with the same reservationID: the card is charged as soon as the rooms ' +
    'are held. A card pays only the hotel with which it was saved (`seller_account` of `GET ' +
    '/v1/saved-cards`). If it cannot be used, or is declined, the payment is `open` for another card, with ' +
    '`failureCode`.',
  scopes: ['customer'],
  params,
  body: {
    maxBytes: 1_024,
    contentTypes: ['application/json'],
    schema: Type.Object(
      { cardID: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' }) },
      closed,
    ),
  },
  responses: {
    204: { description: 'Recorded. Of several choices for one reservation the last one counts.' },
    404: { description: 'You have no saved card with this id.' },
    409: { description: 'The reservation has a payment already. Nothing was changed.' },
  },
} as const satisfies RouteContract;

export const getStaffReservationPayment = {
  operationId: 'getStaffReservationPayment',
  method: 'GET',
  path: '/v1/staff/reservations/{id}/payment',
  listener: 'internal',
  tag: 'hotel management',
  summary: 'Payment of a reservation, with the page for a further amount',
  scopes: ['desk'],
  params,
  responses: {
    200: { description: 'The latest payment.', schema: BookingPaymentView },
    404: { description: 'No reservation has this id.' },
  },
} as const satisfies RouteContract;
