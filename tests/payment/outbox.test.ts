import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { OutboxRelay } from '#payment/outbox/relay.js';
import { LogUnavailable, type NewRecord } from '#platform/event-log/event-log.js';
import { each } from '#platform/stream/input.js';
import { ok } from '#platform/stream/outcome.js';
import { type Processor, startProcessor } from '#platform/stream/start-processor.js';
import { type PaymentOrderChanged, paymentChange } from '#schemas/messages.js';
import { paymentOrderLifecycle } from '#schemas/topics.js';
import { proves } from '#tools/acceptance/proves.js';
import { consumerLag } from '../consumer-lag.js';
import { eventually } from '../eventually.js';
import { OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
let away = false;
const sent: string[] = [];
const note = (records: readonly NewRecord[]): void => {
  for (const { headers } of records) sent.push(headers!['ce_id']!);
};
beforeAll(async () => {
  room = await OrdersRoom.open({
    style: 'direct',
    onAppend: (records) => {
      if (away) throw new LogUnavailable('The log is stopped.', { retriable: true });
      note(records);
    },
  });
});
afterAll(() => room?.close());

async function eventsOf(id: string): Promise<PaymentOrderChanged[]> {
  const events: PaymentOrderChanged[] = [];
  for (const { partition } of await room.log.offsets(paymentOrderLifecycle.name))
    for await (const record of room.log.read(paymentOrderLifecycle.name, partition, 0))
      if (record.key === id) events.push(room.codecs.paymentOrderLifecycle.decode(record.value!));
  return events;
}

describe('from the database to the log', () => {
  it('I9: each published change arrives once, in order, up to settled', async () => {
    const { payment_order_id: id } = await room.pay({}, 'tok_captured');
    await room.settled(id);
    await eventually(async () => expect((await eventsOf(id)).at(-1)?.kind).toBe(paymentChange.settled));
    const events = await eventsOf(id);
    expect(events.map(({ kind }) => kind)).toEqual([
      paymentChange.created,
      paymentChange.started,
      paymentChange.succeeded,
      paymentChange.settled,
    ]);
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(4);
    const sequences = events.map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.toSorted((left, right) => left - right));
    expect(events[2]).toMatchObject({ amountMinor: 1_050, currency: 'EUR', reason: 'captured' });
  });

  it('P-122: a change that is rolled back publishes nothing', async () => {
    const before = await room.count('SELECT count(*) AS n FROM payment_outbox');
    const body = room.body([{}, { amount: '1.00' }]);
    const orders = body['payment_orders'] as { payment_order_id: string }[];
    orders[1]!.payment_order_id = (await room.pay({}, 'tok_captured')).payment_order_id;
    await room.settled(orders[1]!.payment_order_id);
    const told = await room.count('SELECT count(*) AS n FROM payment_outbox');
    expect(told).toBeGreaterThan(before);
    expect((await room.post(body)).status).toBe(409);
    expect(await room.count('SELECT count(*) AS n FROM payment_outbox')).toBe(told);
  });

  proves('P-088', {
    asked: 'ledger or wallet unavailable for 10 min: later complete, one charge, one transaction',
    shown:
      'the log that feeds both is unavailable; each alone, for ten minutes, in booking/payment-receivers',
  });
  it('P-088, P-122: payments continue during an outage of the log; then all events follow', async () => {
    away = true;
    const { payment_order_id: id } = await room.pay({}, 'tok_captured');
    expect(await room.get(id)).toMatchObject({ payment_order_status: 'SUCCESS', ledger_updated: false });
    const waiting = () =>
      room.count('SELECT count(*) AS n FROM payment_outbox WHERE key = $1 AND sent_at IS NULL', [id]);
    expect(await waiting()).toBe(3);
    away = false;
    await room.settled(id);
    await eventually(async () => expect(await waiting()).toBe(0));
    expect(await room.charges(id)).toBe(1);
    expect((await eventsOf(id)).slice(0, 3).map(({ kind }) => kind)).toEqual([
      paymentChange.created,
      paymentChange.started,
      paymentChange.succeeded,
    ]);
  });

  it('I9: of two relays one works at a time, and nothing is sent twice', async () => {
    const { sql, codecs, log } = room;
    const other = new OutboxRelay({
      sql,
      codecs,
      nowMs: Date.now,
      reach: () => Promise.resolve(),
      leaseMs: 15_000,
      log: {
        append: (topic, records) => {
          note(records);
          return log.append(topic, records);
        },
      },
    });
    let paying = true;
    const rounds = (async () => {
      while (paying) await other.round();
    })();
    const orders = await Promise.all(Array.from({ length: 10 }, () => room.pay({}, 'tok_captured')));
    for (const { payment_order_id: id } of orders) await room.settled(id);
    paying = false;
    await rounds;
    await other.release();
    expect(sent.length).toBeGreaterThan(30);
    expect(new Set(sent).size).toBe(sent.length);
  });
});

