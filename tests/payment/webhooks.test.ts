import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveOrder } from '#payment/executor/resolve-order.js';
import { openProviders } from '#payment/psp/providers.js';
import { readStandardWebhook } from '#payment/psp/standard-webhook.js';
import { stripePsp } from '#payment/psp/stripe/stripe-psp.js';
import { proveMoney } from '#payment/reconciliation/prove-money.js';
import { verifyWebhook } from '#platform/webhooks/verify-webhook.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { OrdersRoom, webhookSecret } from './orders-fixture.js';

let room: OrdersRoom;
/** Those of the endpoint of our own provider; a test rotates them. */
let secrets: readonly string[] = [webhookSecret];
beforeAll(async () => {
  const urls = { success: 'https://shop.invalid/back', failure: 'https://shop.invalid/back' };
  const unused = { call: () => Promise.reject(new Error('not asked')), close: () => {} };
  // The provider's own webhooks and our queries are off: the tests determine what arrives, and when.
  room = await OrdersRoom.open({
    webhooks: false,
    settings: { askAfterMsMin: 3_600_000, askAfterMsMax: 3_600_000 },
    // The second provider only has an endpoint.
    providers: (own) =>
      openProviders([
        {
          ...own,
          webhook: async (request, nowMs, toleranceMs) =>
            readStandardWebhook(request, secrets, nowMs, toleranceMs),
        },
        stripePsp(unused, { webhookSecrets: [webhookSecret], urls }),
      ]),
  });
});
afterAll(() => room?.close());

const state = async (id: string) => {
  const { rows } = await room.sql.query(
    'SELECT payment_order_status, version, captured_minor FROM payment_orders WHERE payment_order_id = $1',
    [id],
  );
  return rows[0];
};
const recorded = (id: string) =>
  room.count('SELECT count(*) AS n FROM payment_webhooks WHERE payment_order_id = $1', [id]);

