import { describe, expect, it } from 'vitest';
import { changesBy } from '#payment/orders/apply-payment.js';
import type { OrderChange } from '#payment/orders/change-order.js';
import type { Order } from '#payment/orders/order.js';
import type { PspPayment } from '#payment/psp/psp-payment.js';
import { proves } from '#tools/acceptance/proves.js';
import { orderUnderWay } from './order-in-progress.js';

const order: Order = { ...orderUnderWay, pspSequence: 3 };
const ended = { isFinal: true, status: 'FAILED', pending: undefined, nextAttemptMs: undefined } as const;
const waiting = { status: 'FAILED', pending: undefined, nextAttemptMs: 5 } as const;

const news = (status: PspPayment['status'], more: Partial<PspPayment> = {}): PspPayment => ({
  nonce: 'o',
  reference: 'r',
  status,
  amountMinor: 1_000n,
  capturedMinor: status === 'captured' ? 1_000n : 0n,
  currency: 'EUR',
  sequence: 4,
  ...more,
});
const changes = (state: Partial<Order>, payment: PspPayment, askAgainMs = 900, nowMs = 100) =>
  changesBy({ ...order, ...state }, payment, {
    nowMs,
    askAgainMs: () => askAgainMs,
    authorizedAskMs: 900_000,
    attemptsMax: 8,
  });

const heard = { pspSequence: 4, pspReference: 'r' };
const reopened: OrderChange = {
  set: { status: 'EXECUTING', pending: 'processing' },
  cause: 'news',
  event: { kind: 'started' },
};
const failed = (cause: string, set: OrderChange['set'] = heard): OrderChange => ({
  set: { ...set, ...ended, failureCode: cause },
  cause,
  event: { kind: 'failed' },
});
const succeeded: OrderChange = {
  set: {
    ...heard,
    status: 'SUCCESS',
    isFinal: true,
    pending: undefined,
    nextAttemptMs: undefined,
    failureCode: undefined,
    capturedMinor: 1_000n,
  },
  cause: 'captured',
  event: { kind: 'succeeded', amountMinor: 1_000n },
};
const late = (cause: string, capturedMinor = 1_000n): OrderChange => ({
  set: { ...heard, capturedMinor },
  cause,
  event: { kind: 'capturedLate', amountMinor: capturedMinor },
});

