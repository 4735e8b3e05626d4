import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reservation } from '#hotel/reservations/reservation.js';
import { paymentDefaults } from '#payment/settings/settings.js';
import { each } from '#platform/stream/input.js';
import { ok } from '#platform/stream/outcome.js';
import { type Processor, startProcessor } from '#platform/stream/start-processor.js';
import { type BookingPayment, newestPayment } from '#processors/booking/booking-payments.js';
import { type PaymentGroup, paymentGroups } from '#processors/payments/payment-groups.js';
import { paymentNotice, paymentOrderLifecycle } from '#schemas/topics.js';
import { proves } from '#tools/acceptance/proves.js';
import { consumerLag } from '../consumer-lag.js';
import { eventually } from '../eventually.js';
import { quick } from '../payment/orders-fixture.js';
import { BookingRoom } from './booking-fixture.js';

/** The receivers of the specification, by their consumer groups. */
const receivers = [
  'payment-ledger',
  'payment-wallet',
  'booking',
  'payment-notifications',
  'payment-analytics',
] as const;
type Receiver = (typeof receivers)[number];

/** The wallet looks so long for what the ledger has not posted; then the event is delivered again. */
const longerThanAnyLookMs = paymentDefaults.groups.looksMax * paymentDefaults.groups.lookEveryMs + 500;

/** Ten minutes pass for the payment service, but not for the machine. */
let aheadMs = 0;
let room: BookingRoom;
const running = new Map<PaymentGroup, Processor>();
beforeAll(async () => {
  room = await BookingRoom.open({
    ...{ groups: [], holdSeconds: 2 * 3_600, nowMs: () => Date.now() + aheadMs },
    settings: {
      // The clock of the provider does not move with ours.
      webhookToleranceMs: 2 * 3_600_000,
      // Nothing else updates a wallet while its receiver is down.
      rounds: { ...quick.rounds, walletsMs: 24 * 3_600_000 },
    },
  });
  for (const group of paymentGroups) await start(group);
});
afterAll(async () => {
  for (const processor of running.values()) await processor.close();
  await room?.close();
});

async function start(receiver: PaymentGroup | 'booking'): Promise<void> {
  if (receiver === 'booking') return room.startBooking();
  running.set(receiver, await room.orders.startGroup(receiver));
}
async function stop(receiver: Receiver): Promise<void> {
  if (receiver === 'booking') return room.stopBooking();
  await running.get(receiver)!.close();
  running.delete(receiver);
}

const succeeded = async (): Promise<number> => {
  const { text } = await room.orders.metrics.scrape();
  return Number(/^payments_total\{[^}]*status="succeeded"[^}]*\} (\d+)$/m.exec(text)?.[1] ?? 0);
};

/** A stay that waits for a card, and whose buyer gets a mail, as after a review by a person. */
async function unpaid(hotelId: string): Promise<readonly [Reservation, BookingPayment]> {
  const reservation = await room.reserve(hotelId);
  const payment = await room.registered(reservation);
  // As another version: a change on its way that read the one before must not take it back.
  await room.orders.sql.query(
    'UPDATE payment_orders SET notify_buyer = true, version = version + 1 WHERE payment_order_id = $1',
    [payment.paymentOrderId],
  );
  return [reservation, payment];
}

/** The effect that one payment of a stay has in each receiver; 1 is right. */
async function effects(
  reservation: Reservation,
  { paymentOrderId: id }: BookingPayment,
  countedBefore: number,
): Promise<Record<Receiver, number>> {
  const { status } = (await room.reservations.get(reservation.reservationId, { staff: true }))!;
  const inWallet = await room.orders.count(
    `SELECT coalesce(sum(w.balance), 0)::bigint AS n FROM wallet w
     JOIN payment_orders o USING (seller_account) WHERE o.payment_order_id = $1`,
    [id],
  );
  return {
    'payment-ledger': await room.orders.ledgerTransfers(id),
    'payment-wallet': inWallet / Number(reservation.priceMinor),
    booking: status === 'paid' ? 1 : 0,
    'payment-notifications': await room.orders.count(
      'SELECT count(*) AS n FROM payment_mail_jobs WHERE payment_order_id = $1',
      [id],
    ),
    'payment-analytics': (await succeeded()) - countedBefore,
  };
}
const once: Record<Receiver, number> = {
  'payment-ledger': 1,
  'payment-wallet': 1,
  booking: 1,
  'payment-notifications': 1,
  'payment-analytics': 1,
};

