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
  ['the reservation has not received the event', 'pending_payment', null, { status: 'processing' }],
  ['its hold has expired before the event arrives', 'expired', null, { status: 'processing' }],
  ['the reservation is paid, but not recorded yet', 'paid', null, { status: 'paid' }],
  ['it was paid and then cancelled', 'cancelled', 'paid', { status: 'paid' }],
  ['it arrived late and bought the rooms again', 'paid', 'reseated', { status: 'paid' }],
  ['the rooms were sold', 'expired', 'no-rooms-left', { status: 'failed', failureCode: 'no_rooms_left' }],
])('H-102: the guest sees what happened to money that was taken, when %s', (_, status, outcome, told) => {
  expect(paymentStateOf({ status }, { outcome, declinedCode: null }, taken)).toEqual(told);
});

const declined = { status: 'FAILED', isFinal: true, pending: undefined, pspPageUrl: undefined } as const;
const open = {
  status: 'EXECUTING',
  isFinal: false,
  pending: 'buyer',
  pspPageUrl: 'https://psp',
  failureCode: undefined,
} as const;

test('H-102: while the reservation waits, a declined card is not the end: the next page follows', () => {
  const waits = { status: 'pending_payment' } as const;
  const failed = { ...declined, failureCode: 'expired_card' };
  const first = { outcome: null, declinedCode: null };
  const retry = { outcome: null, declinedCode: 'expired_card' };
  expect(paymentStateOf(waits, first, failed)).toEqual({ status: 'preparing', failureCode: 'expired_card' });
  expect(paymentStateOf(waits, retry, undefined)).toEqual({
    status: 'preparing',
    failureCode: 'expired_card',
  });
  expect(paymentStateOf(waits, retry, open)).toEqual({
    status: 'open',
    paymentPageURL: 'https://psp',
    failureCode: 'expired_card',
  });
  expect(paymentStateOf(waits, retry, { ...open, pending: 'processing' })).toEqual({ status: 'processing' });
  const end = { status: 'failed', failureCode: 'expired_card' };
  expect(paymentStateOf({ status: 'rejected' }, first, failed)).toEqual(end);
  expect(paymentStateOf({ status: 'rejected' }, retry, undefined)).toEqual(end);
});
