import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantTables } from '#payment/merchant-webhooks/merchant-tables.js';
import { recordEvents } from '#payment/merchant-webhooks/record-events.js';
import { forgetOldEvents } from '#platform/webhooks/attempt-log.js';
import { claimDeliveries, dueEndpoints } from '#platform/webhooks/delivery.js';
import { deliveryTimes, webhookLimits } from '#platform/webhooks/limits.js';
import { type PaymentOrderChanged, paymentChange } from '#schemas/messages.js';
import { eventually } from '../eventually.js';
import type { WebhookReceiver } from '../webhook-receiver.js';
import { callEndpoints, openMerchant } from './merchant-endpoint.js';
import { OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
let clockMs = 0;
const receivers: WebhookReceiver[] = [];
beforeAll(async () => {
  room = await OrdersRoom.open({ nowMs: () => Date.now() + clockMs, groups: [] });
});
afterAll(async () => {
  await room?.close();
  await Promise.all(receivers.map((one) => one.close()));
});

const call = (method: string, path: string, name: string, body: object) =>
  callEndpoints(room, { method, path, merchant: name, body });
async function merchant(name: string) {
  const opened = await openMerchant(room, name, ['payment.succeeded']);
  receivers.push(opened.receiver);
  return opened;
}

const passMs = (ms: number): void => {
  clockMs += ms;
  room.service.wakeWebhooks();
};

describe('what is stored', () => {
  const change = (seller: string, payment: string, sequence: number, kind: number): PaymentOrderChanged => ({
    eventId: `${payment}:${sequence}`,
    kind,
    paymentOrderId: payment,
    checkoutId: 'c',
    sequence,
    status: 3,
    amountMinor: 100,
    currency: 'EUR',
    sellerAccount: seller,
    caller: 'shop',
    reason: '',
    pspReference: '',
    subjectId: '',
    occurredMs: Date.now(),
  });
  const stateOf = async (id: string) =>
    (
      await room.sql.query<{ waiting: bigint; counted: bigint; due: bigint; taken: bigint }>(
        `SELECT e.waiting, count(*) FILTER (WHERE d.state = 'waiting') AS counted,
           count(*) FILTER (WHERE d.state = 'waiting' AND d.next_attempt_at < 'infinity') AS due,
           count(*) FILTER (WHERE d.leased_until IS NOT NULL) AS taken
         FROM merchant_endpoint e LEFT JOIN merchant_delivery d USING (endpoint_id)
         WHERE e.endpoint_id = $1 GROUP BY e.endpoint_id`,
        [id],
      )
    ).rows[0]!;

  it('survives the death of whoever claimed it: the lease ends, and it is delivered once more', async () => {
    const kil = await merchant('KIL');
    kil.receiver.answer = () => 'hang';
    const now = new Date(Date.now() + clockMs);
    const changes = Array.from({ length: 3 }, (_, n) =>
      change('KIL', `kil-${n}`, 2, paymentChange.succeeded),
    );
    await room.sql.query(`UPDATE merchant_endpoint SET state = 'disabled' WHERE endpoint_id = $1`, [kil.id]);
    expect(await recordEvents(room.sql, changes, now)).toBe(0);
    await room.sql.query(`UPDATE merchant_endpoint SET state = 'active' WHERE endpoint_id = $1`, [kil.id]);
    expect(await recordEvents(room.sql, changes, now)).toBe(0);
    expect(await room.count(`SELECT count(*) AS n FROM merchant_event WHERE merchant_id = 'KIL'`)).toBe(3);
    kil.receiver.answer = () => 200;
    await room.sql.query(
      `INSERT INTO merchant_delivery SELECT $1, event_no, payment_order_id, 'waiting', 1, $2, $3, $3
       FROM merchant_event WHERE merchant_id = 'KIL'`,
      [kil.id, now, new Date(now.getTime() + 600_000)],
    );
    await room.sql.query('UPDATE merchant_endpoint SET waiting = 3 WHERE endpoint_id = $1', [kil.id]);
    room.service.wakeWebhooks();
    expect((await dueEndpoints(merchantTables, room.sql, now)).map(({ id }) => id)).not.toContain(kil.id);
    expect(kil.receiver.received).toEqual([]);
    passMs(601_000);
    await eventually(() => expect(kil.receiver.received).toHaveLength(3));
    await eventually(async () =>
      expect(await stateOf(kil.id)).toMatchObject({ waiting: 0n, counted: 0n, taken: 0n }),
    );
  });

  it('is claimed once and within the bound of the endpoint by many at the same time', async () => {
    const bus = await merchant('BUS');
    await room.sql.query(`UPDATE merchant_endpoint SET url = 'http://127.0.0.1:1/' WHERE endpoint_id = $1`, [
      bus.id,
    ]);
    // Far ahead, so that the room's own dispatcher finds nothing due.
    const later = new Date(Date.now() + clockMs + 100 * 86_400_000);
    await recordEvents(
      room.sql,
      Array.from({ length: 40 }, (_, n) =>
        change('BUS', `bus-${n % 20}`, 2 + Math.floor(n / 20), paymentChange.succeeded),
      ),
      later,
    );
    expect(await stateOf(bus.id)).toMatchObject({ waiting: 40n, counted: 40n, due: 20n });
    const claims = await Promise.all(
      Array.from({ length: 8 }, () =>
        claimDeliveries(merchantTables, room.sql, bus.id, 100, { ...deliveryTimes, now: later }),
      ),
    );
    const claimed = claims.flat();
    expect(claimed).toHaveLength(webhookLimits.perEndpointMax);
    expect(new Set(claimed.map(({ eventId }) => eventId)).size).toBe(claimed.length);
    expect(new Set(claimed.map(({ subject }) => subject)).size).toBe(claimed.length);
  });

  it('has a bound: beyond it events are kept for a replay, and old ones are forgotten', async () => {
    const big = await merchant('BIG');
    await room.sql.query('UPDATE merchant_endpoint SET waiting = $2 WHERE endpoint_id = $1', [
      big.id,
      webhookLimits.waitingMax,
    ]);
    const now = new Date(Date.now() + clockMs);
    expect(await recordEvents(room.sql, [change('BIG', 'big-1', 2, paymentChange.succeeded)], now)).toBe(0);
    const full = await call('POST', `/${big.id}/replays`, 'BIG', { event_id: 'big-1:2' });
    expect(full.body.events).toBe(0);
    expect(full.body.continue_from).not.toBeNull();
    await room.sql.query('UPDATE merchant_endpoint SET waiting = 0 WHERE endpoint_id = $1', [big.id]);
    await call('POST', `/${big.id}/replays`, 'BIG', { event_id: 'big-1:2' });
    await eventually(() => expect(big.receiver.received).toHaveLength(1));
    await eventually(async () => expect((await big.shown()).waiting).toBe(0));
    big.receiver.answer = () => 500;
    expect(await recordEvents(room.sql, [change('BIG', 'big-2', 2, paymentChange.succeeded)], now)).toBe(1);
    const old = now.getTime() + deliveryTimes.keptMs + 1_000;
    while (await forgetOldEvents(merchantTables, room.sql, old, deliveryTimes.keptMs));
    const { rows } = await room.sql.query(`SELECT event_id FROM merchant_event WHERE merchant_id = 'BIG'`);
    // What waits is never forgotten.
    expect(rows).toEqual([{ event_id: 'big-2:2' }]);
  });
});