/** How far a payment has come: the two flags of its order, and the one of its event. */
async function completion({ paymentOrderId }: BookingPayment) {
  const { rows } = await room.orders.sql.query(
    `SELECT ledger_updated, wallet_updated, is_payment_done
     FROM payment_orders JOIN payment_events USING (checkout_id) WHERE payment_order_id = $1`,
    [paymentOrderId],
  );
  return rows[0];
}
const complete = { ledger_updated: true, wallet_updated: true, is_payment_done: true };

const waitsFor = (receiver: Receiver): Promise<number> =>
  consumerLag(room.orders.log, receiver, paymentOrderLifecycle.name);
const caughtUp = (receiver: Receiver) =>
  eventually(async () => {
    expect(await waitsFor(receiver), receiver).toBe(0);
    if (receiver !== 'payment-notifications') return;
    expect(await consumerLag(room.orders.log, receiver, paymentNotice.name), receiver).toBe(0);
  });

/** Records that a receiver could not process. */
async function deadRecords(): Promise<number> {
  const offsets = await room.orders.log.offsets(room.orders.codecs.deadLetter.topic.name);
  return offsets.reduce((sum, { earliest, end }) => sum + end - earliest, 0);
}

describe('the receivers of payment events', () => {
  proves('P-121', {
    asked: 'delivered three times, one effect in each consumer',
    control: {
      in: 'processors/payments/start-payment-groups.ts',
      change: 'if (seen.has(eventId)) return false;',
      to: 'if (seen.has(eventId)) return true;',
    },
    shown: 'all events published twice more: one transfer, one sum, one mail, one count, one stay, none dead',
  });
  test('P-121: every event that arrives three times has one effect in each receiver', async () => {
    const counted = await succeeded();
    const [reservation, payment] = await unpaid('h00006');
    await room.typeCard(payment);
    await eventually(async () => expect(await effects(reservation, payment, counted)).toEqual(once));
    const before = await room.reservations.get(reservation.reservationId, { staff: true });
    const orderBefore = await room.orders.get(payment.paymentOrderId);
    const dead = await deadRecords();
    await room.publishAgain();
    await room.publishAgain();
    for (const receiver of receivers) await caughtUp(receiver);
    expect(await effects(reservation, payment, counted)).toEqual(once);
    expect(await room.reservations.get(reservation.reservationId, { staff: true })).toEqual(before);
    expect(await room.orders.get(payment.paymentOrderId)).toEqual(orderBefore);
    expect(await deadRecords()).toBe(dead);
    await room.prove();
  });

  proves('P-120', {
    asked: 'ledger, wallet, reservation, notification, analytics get every event; a dead one delays none',
    control: {
      in: 'processors/payments/start-payment-groups.ts',
      change: '{ group, startAt:',
      to: "{ group: group.replace('wallet', 'ledger'), startAt:",
    },
    shown:
      'each of the five stopped in turn, and a sixth that hangs: the others have it, and that one follows',
    missing: 'the wallet waits for a stopped ledger, from which it is derived',
  });
  proves('P-088', {
    asked: 'ledger or wallet unavailable for 10 min: later complete, one charge, one transaction',
    control: {
      in: 'processors/payments/start-payment-groups.ts',
      change: 'movesMoney(change) ? ledger.call',
      to: 'movesMoney(change) && deps.nowMs() < change.occurredMs + 300_000 ? ledger.call',
    },
    settings: [
      'webhookToleranceMs two hours: only our clock is moved',
      'holdSeconds two hours',
      'the clock of the service, moved by ten minutes',
      'PAYMENT_WALLETS_MS a day: the wallet moves by its receiver alone',
    ],
    shown:
      'ledger stopped ten minutes: neither flag, not done; then both flags, done, one charge, one transfer',
  });
  proves('P-088', {
    asked: 'the same for the wallet, down for ten minutes',
    control: {
      in: 'payment/orders/book-change.ts',
      change: "await flag(tx, changes.filter(isCapture), 'wallet_updated', nowMs);",
      to: `const young = changes.filter(({ occurredMs }) => nowMs < occurredMs + 300_000);
  await flag(tx, young.filter(isCapture), 'wallet_updated', nowMs);`,
    },
    settings: ['as for the ledger'],
    shown: 'wallet stopped: in the ledger, wallet 0, its flag false, not done; then as for the ledger',
  });
  test.each(receivers.map((receiver, index) => [receiver, index] as const))(
    'P-088, P-120: while %s is stopped the others have the payment, and it follows later',
    async (dead, index) => {
      const { log, codecs } = room.orders;
      const counted = await succeeded();
      const [reservation, payment] = await unpaid(`h0000${index + 1}`);
      await stop(dead);
      let release = (_: typeof ok): void => {};
      const held = new Promise<typeof ok>((resolve) => {
        release = resolve;
      });
      const hanging = await startProcessor(
        {
          group: `hanging-${dead}`,
          startAt: 'earliest',
          inputs: [each(codecs.paymentOrderLifecycle, () => held)],
        },
        { log, deadLetters: codecs.deadLetter },
      );
      try {
        await room.typeCard(payment);
        // The wallet is derived from the ledger, so it has nothing to read while that is stopped.
        const waiting: readonly Receiver[] = dead === 'payment-ledger' ? [dead, 'payment-wallet'] : [dead];
        const meanwhile = Object.fromEntries(
          Object.entries(once).map(([one, effect]) => [one, waiting.includes(one as Receiver) ? 0 : effect]),
        );
        const flags = {
          ledger_updated: dead !== 'payment-ledger',
          wallet_updated: !waiting.includes('payment-wallet'),
          is_payment_done: !waiting.includes('payment-wallet'),
        };
        await eventually(async () => {
          expect(await effects(reservation, payment, counted)).toEqual(meanwhile);
          expect(await completion(payment)).toEqual(flags);
        });
        aheadMs += 10 * 60_000;
        await delay(longerThanAnyLookMs);
        expect(await effects(reservation, payment, counted)).toEqual(meanwhile);
        expect(await completion(payment)).toEqual(flags);
        expect(await waitsFor(dead)).toBeGreaterThan(0);
        await start(dead);
        await eventually(async () => {
          expect(await effects(reservation, payment, counted)).toEqual(once);
          expect(await completion(payment)).toEqual(complete);
        });
        for (const receiver of receivers) await caughtUp(receiver);
        expect(await room.orders.charges(payment.paymentOrderId)).toBe(1);
        expect(await effects(reservation, payment, counted)).toEqual(once);
      } finally {
        release(ok);
        await hanging.close();
      }
      await room.prove();
    },
  );
});