describe('the effect of a provider event on an order', () => {
  proves('P-066', {
    asked: 'an old event after a new one: the final state is right',
    shown: 'events with an equal and a lower number change nothing',
    control: {
      in: 'payment/orders/apply-payment.ts',
      change: '  if (payment.sequence <= order.pspSequence) return [];\n',
      to: '',
    },
  });
  it('P-066: an event that is not newer than the last one has no effect', () => {
    for (const sequence of [1, 3]) expect(changes({}, news('captured', { sequence }))).toEqual([]);
    expect(changes({}, news('captured'))).toEqual([succeeded]);
  });

  it('a manual capture is a success only in the amount that the seller wants', () => {
    const manual = { manualCapture: true, captureMinor: 400n };
    const part = { set: { ...succeeded.set, capturedMinor: 400n } };
    const [done] = changes(manual, news('captured', { capturedMinor: 400n }));
    expect(done).toEqual({ ...succeeded, ...part, event: { kind: 'succeeded', amountMinor: 400n } });
    // Nobody wanted this capture: it is refunded.
    for (const captureMinor of [0n, 400n])
      expect(changes({ ...manual, captureMinor }, news('captured'))).toEqual([
        failed('amount_differs', {}),
        late('amount_differs'),
      ]);
  });

  it.each([
    ['nothing was requested', { captureMinor: 0n }, 'capture', 100 + 900_000],
    ['a capture was requested', { captureMinor: 1n }, 'unknown', 100],
    ['a cancellation was requested', { captureMinor: 0n, voidRequested: true }, 'unknown', 100],
  ] as const)('an authorization waits for the seller, or continues what: %s', (_, state, pending, at) => {
    expect(changes({ ...state, manualCapture: true }, news('authorized'))).toEqual([
      {
        set: { ...heard, pending, failureCode: undefined, nextAttemptMs: at },
        cause: 'authorized',
        event: { kind: 'pending' },
      },
    ]);
  });

  it('the event of a success has the fee of what was captured, and none where nothing is kept', () => {
    const fee = { basisPoints: 200, fixedMinor: 30n };
    const [done] = changes({ fee }, news('captured'));
    expect(done!.event).toEqual({ kind: 'succeeded', amountMinor: 1_000n, feeMinor: 50n });
    const [free] = changes({ fee: { basisPoints: 0, fixedMinor: 0n } }, news('captured'));
    expect(free!.event).toEqual({ kind: 'succeeded', amountMinor: 1_000n });
  });

  it('the correct amount is a success, once, also for an order that waits for its next attempt', () => {
    expect(changes(waiting, news('captured'))).toEqual([reopened, succeeded]);
    expect(changes({ status: 'NOT_STARTED' }, news('captured'))).toEqual([reopened, succeeded]);
    for (const capturedMinor of [1n, 1_000n])
      expect(changes({ capturedMinor }, news('captured'))).toEqual([{ set: heard, cause: 'captured_again' }]);
  });

  it('P-070: money for an ended order, or in another amount, is accepted and refunded', () => {
    expect(changes(ended, news('captured'))).toEqual([late('captured_late')]);
    const other = news('captured', { capturedMinor: 999n });
    expect(changes(ended, other)).toEqual([late('amount_differs', 999n)]);
    expect(changes({}, other)).toEqual([failed('amount_differs', {}), late('amount_differs', 999n)]);
    expect(changes(waiting, other)).toEqual([
      reopened,
      failed('amount_differs', {}),
      late('amount_differs', 999n),
    ]);
  });

  it('P-034: another currency ends the order for review by a person, and is not booked', () => {
    const other = news('captured', { currency: 'SEK' });
    const forPeople = { ...failed('amount_differs'), forPeople: true };
    expect(changes({}, other)).toEqual([forPeople]);
    expect(changes(waiting, other)).toEqual([reopened, forPeople]);
    expect(changes(ended, other)).toEqual([{ set: heard, cause: 'amount_differs' }]);
  });

  it('P-124: a decline ends the order by its code; fraud codes are reviewed by a person', () => {
    expect(changes({}, news('declined'))).toEqual([failed('card_declined')]);
    expect(changes({}, news('declined', { code: 'insufficient_funds' }))).toEqual([
      failed('insufficient_funds'),
    ]);
    expect(changes({}, news('declined', { code: 'never_heard_of' }))).toEqual([failed('never_heard_of')]);
    expect(changes({}, news('declined', { code: 'stolen_card' }))).toEqual([
      { ...failed('stolen_card'), forPeople: true },
    ]);
    expect(changes({}, news('expired'))).toEqual([failed('expired')]);
    expect(changes(waiting, news('voided'))).toEqual([reopened, failed('voided')]);
  });

  it.each([
    ['a cancellation', { voidRequested: true }, 'voided'],
    ['a deleted card', { card: { ...order.card, isDeleted: true } }, 'unknown_card_token'],
    ['the end of the time to pay', { expiresMs: 100 }, 'expired'],
    ['too many attempts', { attempts: 8 }, 'retries_exhausted'],
    ['nothing of ours', { attempts: 7, expiresMs: 101 }, 'voided'],
    ['nothing of ours, while the buyer pays', { attempts: 8, pending: 'buyer' }, 'voided'],
  ] as const)('a nonce that is closed because of %s ends with that reason', (_, state, code) => {
    const dead = code === 'retries_exhausted' ? { forPeople: true } : {};
    expect(changes(state, news('voided'))).toEqual([{ ...failed(code), ...dead }]);
  });

  it('an event after the end is stored and changes nothing', () => {
    for (const status of ['declined', 'processing', 'registered'] as const)
      expect(changes(ended, news(status))).toEqual([{ set: heard, cause: 'news_after_end' }]);
  });

  it.each([
    ['registered', 'buyer', false],
    ['processing', 'processing', false],
    ['authorized', 'processing', false],
    ['review', 'review', true],
    ['challenge', 'challenge', true],
  ] as const)(
    'P-054: %s waits for %s; the buyer is notified of a slow bank: %s',
    (status, pending, person) => {
      const expected = (nextAttemptMs: number): OrderChange => ({
        set: {
          ...heard,
          pending,
          failureCode: undefined,
          nextAttemptMs,
          ...(person ? { notifyBuyer: true } : {}),
        },
        cause: status,
        event: { kind: 'pending' },
      });
      expect(changes({}, news(status))).toEqual([expected(900)]);
      expect(changes({}, news(status), 50)).toEqual([expected(100)]);
      expect(changes(waiting, news(status))).toEqual([reopened, expected(900)]);
    },
  );

  proves('P-038', {
    asked: 'the token of the registration is stored with the order',
    shown: 'token and page are set by the first report that has them, and replaced by no later one',
    control: {
      in: 'payment/orders/apply-payment.ts',
      change:
        '    ...(payment.token === undefined || order.pspToken !== undefined ? {} : { pspToken: payment.token }),\n',
      to: '    ...(payment.token === undefined ? {} : { pspToken: payment.token }),\n',
    },
  });
  it('P-038: token and page are stored when they first arrive', () => {
    const page = { token: 't', pageUrl: 'https://pay.invalid/t' };
    const [told] = changes({}, news('registered', page));
    expect(told!.set).toMatchObject({ pspToken: 't', pspPageUrl: 'https://pay.invalid/t' });
    const [again] = changes(
      { pspToken: 'first', pspPageUrl: 'https://first.invalid' },
      news('registered', page),
    );
    expect(again!.set).not.toHaveProperty('pspToken');
    expect(again!.set).not.toHaveProperty('pspPageUrl');
    // A challenge is answered on its own page; other news later do not lead back.
    const later = { pspToken: 'first', pspPageUrl: 'https://first.invalid' };
    const [challenged] = changes(later, news('challenge', page));
    expect(challenged!.set).toMatchObject({ pspPageUrl: 'https://pay.invalid/t' });
    const [untold] = changes({}, news('registered'));
    expect(untold!.set).not.toHaveProperty('pspToken');
    expect(untold!.set).not.toHaveProperty('pspPageUrl');
  });
});