describe('valid webhooks', () => {
  proves('P-065', {
    asked: 'recorded once; sent ten times, concurrently: one effect, ten 2xx',
    shown: 'ten 204 and one later: one record, one success, one event, one transfer, one charge',
    settings: ['the provider sends no webhooks, and is queried after an hour: the test sends them'],
    control: {
      in: 'payment/schema/messages.ts',
      change: 'webhook_id text PRIMARY KEY CHECK',
      to: 'webhook_id text CHECK',
    },
  });
  it('P-065: ten concurrent copies have one effect and ten answers', async () => {
    const order = await room.pay();
    const id = order.payment_order_id;
    await room.typeCard(order);
    const data = await room.payment(id);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => room.webhook('payment.captured', data, { id: `msg_${id}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 204));
    await room.settled(id);
    expect((await room.webhook('payment.captured', data, { id: `msg_${id}` })).status).toBe(204);
    expect(await recorded(id)).toBe(1);
    expect([await room.charges(id), await room.ledgerTransfers(id)]).toEqual([1, 1]);
    expect(
      await room.count(
        `SELECT count(*) AS n FROM payment_order_history WHERE payment_order_id = $1 AND to_status = 'SUCCESS'`,
        [id],
      ),
    ).toBe(1);
    expect(
      await room.count(
        `SELECT count(*) AS n FROM payment_outbox WHERE key = $1 AND payload->>'kind' = '4' AND topic = 'payment.order.lifecycle.v1'`,
        [id],
      ),
    ).toBe(1);
  });

  proves('P-066', {
    asked: 'failed and processing after success: the final state is right',
    shown: 'processing and declined after captured, with older and newer numbers: SUCCESS, one transfer',
    settings: ['the provider sends no webhooks, and is queried after an hour: the test sends them'],
    control: {
      in: 'payment/orders/apply-payment.ts',
      change: "  if (order.isFinal) return [{ set: reported, cause: 'news_after_end' }];\n",
      to: '',
    },
  });
  proves('F26', {
    asked: 'ten copies, reversed, before the answer, 2 days late, never',
    shown:
      'failed and processing after success; copies, never: P-065, P-069; two days late in webhook-arrivals',
    control: {
      in: 'payment/orders/apply-payment.ts',
      change: "  if (order.isFinal) return [{ set: reported, cause: 'news_after_end' }];\n",
      to: '',
    },
    from: 'outside',
  });
  it('P-066, F26: events in any order end in the same state', async () => {
    const order = await room.pay();
    const id = order.payment_order_id;
    const registered = await room.payment(id);
    await room.typeCard(order);
    const captured = await room.payment(id);
    await room.webhook('payment.captured', captured);
    const after = await state(id);
    const processing = { ...registered, status: 'processing' };
    await room.webhook('payment.processing', processing);
    await room.webhook('payment.declined', { ...registered, status: 'declined', code: 'card_declined' });
    // Their numbers say that they are later; the payment is over anyway.
    for (const [status, sequence] of [
      ['processing', 98],
      ['declined', 99],
    ] as const)
      expect(
        (await room.webhook(`payment.${status}`, { ...registered, status, sequence })).status,
      ).toBeLessThan(300);
    expect(await state(id)).toMatchObject({ payment_order_status: 'SUCCESS', captured_minor: 1050n });
    expect(after).toMatchObject({ payment_order_status: 'SUCCESS' });
    await room.settled(id);
    expect(await room.ledgerTransfers(id)).toBe(1);
    // While the payment is open, the number decides.
    const open = await room.pay();
    const seen = await room.payment(open.payment_order_id);
    await room.webhook('payment.processing', { ...seen, status: 'processing', sequence: 5 });
    await room.webhook('payment.registered', { ...seen, sequence: 4 });
    expect(await room.get(open.payment_order_id)).toMatchObject({ pending: 'processing' });
  });

  proves('P-066', {
    asked: 'refund before capture: the final state is right',
    shown: 'an unknown refund before the capture, ours before its webhook, after a query: each counted once',
    settings: [
      'the provider sends no webhooks, and is queried after an hour: the test sends them',
      'the clock of that query two hours ahead; calls to the provider dropped while the refund is asked for',
    ],
    control: {
      in: 'payment/executor/execute-refund.ts',
      change: 'const set = { refundedMinor: order.refundedMinor + amountMinor };',
      to: 'const set = { refundedMinor: order.refundedMinor };',
    },
  });
  it('P-066: a refund that comes before the capture of its payment ends in the same state', async () => {
    const order = await room.pay();
    const id = order.payment_order_id;
    await room.typeCard(order);
    const captured = await room.payment(id);
    const refund = (nonce: string, webhookId: string) =>
      room.webhook(
        'refund.refunded',
        {
          ...{ nonce, payment_nonce: id, status: 'refunded', amount_minor: '400', currency: 'EUR' },
          reference: 're_1',
        },
        { id: webhookId },
      );
    // Of nothing that we asked for, while the order is open: it must not end the order.
    expect((await refund(randomUUID(), `msg_early_${id}`)).status).toBe(204);
    expect(await room.get(id)).toMatchObject({
      ...{ payment_order_status: 'EXECUTING', captured_amount: '0.00', refunded_amount: '0.00' },
    });
    // A query, which is due in an hour, finds the capture; its webhook is still on its way.
    await resolveOrder({ ...room.service.webhooks, nowMs: () => Date.now() + 2 * 3_600_000 }, id);
    await room.settled(id);
    await room.faults({ calls: { 'drop-before': 1 } });
    const refundId = randomUUID();
    expect((await room.refund(id, { refund_id: refundId, amount: '4.00' })).status).toBe(202);
    const status = async () => (await room.get(id)).refunds[0]?.refund_status;
    await eventually(async () => expect(await status()).toBe('EXECUTING'));
    expect((await refund(refundId, `msg_refund_${id}`)).status).toBe(204);
    expect((await room.webhook('payment.captured', captured)).status).toBe(204);
    expect((await room.webhook('payment.captured', { ...captured, sequence: 99 })).status).toBe(204);
    expect((await refund(refundId, `msg_again_${id}`)).status).toBe(204);
    await room.faults({});
    expect(await room.get(id)).toMatchObject({
      ...{ payment_order_status: 'SUCCESS', is_final: true },
      ...{ captured_amount: '10.50', refunded_amount: '4.00' },
      refunds: [{ refund_id: refundId, refund_status: 'SUCCESS' }],
    });
    for (const operation of ['capture', `refund:${refundId}`])
      await eventually(async () => expect(await room.ledgerTransfers(id, operation)).toBe(1));
  });

  proves('P-070', {
    asked: 'FAILED after expiry; late money refunded or re-accepted',
    shown: 'expired, then captured: booked and refunded; rooms and re-acceptance in booking/booking.test.ts',
    settings: ['the provider sends no webhooks, and is queried after an hour: the test sends them'],
    control: {
      in: 'payment/orders/apply-payment.ts',
      change: "if (changes[step]!.event?.kind === 'capturedLate') await",
      to: "if (changes[step]!.event?.kind === 'capturedLate' && order.failureCode !== 'expired') await",
    },
  });
  it('P-070: money that arrives after the expiry is booked and refunded; the order fails', async () => {
    const order = await room.pay();
    const id = order.payment_order_id;
    const registered = await room.payment(id);
    await room.webhook('payment.expired', { ...registered, status: 'expired', sequence: 2 });
    expect(await room.get(id)).toMatchObject({
      payment_order_status: 'FAILED',
      failure_code: 'expired',
      is_final: true,
    });
    await room.control('POST', '/payments', { nonce: id, status: 'expired' });
    await room.control('POST', '/payments', { nonce: id, status: 'captured' });
    await room.webhook('payment.captured', await room.payment(id));
    const back = await room.until(id, ({ refunded_amount }) => refunded_amount === '10.50');
    expect(back).toMatchObject({ payment_order_status: 'FAILED', captured_amount: '10.50' });
    await eventually(async () => expect(await room.ledgerTransfers(id)).toBe(1));
    await eventually(async () =>
      expect((await room.get(id)).refunds[0]).toMatchObject({ refund_status: 'SUCCESS' }),
    );
  });

  it('P-124: an amount that differs from ours fails the order and is refunded', async () => {
    const order = await room.pay();
    const id = order.payment_order_id;
    await room.control('POST', '/payments', { nonce: id, status: 'captured', amount_minor: '999' });
    await room.webhook('payment.captured', await room.payment(id));
    const back = await room.until(id, ({ refunded_amount }) => refunded_amount === '9.99');
    expect(back).toMatchObject({ payment_order_status: 'FAILED', failure_code: 'amount_differs' });
    // The same again adds nothing.
    await room.webhook('payment.captured', { ...(await room.payment(id)), sequence: 99 });
    const { rows } = await room.sql.query(
      'SELECT kind, class, psp_minor, our_minor, state FROM reconciliation_finding WHERE payment_order_id = $1',
      [id],
    );
    expect(rows).toEqual([
      { kind: 'capture_differs', class: 2, psp_minor: 999n, our_minor: 1_050n, state: 'open' },
    ]);
  });

  it.each(['0', '1'.padEnd(16, '0')])(
    'P-066: a capture of %s minor units proves nothing, and the correct event after it counts',
    async (minor) => {
      const order = await room.pay();
      const id = order.payment_order_id;
      await room.typeCard(order);
      const data = await room.payment(id);
      const answer = await room.webhook('payment.captured', {
        ...data,
        status: 'captured',
        captured_minor: minor,
        sequence: 99,
      });
      expect(answer.status).toBe(204);
      await room.webhook('payment.captured', data);
      expect(await room.settled(id)).toMatchObject({ captured_amount: '10.50' });
    },
  );

  it('P-009: disputes are opened, won and lost with their entries, even if the end is first', async () => {
    const order = await room.pay();
    const id = order.payment_order_id;
    await room.typeCard(order);
    await room.webhook('payment.captured', await room.payment(id));
    await room.settled(id);
    const dispute = (disputeId: string, amount_minor: string) => ({
      dispute_id: disputeId,
      payment_nonce: id,
      amount_minor,
      currency: 'EUR',
      reference: 'x',
    });
    // An amount that the bank has taken back is not refunded as well, unless it is returned.
    const refunded = async (amount: string) =>
      ((await room.refund(id, { refund_id: randomUUID(), amount })).body as { detail?: string }).detail;
    await room.webhook('dispute.opened', dispute('d1', '500'));
    expect(await refunded('5.51')).toBe('5.50 can still be refunded.');
    await room.webhook('dispute.won', dispute('d1', '500'));
    expect(await refunded('10.51')).toBe('10.50 can still be refunded.');
    await room.webhook('dispute.lost', dispute('d2', '300'));
    await room.webhook('dispute.opened', dispute('d2', '300'));
    await room.webhook('dispute.lost', dispute('d1', '500'));
    expect(await refunded('7.51')).toBe('7.50 can still be refunded.');
    expect(
      (await room.get(id)).disputes.map(({ dispute_id, dispute_status }) => [dispute_id, dispute_status]),
    ).toEqual([
      ['d1', 'WON'],
      ['d2', 'LOST'],
    ]);
    for (const operation of ['dispute:d1:opened', 'dispute:d1:won', 'dispute:d2:opened', 'dispute:d2:lost'])
      await eventually(async () => expect(await room.ledgerTransfers(id, operation)).toBe(1));
    expect(await room.ledgerTransfers(id, 'dispute:d1:lost')).toBe(0);
    // The proof requires them too: a dispute without a ledger entry is not proven.
    await eventually(async () => expect(await proveMoney(room.sql)).toMatchObject({ unproven: 0n }));
    await room.sql.query(`INSERT INTO payment_disputes VALUES ('d3', $1, 40, 'EUR', 'LOST', now(), now())`, [
      id,
    ]);
    expect(await proveMoney(room.sql)).toMatchObject({ unproven: 2n });
    await room.sql.query(`DELETE FROM payment_disputes WHERE dispute_id = 'd3'`);
  });

  it('P-066, P-126: a dispute before its charge is retried, and ends with its first amount', async () => {
    const order = await room.pay();
    const id = order.payment_order_id;
    const dispute = (amount_minor: string) => ({
      dispute_id: `early-${id.slice(0, 8)}`,
      payment_nonce: id,
      amount_minor,
      currency: 'EUR',
      reference: 'x',
    });
    const opened = () => room.webhook('dispute.opened', dispute('500'), { id: `msg_${id}` });
    const early = await opened();
    expect(early.status).toBe(503);
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await room.get(id)).disputes).toEqual([]);
    await room.typeCard(order);
    await room.webhook('payment.captured', await room.payment(id));
    await room.settled(id);
    expect((await opened()).status).toBe(204);
    await room.webhook('dispute.lost', dispute('300'));
    const { dispute_id: disputeId } = dispute('0');
    for (const end of ['opened', 'lost'])
      await eventually(async () =>
        expect(
          await room.count(
            `SELECT coalesce(sum(amount), 0)::bigint AS n FROM ledger_transfer WHERE subject = '${id}' AND operation = 'dispute:${disputeId}:${end}'`,
          ),
        ).toBe(500),
      );
  });
});

describe('invalid webhooks', () => {
  proves('P-067', {
    asked: 'forged, unsigned, old, of another endpoint, altered: 4xx, no effect; constant time; two secrets',
    shown: 'seven kinds, two other endpoints: 4xx, no effect; rotation below; comparison in webhook-arrivals',
    settings: ['the provider sends no webhooks, and is queried after an hour: the test sends them'],
    control: {
      in: 'platform/webhooks/verify-webhook.ts',
      change: "  if (nowMs - at.getTime() > toleranceMs) return { ok: false, reason: 'too old' };\n",
      to: '',
    },
  });
  proves('F27', {
    asked: 'wrong secret, old, future, one byte, serialised again, missing, two secrets; 1,000,000 forgeries',
    shown: 'all kinds; 2,000 guesses in the test below',
    scaled: '1 : 500 guesses',
    control: {
      in: 'platform/webhooks/verify-webhook.ts',
      change: "  if (nowMs - at.getTime() > toleranceMs) return { ok: false, reason: 'too old' };\n",
      to: '',
    },
    from: 'outside',
  });
  it('P-067, F27: forged, unsigned, old, future, altered: refused, and nothing changes', async () => {
    const order = await room.pay();
    const id = order.payment_order_id;
    await room.typeCard(order);
    const data = await room.payment(id);
    const before = await state(id);
    const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
    const at = (s: number) => new Date(Date.now() + s * 1_000);
    const answers = [
      await room.webhook('payment.captured', data, { secret: other }),
      await room.webhook('payment.captured', data, { at: at(-302) }),
      await room.webhook('payment.captured', data, { at: at(302) }),
      await room.webhook('payment.captured', data, { tamper: (body) => body.replace('1050', '1051') }),
      await room.webhook('payment.captured', data, { tamper: (body) => `${body} ` }),
      await room.webhook('payment.captured', data, {
        tamper: (body) => JSON.stringify(JSON.parse(body), null, 1),
      }),
      await fetch(`${room.url}/v1/psp/webhooks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'payment.captured', data }),
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    const elsewhere = async (provider: string) =>
      (await room.webhook('payment.captured', data, { path: `/v1/psp/${provider}/webhooks` })).status;
    // That of another provider, which knows the same secret, and that of none.
    expect([await elsewhere('stripe'), await elsewhere('nobody')]).toEqual([401, 404]);
    expect(await state(id)).toEqual(before);
    expect(await recorded(id)).toBe(0);
  });

  it('P-038, P-068: signed events of unknown payments, or in unknown form, change nothing', async () => {
    const orders = () => room.count('SELECT count(*) AS n FROM payment_orders');
    const before = await orders();
    const order = await room.pay();
    const data = await room.payment(order.payment_order_id);
    expect((await room.webhook('payment.captured', { ...data, nonce: randomUUID() })).status).toBe(204);
    expect((await room.webhook('payment.captured', { ...data, status: 'rich' })).status).toBe(204);
    expect((await room.webhook('NOT A TYPE', data)).status).toBe(400);
    expect(await orders()).toBe(before + 1);
    expect(await state(order.payment_order_id)).toMatchObject({ payment_order_status: 'EXECUTING' });
  });

  it('F27: none of two thousand guesses is accepted', () => {
    const body = '{}';
    const nowMs = Date.now();
    const timestamp = String(Math.floor(nowMs / 1_000));
    const good = new Webhook(webhookSecret).sign('m', new Date(nowMs), body);
    const verify = (signature: string) =>
      verifyWebhook({ id: 'm', timestamp, signature, body }, [webhookSecret], nowMs, 300_000).ok;
    expect(verify(good)).toBe(true);
    let accepted = 0;
    const bytes = Buffer.from(good.slice(3), 'base64');
    for (let guess = 0; guess < 2_000; guess += 1) {
      const altered = Buffer.from(bytes);
      altered[guess % 32]! ^= 1 + (guess % 255);
      if (verify(`v1,${altered.toString('base64')}`)) accepted += 1;
    }
    expect(accepted).toBe(0);
  });

  proves('P-067', {
    asked: 'secret rotation accepts both secrets in the overlap',
    shown: 'the endpoint takes webhooks of both secrets, then only those of the new one',
    control: {
      in: 'platform/webhooks/verify-webhook.ts',
      change: 'const matches = secrets.filter(',
      to: 'const matches = secrets.slice(0, 1).filter(',
    },
  });
  it('P-067: the endpoint takes both secrets while they rotate, then only the new one', async () => {
    const next = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
    const order = await room.pay();
    await room.typeCard(order);
    const id = order.payment_order_id;
    const data = await room.payment(id);
    const send = async (secret: string, type = 'payment.captured') =>
      (await room.webhook(type, data, { secret })).status;
    try {
      secrets = [next, webhookSecret];
      expect([await send(webhookSecret), await send(next)]).toEqual([204, 204]);
      secrets = [next];
      expect([await send(webhookSecret), await send(next)]).toEqual([401, 204]);
    } finally {
      secrets = [webhookSecret];
    }
    expect(await recorded(id)).toBe(3);
    expect(await room.settled(id)).toMatchObject({ captured_amount: '10.50' });
  });

  it('P-067: while secrets rotate both are accepted, afterwards only the new one', () => {
    const [old, next] = [webhookSecret, `whsec_${Buffer.alloc(24, 9).toString('base64')}`];
    const nowMs = 1_800_000_000_000;
    const body = '{"a":1}';
    const signed = (secret: string) => new Webhook(secret).sign('m', new Date(nowMs), body);
    const verify = (signature: string, secrets: readonly string[]) =>
      verifyWebhook({ id: 'm', timestamp: String(nowMs / 1_000), signature, body }, secrets, nowMs, 300_000)
        .ok;
    expect(verify(signed(old), [next, old])).toBe(true);
    expect(verify(signed(next), [next, old])).toBe(true);
    expect(verify(`${signed(old)} ${signed(next)}`, [next])).toBe(true);
    expect(verify(signed(old), [next])).toBe(false);
  });
});