describe('a provider that is unavailable for every attempt', () => {
  proves('P-125', {
    asked: 'over the threshold: cancelled, buyer informed, reservation released',
    shown:
      'eight attempts to open the page: FAILED, nothing at the provider; the guest sees it; rooms sold again',
    settings: ['firstMs 20', 'capMs 200', 'no jitter'],
    control: {
      in: 'processors/booking/follow-payments.ts',
      change: '  if (isWanted) await deps',
      to: '  if (isWanted && payment.retryOf !== null) await deps',
    },
  });
  test('P-125: after the last attempt the guest sees the failure, and another gets the rooms', async () => {
    await room.orders.faults({
      retryAfterS: 0,
      next: Array.from({ length: 8 }, () => ({ operation: 'registrations', fault: 'busy' as const })),
    });
    const reservation = await room.reserve('h00007', { roomCount: 2 });
    await room.until(reservation, 'rejected');
    const payment = await newestPayment(room.deps.sql, {
      reservationId: reservation.reservationId,
      supplementId: '',
    });
    const id = payment!.paymentOrderId;
    expect(await room.orders.get(id)).toMatchObject({
      ...{ payment_order_status: 'FAILED', is_final: true, attempts: 8 },
    });
    expect(await room.told(reservation)).toMatchObject({ status: 'failed' });
    expect(await room.orders.charges(id)).toBe(0);
    // Each attempt was refused before it was accepted: there is nothing to close.
    expect(
      (await room.orders.record()).filter((line) => line.kind === 'payment' && line.payment.nonce === id),
    ).toEqual([]);
    const other = await room.reserve('h00007', { roomCount: 2 });
    await room.typeCard(await room.registered(other));
    await room.until(other, 'paid');
    await room.prove();
  });
});
