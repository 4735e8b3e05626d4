import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesBy } from '#payment/orders/apply-payment.js';
import { actionOf, anotherCardMayDo, codeActions } from '#payment/orders/code-actions.js';
import { fingerprintOf, parseIdempotencyKey } from '#payment/orders/idempotency-key.js';
import { type Order, type OrderStatus, orderStatuses } from '#payment/orders/order.js';
import { type PspPayment, pspStatuses } from '#payment/psp/psp-payment.js';
import { retryAfter, retryDefaults, retryStrategies } from '#payment/settings/retry-policy.js';
import { proves } from '#tools/acceptance/proves.js';
import { runs } from '../property-runs.js';
import { orderUnderWay } from './order-in-progress.js';

/** The graph of the specification. */
const edges: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  NOT_STARTED: ['EXECUTING'],
  EXECUTING: ['SUCCESS', 'FAILED'],
  FAILED: ['EXECUTING'],
  SUCCESS: [],
};

const context = { nowMs: 0, askAgainMs: () => 100, authorizedAskMs: 900_000, attemptsMax: 8 };
const news = fc.record({
  status: fc.constantFrom(...pspStatuses),
  sequence: fc.integer({ min: 1, max: 12 }),
  capturedMinor: fc.constantFrom(1_000n, 1_000n, 1_000n, 999n),
  currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
});

const paymentOf = (one: {
  status: PspPayment['status'];
  sequence: number;
  capturedMinor: bigint;
  currency: string;
}): PspPayment => ({
  nonce: 'o',
  reference: 'r',
  amountMinor: 1_000n,
  ...one,
  capturedMinor: one.status === 'captured' ? one.capturedMinor : 0n,
});

/** Applies the events in turn, and checks every step against the graph. */
function takeAll(start: Order, all: readonly PspPayment[]): { order: Order; captures: number } {
  let order = start;
  let captures = 0;
  for (const payment of all)
    for (const change of changesBy(order, payment, context)) {
      const next = { ...order, ...change.set, version: order.version + 1 };
      if (next.status !== order.status) {
        expect(edges[order.status]).toContain(next.status);
        expect(order.isFinal).toBe(false);
      }
      if (next.isFinal) expect([next.pending, next.nextAttemptMs]).toEqual([undefined, undefined]);
      if (order.isFinal) expect(next.isFinal).toBe(true);
      expect(next.capturedMinor).toBeGreaterThanOrEqual(order.capturedMinor);
      if (change.event?.kind === 'succeeded' || change.event?.kind === 'capturedLate') captures += 1;
      order = next;
    }
  return { order, captures };
}

describe('the states of an order', () => {
  proves('P-050', {
    asked:
      'only the edges of the graph; FAILED to EXECUTING only if the order may be retried; SUCCESS is final',
    shown: '2,000 random sequences (400 in `npm test`); pairs in order-constraints; codes to retry: P-124',
    control: {
      in: 'payment/orders/apply-payment.ts',
      change: "if (order.status === 'EXECUTING') return [];",
      to: "if (order.status !== 'NOT_STARTED') return [];",
    },
  });
  it('P-050, I8: events in any order and number follow the state graph; final states stay final', () => {
    fc.assert(
      fc.property(
        fc.array(news, { maxLength: 20 }),
        fc.constantFrom<Partial<Order>>(
          {},
          { status: 'NOT_STARTED', attempts: 0, pending: undefined },
          { status: 'FAILED', nextAttemptMs: 5, pending: undefined },
          { status: 'FAILED', isFinal: true, nextAttemptMs: undefined, pending: undefined },
        ),
        (all, start) => {
          const { order, captures } = takeAll({ ...orderUnderWay, ...start }, all.map(paymentOf));
          expect(captures).toBeLessThanOrEqual(1);
          expect(order.capturedMinor > 0n).toBe(captures === 1);
          if (order.status === 'SUCCESS') expect(order.capturedMinor).toBe(order.amountMinor);
        },
      ),
      { numRuns: runs(2_000) },
    );
  });

  proves('P-066', {
    asked: 'any order, any number',
    shown: 'four sequences, one still open, doubled and shuffled 500 times (100 in `npm test`): same state',
    control: {
      in: 'payment/orders/apply-payment.ts',
      change: 'if (payment.sequence <= order.pspSequence) return [];',
      to: '',
    },
  });
  it('P-066: shuffled and repeated provider events end in the same state', () => {
    const stories = [
      ['registered', 'processing', 'captured'],
      ['registered', 'challenge', 'declined'],
      ['registered', 'expired'],
      ['registered', 'challenge', 'processing'],
    ] as const;
    fc.assert(
      fc.property(fc.constantFrom(...stories), fc.infiniteStream(fc.nat()), (story, chance) => {
        const told = story.map((status, at) =>
          paymentOf({ status, sequence: at + 1, capturedMinor: 1_000n, currency: 'EUR' }),
        );
        const heard = [...told, ...told].map((one) => [chance.next().value!, one] as const);
        const shuffled = heard.toSorted(([left], [right]) => left - right).map(([, one]) => one);
        const right = takeAll(orderUnderWay, told).order;
        const wrong = takeAll(orderUnderWay, shuffled).order;
        const state = ({ status, isFinal, pending, capturedMinor }: Order) => [
          ...[status, isFinal, pending, capturedMinor],
        ];
        expect(state(wrong)).toEqual(state(right));
      }),
      { numRuns: runs(500) },
    );
  });

  it('control: without the sequence number an old decline would end a payment that continues', () => {
    const processing = paymentOf({ status: 'processing', sequence: 3, capturedMinor: 0n, currency: 'EUR' });
    const old = paymentOf({ status: 'declined', sequence: 2, capturedMinor: 0n, currency: 'EUR' });
    expect(takeAll(orderUnderWay, [processing, old]).order.status).toBe('EXECUTING');
    expect(takeAll(orderUnderWay, [processing, { ...old, sequence: 4 }]).order.status).toBe('FAILED');
  });

  proves('P-036', {
    asked: 'four states; a constraint of the database refuses others',
    shown: 'the code has four; the constraint is in order-constraints',
  });
  it('P-036: there are four states', () => {
    expect(Object.keys(edges)).toEqual(expect.arrayContaining([...orderStatuses]));
    expect(orderStatuses).toHaveLength(4);
  });
});

