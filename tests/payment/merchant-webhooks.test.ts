import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliveryTimes, webhookLimits } from '#platform/webhooks/limits.js';
import { merchantEventTypes } from '#schemas/http/merchant-webhooks.js';
import { eventually } from '../eventually.js';
import type { WebhookReceiver } from '../webhook-receiver.js';
import { callEndpoints, openMerchant } from './merchant-endpoint.js';
import { OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
let clockMs = 0;
const receivers: WebhookReceiver[] = [];
beforeAll(async () => {
  room = await OrdersRoom.open({ style: 'direct', nowMs: () => Date.now() + clockMs });
});
afterAll(async () => {
  await room?.close();
  await Promise.all(receivers.map((one) => one.close()));
});

const call = (method: string, path: string, name: string, body?: object) =>
  callEndpoints(room, { method, path, merchant: name, ...(body === undefined ? {} : { body }) });
async function merchant(name: string, types: readonly string[] = merchantEventTypes) {
  const opened = await openMerchant(room, name, types);
  receivers.push(opened.receiver);
  return opened;
}

const pay = async (seller: string, card = 'tok_captured'): Promise<string> =>
  (await room.pay({ seller_account: seller }, card)).payment_order_id;

/** Retries wait 5 s and more by the clock of the room. */
const passMs = (ms: number): void => {
  clockMs += ms;
  room.service.wakeWebhooks();
};

describe('a merchant with an endpoint', () => {
  it('is told of a payment and its refund, signed, in their order, and of nothing else', async () => {
    const ann = await merchant('ANN', [
      'payment.succeeded',
      'payment.settled',
      'refund.succeeded',
      'payment.failed',
    ]);
    const other = await merchant('OTHER');
    const id = await pay('ANN');
    await room.settled(id);
    const refund_id = randomUUID();
    await room.refund(id, { refund_id, amount: '0.50' });
    const declined = await pay('ANN', 'tok_declined');
    await eventually(() => {
      expect(ann.receiver.typesOf(id)).toEqual(['payment.succeeded', 'payment.settled', 'refund.succeeded']);
      expect(ann.receiver.typesOf(declined)).toEqual(['payment.failed']);
    });
    const refund = ann.receiver.received.find(({ type }) => type === 'refund.succeeded')!;
    expect(refund.data).toMatchObject({
      payment_order_id: id,
      refund_id,
      amount: '0.50',
      currency: 'EUR',
      seller_account: 'ANN',
    });
    // As a word: the digits of an id may spell it.
    expect(refund.text).not.toMatch(/\bada\b/);
    expect(other.receiver.received).toEqual([]);
    await eventually(async () => expect(await ann.shown()).toMatchObject({ waiting: 0, state: 'active' }));
    // The secret was shown once.
    expect((await call('GET', '', 'ANN')).text).not.toContain('whsec_');
    const { attempts } = (await call('GET', `/${ann.id}/attempts`, 'ANN')).body;
    expect(attempts).toHaveLength(4);
    expect(attempts[0]).toMatchObject({ status: 200, failure: null, answer: 'ok' });
  });

  it('rotates its secret: both sign, and the previous one ends after a day', async () => {
    const rot = await merchant('ROT', ['payment.succeeded']);
    const old = rot.receiver.secret;
    const { secret } = (await call('POST', `/${rot.id}/secret`, 'ROT')).body;
    const verified = (index: number, by: string): boolean => {
      const { text, id, signature, timestamp } = rot.receiver.received[index]!;
      try {
        new Webhook(by).verify(text, {
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': signature,
        });
        return true;
      } catch {
        return false;
      }
    };
    await pay('ROT');
    await eventually(() => expect(rot.receiver.received).toHaveLength(1));
    expect([verified(0, old), verified(0, secret), verified(0, `whsec_${'A'.repeat(43)}=`)]).toEqual([
      true,
      true,
      false,
    ]);
    await room.sql.query('UPDATE merchant_endpoint SET old_secret_until = now() WHERE endpoint_id = $1', [
      rot.id,
    ]);
    rot.receiver.secret = secret;
    await pay('ROT');
    await eventually(() => expect(rot.receiver.received).toHaveLength(2));
    expect([verified(1, old), verified(1, secret)]).toEqual([false, true]);
  });

  it('gets a failed event again, the later ones of the payment after it, others meanwhile', async () => {
    const fay = await merchant('FAY', ['payment.succeeded', 'payment.settled']);
    const first = await pay('FAY');
    let failures = 2;
    fay.receiver.answer = ({ data }) => (data['payment_order_id'] === first && failures-- > 0 ? 500 : 200);
    await room.settled(first);
    await eventually(() => expect(fay.receiver.typesOf(first).length).toBeGreaterThan(0));
    const second = await pay('FAY');
    await eventually(() =>
      expect(fay.receiver.typesOf(second)).toEqual(['payment.succeeded', 'payment.settled']),
    );
    await eventually(
      () => {
        passMs(6_000);
        expect(fay.receiver.typesOf(first).at(-1)).toBe('payment.settled');
      },
      { deadlineMs: 20_000 },
    );
    const types = fay.receiver.typesOf(first);
    expect(types.filter((type) => type === 'payment.settled')).toHaveLength(1);
    expect(types.at(-2)).toBe('payment.succeeded');
  });

  it('does not wait for an endpoint of another merchant that never answers', async () => {
    const dead = await merchant('DEAD', ['payment.succeeded']);
    dead.receiver.answer = () => 'hang';
    const live = await merchant('LIVE', ['payment.succeeded']);
    const payments = await Promise.all(
      Array.from({ length: 24 }, (_, index) => pay(index % 2 === 0 ? 'DEAD' : 'LIVE')),
    );
    expect(payments).toHaveLength(24);
    const began = performance.now();
    await eventually(() => expect(live.receiver.received).toHaveLength(12));
    // All arrive while the first deliveries to the other one still hang.
    await eventually(() => expect(dead.receiver.open).toBe(webhookLimits.perEndpointMax));
    expect(performance.now() - began).toBeLessThan(deliveryTimes.timeoutMs);
    expect(dead.receiver.openMost).toBe(webhookLimits.perEndpointMax);
    dead.receiver.answer = () => 200;
    await dead.receiver.close();
    await eventually(async () => expect(await dead.shown()).toMatchObject({ state: 'active', waiting: 12 }));
    const slow = 'SELECT count(*) AS n FROM merchant_endpoint WHERE endpoint_id = $1 AND is_slow';
    await eventually(async () => expect(await room.count(slow, [dead.id])).toBe(1));
  });

  it('is disabled after three days of failures, and gets what waited when it is active again', async () => {
    const out = await merchant('OUT', ['payment.succeeded', 'payment.settled']);
    out.receiver.answer = () => 503;
    const id = await pay('OUT');
    await room.settled(id);
    await eventually(
      async () => {
        passMs(9 * 3_600_000);
        expect(await out.shown()).toMatchObject({
          state: 'disabled',
          disabled_reason: 'no delivery succeeded in 72 hours',
        });
      },
      // More often, a busy machine would be weeks ahead before it has tried, and events would be forgotten.
      { deadlineMs: 30_000, everyMs: 300 },
    );
    expect(out.receiver.typesOf(id).every((type) => type === 'payment.succeeded')).toBe(true);
    passMs(9 * 3_600_000);
    await eventually(async () => expect((await out.shown()).waiting).toBe(1));
    const tried = out.receiver.received.length;
    expect(tried).toBeGreaterThan(1);
    out.receiver.answer = () => 200;
    const settings = {
      url: out.receiver.url,
      event_types: ['payment.succeeded', 'payment.settled'],
      state: 'active',
    };
    expect((await call('PUT', `/${out.id}`, 'OUT', settings)).status).toBe(200);
    await eventually(() => expect(out.receiver.typesOf(id).at(-1)).toBe('payment.settled'));
    expect(out.receiver.received).toHaveLength(tried + 1);
    // What was given up is sent again on request.
    const [{ event_id: lost }] = (
      await call('GET', `/${out.id}/attempts?limit=200`, 'OUT')
    ).body.attempts.toReversed();
    expect((await call('POST', `/${out.id}/replays`, 'OUT', { event_id: lost })).body.events).toBe(1);
    await eventually(() => expect(out.receiver.received.at(-1)!.type).toBe('payment.succeeded'));
  });

  it('is disabled at once by 410, and no answer is kept beyond its bound or with a card number', async () => {
    const gone = await merchant('GONE', ['payment.succeeded', 'payment.settled']);
    gone.receiver.text = 'x'.repeat(100_000);
    await pay('GONE');
    const answers = async (): Promise<string[]> =>
      (await call('GET', `/${gone.id}/attempts`, 'GONE')).body.attempts.map(
        ({ answer }: { answer: string }) => answer,
      );
    await eventually(async () => expect(await answers()).toHaveLength(2));
    expect((await answers())[0]).toBe('x'.repeat(webhookLimits.answerKeptMax));
    gone.receiver.text = 'card 4242 4242 4242 4242';
    gone.receiver.answer = () => 410;
    await pay('GONE');
    await eventually(async () => expect((await gone.shown()).disabled_reason).toBe('it answered 410'));
    expect((await answers())[0]).toBe('');
  });

  it('replays a time, in order for each payment and without doubling what waits', async () => {
    const rep = await merchant('REP', ['payment.succeeded', 'payment.settled']);
    const ids = [await pay('REP'), await pay('REP')];
    await eventually(() => expect(rep.receiver.received).toHaveLength(4));
    await eventually(async () => expect((await rep.shown()).waiting).toBe(0));
    const hourMs = 3_600_000;
    const window = {
      from: new Date(Date.now() + clockMs - hourMs).toISOString(),
      to: new Date(Date.now() + clockMs + hourMs).toISOString(),
    };
    const replayed = await call('POST', `/${rep.id}/replays`, 'REP', window);
    expect([replayed.status, replayed.body]).toEqual([202, { events: 4, continue_from: null }]);
    await eventually(() => expect(rep.receiver.received).toHaveLength(8));
    for (const id of ids)
      expect(rep.receiver.typesOf(id).slice(2)).toEqual(['payment.succeeded', 'payment.settled']);
    for (const body of [{}, { event_id: 'x', ...window }, { from: window.to, to: window.from }])
      expect((await call('POST', `/${rep.id}/replays`, 'REP', body)).status).toBe(400);
    expect((await call('POST', `/${rep.id}/replays`, 'REP', { event_id: 'none' })).status).toBe(404);
  });

  it('reaches no endpoint and no event of another merchant', async () => {
    const own = await merchant('OWN', ['payment.succeeded']);
    const id = await pay('OWN');
    await eventually(() => expect(own.receiver.received).toHaveLength(1));
    const eve = await merchant('EVE', ['payment.succeeded']);
    const settings = { url: own.receiver.url, event_types: ['payment.failed'], state: 'disabled' };
    for (const [method, path, body] of [
      ['PUT', `/${own.id}`, settings],
      ['DELETE', `/${own.id}`],
      ['POST', `/${own.id}/secret`],
      ['GET', `/${own.id}/attempts`],
      ['POST', `/${own.id}/replays`, { event_id: own.receiver.received[0]!.id }],
      ['POST', `/${eve.id}/replays`, { event_id: own.receiver.received[0]!.id }],
    ] as const)
      expect([method, path, (await call(method, path, 'EVE', body)).status]).toEqual([method, path, 404]);
    expect(eve.receiver.typesOf(id)).toEqual([]);
    expect(
      (await call('POST', '', 'OWN', { url: own.receiver.url, event_types: ['payment.failed'] })).status,
    ).toBe(409);
    expect((await call('DELETE', `/${own.id}`, 'OWN')).status).toBe(204);
    expect((await call('GET', `/${own.id}/attempts`, 'OWN')).status).toBe(404);
  });

  it('has at most 16 endpoints, however many are requested at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        call('POST', '', 'MANY', { url: `http://127.0.0.1:9/${index}`, event_types: ['payment.failed'] }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(16);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(8);
  });
});
