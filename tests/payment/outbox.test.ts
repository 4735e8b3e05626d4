import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OutboxRelay } from '#payment/outbox/relay.js';
import { each } from '#platform/stream/input.js';
import { ok } from '#platform/stream/outcome.js';
import { type Processor, startProcessor } from '#platform/stream/start-processor.js';
import { type PaymentOrderChanged, paymentChange } from '#schemas/messages.js';
import { paymentOrderLifecycle } from '#schemas/topics.js';
import { eventually } from '../eventually.js';
import { OrdersRoom } from './orders-room.js';

let room: OrdersRoom;
beforeAll(async () => {
  room = await OrdersRoom.open({ style: 'direct' });
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
  it('I9: each change that is told of comes once, in its order, up to settled', async () => {
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

  it('P-122: a change that is rolled back tells nothing', async () => {
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

  it('P-122: while the log is away messages wait, in order; two relays send none twice', async () => {
    let away = true;
    const sent: string[] = [];
    const { sql, codecs } = room;
    await room.service.wake();
    const relay = () =>
      new OutboxRelay({
        sql,
        codecs,
        nowMs: Date.now,
        reach: () => Promise.resolve(),
        log: {
          append: async (_topic, records) => {
            if (away) throw new Error('away');
            sent.push(...records.map(({ headers }) => headers!['ce_id']!));
            return [];
          },
        },
      });
    const [one, other] = [relay(), relay()];
    // The room's own relay lets go, and cannot take the lease back while one of ours holds it.
    await eventually(async () => {
      await sql.query(`DELETE FROM payment_leases WHERE name = 'outbox'`);
      await one.round();
      const { rows } = await sql.query<{ n: bigint }>(
        `SELECT count(*) AS n FROM payment_leases WHERE until > now() + interval '14 seconds'`,
      );
      expect(Number(rows[0]!.n)).toBe(1);
      await sql.query(`UPDATE payment_leases SET until = now() + interval '1 hour' WHERE name = 'outbox'`);
      for (let at = 0; at < 3; at += 1)
        await sql.query(
          `INSERT INTO payment_outbox (event_id, topic, key, payload, created_at) VALUES ($1, 'payment.retry.v1', 'k',
             '{"eventId":"e","subject":"payment","subjectId":"s","attempts":1,"dueMs":1,"cause":"c","occurredMs":1}', now())
           ON CONFLICT DO NOTHING`,
          [`planted-${at}`],
        );
      await expect(one.round()).rejects.toThrow('away');
    });
    away = false;
    await Promise.all([one.round(), other.round(), one.round(), other.round()]);
    const planted = sent.filter((id) => id.startsWith('planted-'));
    expect(planted.slice(0, 3)).toEqual(['planted-0', 'planted-1', 'planted-2']);
    await one.release();
  });
});

describe('receivers', () => {
  it('P-120, P-121: every group gets every event; one that hangs delays no other, and what comes twice counts once', async () => {
    const seen: string[] = [];
    let release = (_: typeof ok): void => {};
    const held = new Promise<typeof ok>((resolve) => {
      release = resolve;
    });
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
    const behind = async (name: string) => {
      const ends = await room.log.offsets(paymentOrderLifecycle.name);
      const committed = await room.log.committed(name, paymentOrderLifecycle.name);
      return ends.some(
        ({ partition, end }) =>
          end > 0 && (committed.find((one) => one.partition === partition)?.offset ?? 0) < end,
      );
    };
    await eventually(async () => expect(await behind('payment-ledger')).toBe(false));
    await eventually(async () => expect(await behind('payment-wallet')).toBe(false));
    expect(await room.ledgerTransfers(id)).toBe(1);
    expect(await room.count('SELECT sum(amount)::bigint AS n FROM ledger_entry')).toBe(0);
    expect(await room.count('SELECT sum(balance)::bigint AS n FROM wallet')).toBe(
      await room.count('SELECT sum(captured_minor - refunded_minor)::bigint AS n FROM payment_orders'),
    );
    release(ok);
    await Promise.all([reading.close(), hanging.close()]);
  });
});

function group(name: string, step: (change: PaymentOrderChanged) => Promise<typeof ok>): Promise<Processor> {
  return startProcessor(
    {
      group: name,
      startAt: 'latest',
      inputs: [each(room.codecs.paymentOrderLifecycle, ({ message }) => step(message))],
    },
    { log: room.log, deadLetters: room.codecs.deadLetter },
  );
}
