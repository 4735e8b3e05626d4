import { expect, test } from 'vitest';
import type { ReservationStatus } from '#hotel/reservations/reservation.js';
import { paymentStateOf } from '#processors/booking/payment-state.js';

const taken = {
  status: 'SUCCESS',
  isFinal: true,
  pending: undefined,
  pspPageUrl: undefined,
  failureCode: undefined,
} as const;

test.each<[string, ReservationStatus, string | null, object]>([
  ['the reservation has not heard of it', 'pending_payment', null, { status: 'processing' }],
  ['its hold is over and it has not heard of it', 'expired', null, { status: 'processing' }],
  ['the reservation is paid, and this not noted yet', 'paid', null, { status: 'paid' }],
  ['it was paid and cancelled since', 'cancelled', 'paid', { status: 'paid' }],
  ['it came late and bought the rooms again', 'paid', 'reseated', { status: 'paid' }],
  ['the rooms were gone', 'expired', 'no-rooms-left', { status: 'failed', failureCode: 'no_rooms_left' }],
])('H-102: of money that was taken the guest is told what it did, when %s', (_, status, outcome, told) => {
  expect(paymentStateOf({ status }, { outcome }, taken)).toEqual(told);
});