describe('retrying', () => {
  const gaps = (strategy: (typeof retryStrategies)[number]) =>
    Array.from({ length: 8 }, (_, at) =>
      retryAfter({ strategy, attemptsMax: 8, firstMs: 1_000, capMs: 30_000, jitter: 'none' }, at + 1, 0.5),
    );

  proves('P-127', {
    asked: 'five strategies, gaps exactly as documented, jitter stated',
    shown: 'seven gaps of each and the end after eight attempts; jitter in the tests below',
    settings: ['capMs 30,000 to reach it within eight attempts; of production 900,000 below', 'no jitter'],
    control: {
      in: 'payment/settings/retry-policy.ts',
      change: 'Math.min(attempts - 1, 40)',
      to: 'Math.min(attempts, 40)',
    },
  });
  it('P-127: the five strategies wait exactly as documented', () => {
    expect(gaps('immediate')).toEqual([0, 0, 0, 0, 0, 0, 0, undefined]);
    expect(gaps('fixed')).toEqual([1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, undefined]);
    expect(gaps('incremental')).toEqual([1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, undefined]);
    expect(gaps('exponential')).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, undefined]);
    expect(gaps('cancel')).toEqual(Array.from({ length: 8 }, () => undefined));
  });

  it("P-126, P-127: full jitter stays below the delay, and the provider's delay is the minimum", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempts, random) => {
          const wait = retryAfter(retryDefaults, attempts, random)!;
          expect(wait).toBeLessThanOrEqual(1_000 * 2 ** (attempts - 1));
          expect(retryAfter(retryDefaults, attempts, random, 60_000)).toBeGreaterThanOrEqual(60_000);
        },
      ),
    );
  });

  it('P-127: there are five strategies, and full jitter is the drawn part of the delay', () => {
    expect(retryStrategies).toEqual(['immediate', 'fixed', 'incremental', 'exponential', 'cancel']);
    const jittered = (random: number) => retryAfter(retryDefaults, 3, random);
    expect([jittered(0), jittered(0.5), jittered(0.75)]).toEqual([0, 2_000, 3_000]);
  });

  it('P-130: the defaults equal those of the documents', () => {
    expect(retryDefaults).toEqual({
      strategy: 'exponential',
      attemptsMax: 8,
      firstMs: 1_000,
      capMs: 900_000,
      jitter: 'full',
    });
  });

  it('P-124: each code has its action; an unknown code is never retried', () => {
    expect(new Set(Object.values(codeActions))).toEqual(new Set(['retry', 'cancel', 'refund', 'manual']));
    expect(actionOf('of_tomorrow', 'cancel')).toBe('cancel');
    expect(actionOf('constructor', 'manual')).toBe('manual');
    expect(actionOf('stolen_card', 'cancel')).toBe(codeActions['stolen_card']);
  });

  it('another card may do where the card or its bank declined, or a code is new, and nowhere else', () => {
    const ofTheCard = [
      'card_declined',
      'insufficient_funds',
      'expired_card',
      'incorrect_number',
      'incorrect_cvc',
      'address_mismatch',
      'authentication_required',
      'authentication_failed',
      'authentication_timeout',
      'unknown_card_token',
      'suspected_fraud',
      'stolen_card',
    ];
    expect(Object.keys(codeActions).filter(anotherCardMayDo).toSorted()).toEqual(ofTheCard.toSorted());
    for (const unknown of ['of_tomorrow', 'constructor']) expect(anotherCardMayDo(unknown)).toBe(true);
  });
});

describe('idempotency keys', () => {
  it('P-080: quoted and unquoted are one key; empty, long and strange ones are invalid', () => {
    expect(parseIdempotencyKey('"k-1"')).toBe('k-1');
    expect(parseIdempotencyKey(' k-1 ')).toBe('k-1');
    for (const none of [undefined, '', '""', 'a b', 'ü', 'x'.repeat(256)])
      expect(parseIdempotencyKey(none)).toBeUndefined();
  });

  it('P-081: the fingerprint ignores the order of fields and nothing else', () => {
    const one = fingerprintOf({ a: 1, b: [{ c: '1', d: null }] });
    expect(fingerprintOf({ b: [{ d: null, c: '1' }], a: 1 })).toEqual(one);
    expect(fingerprintOf({ a: '1', b: [{ c: '1', d: null }] })).not.toEqual(one);
    expect(fingerprintOf({ a: 1, b: [{ c: '1' }, { d: null }] })).not.toEqual(one);
  });
});