describe('consumers', () => {
  proves('P-120', {
    asked:
      'ledger, wallet, reservation, notification, analytics each get every event; a slow one delays none',
    shown: 'a hanging group, a reading one, ledger and wallet; all five in booking/payment-receivers',
  });
  proves('P-121', {
    asked: 'delivered three times, one effect in each consumer',
    shown: 'ledger and wallet have one effect of three; the others in booking/payment-receivers',
  });
  it('P-120, P-121: each group gets each event; a slow one delays none; duplicates count once', async () => {
    const seen: string[] = [];
    let release = (_: typeof ok): void => {};
    const held = new Promise<typeof ok>((resolve) => {
      release = resolve;
    });
    // A failure below must not leave it hanging, nor the server.
    onTestFinished(() => release(ok));
    const hanging = await group('test-hanging', () => held);
    const reading = await group('test-reading', (change) => {
      seen.push(change.eventId);
      return Promise.resolve(ok);
    });
    const { payment_order_id: id } = await room.pay({}, 'tok_captured');
    await room.settled(id);
    await eventually(() =>
      expect(seen.filter((event) => event.startsWith(id)).length).toBeGreaterThanOrEqual(3),
    );
    const events = await eventsOf(id);
    const succeeded = events.find(({ kind }) => kind === paymentChange.succeeded)!;
    const value = room.codecs.paymentOrderLifecycle.encode(succeeded);
    await room.log.append(paymentOrderLifecycle.name, [
      { key: id, value },
      { key: id, value },
    ]);
    await eventually(() => expect(seen.filter((event) => event === succeeded.eventId)).toHaveLength(3));
    for (const name of ['payment-ledger', 'payment-wallet'])
      await eventually(async () =>
        expect(await consumerLag(room.log, name, paymentOrderLifecycle.name), name).toBe(0),
      );
    expect(await room.ledgerTransfers(id)).toBe(1);
    expect(await room.count('SELECT sum(amount)::bigint AS n FROM ledger_entry')).toBe(0);
    expect(await room.count('SELECT sum(balance)::bigint AS n FROM wallet')).toBe(
      await room.count('SELECT sum(captured_minor - refunded_minor)::bigint AS n FROM payment_orders'),
    );
    release(ok);
    await Promise.all([reading.close(), hanging.close()]);
  });
});

/** Receives every later event: before it is ready, the end at which it starts is not known. */
async function group(
  name: string,
  step: (change: PaymentOrderChanged) => Promise<typeof ok>,
): Promise<Processor> {
  const processor = await startProcessor(
    {
      group: name,
      startAt: 'latest',
      inputs: [each(room.codecs.paymentOrderLifecycle, ({ message }) => step(message))],
    },
    { log: room.log, deadLetters: room.codecs.deadLetter },
  );
  await processor.ready;
  return processor;
}
