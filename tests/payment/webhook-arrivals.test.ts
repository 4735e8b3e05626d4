import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { verifyStripeSignature } from '#payment/psp/stripe/stripe-signature.js';
import { verifyWebhook } from '#platform/webhooks/verify-webhook.js';
import type { PaymentOrder } from '#schemas/http/payments.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { OrdersRoom, webhookSecret } from './orders-fixture.js';

const compared = vi.hoisted(() => [] as number[]);
vi.mock('node:crypto', async (original) => {
  const real = await original<typeof import('node:crypto')>();
  const timingSafeEqual: typeof real.timingSafeEqual = (left, right) => {
    compared.push(left.byteLength);
    return real.timingSafeEqual(left, right);
  };
  return { ...real, timingSafeEqual };
});

/** What an order is in the end, wherever the webhook came in between. */
async function endOf(room: OrdersRoom, id: string) {
  const order = await room.settled(id);
  await eventually(async () =>
    expect(
      await room.count('SELECT count(*) AS n FROM payment_outbox WHERE key = $1 AND sent_at IS NULL', [id]),
    ).toBe(0),
  );
  const { payment_order_status, captured_amount, refunded_amount, is_final, pending, failure_code } = order;
  const view: Partial<PaymentOrder> = {
    payment_order_status,
    captured_amount,
    refunded_amount,
    is_final,
    pending,
    failure_code,
  };
  return {
    ...view,
    charges: await room.charges(id),
    transfers: await room.ledgerTransfers(id),
    successes: await room.count(
      `SELECT count(*) AS n FROM payment_outbox WHERE key = $1 AND topic = 'payment.order.lifecycle.v1' AND payload->>'kind' = '4'`,
      [id],
    ),
  };
}
const once = {
  payment_order_status: 'SUCCESS',
  captured_amount: '10.50',
  refunded_amount: '0.00',
  is_final: true,
  pending: null,
  charges: 1,
  transfers: 1,
  successes: 1,
};

const never = { askAfterMsMin: 3_600_000, askAfterMsMax: 3_600_000 };

describe('when the webhook of a charge arrives', () => {
  /** Fault points of webhooks until one of them is a crash. */
  let pointsUntilCrash = Number.POSITIVE_INFINITY;
  /** The test sends each webhook itself; one set-up queries the provider, the others do not. */
  let direct: OrdersRoom;
  let hosted: OrdersRoom;
  let asking: OrdersRoom;
  beforeAll(async () => {
    direct = await OrdersRoom.open({ style: 'direct', webhooks: false, settings: never });
    hosted = await OrdersRoom.open({
      webhooks: false,
      settings: never,
      reach: (point) => {
        if (!point.startsWith('webhook-')) return Promise.resolve();
        pointsUntilCrash -= 1;
        return pointsUntilCrash === 0 ? Promise.reject(new Error(`crash at ${point}`)) : Promise.resolve();
      },
    });
    asking = await OrdersRoom.open({ webhooks: false });
  });
  afterAll(async () => {
    await direct?.close();
    await hosted?.close();
    await asking?.close();
  });

  proves('P-068', {
    asked: 'before the reply, before the redirect, after the poll, during a crash: the same state',
    shown:
      'each of the four, and after the buyer’s return: one charge, one transfer, one event, the same order',
    settings: [
      'askAfterMs an hour where no query may come first, else 50 to 300',
      'the crash is an error before, in and after the transaction of the webhook',
    ],
    control: {
      in: 'payment/webhooks/record-webhooks.ts',
      change: 'const inserted = await insert(tx, webhooks);',
      to: 'const inserted = await insert(sql, webhooks);',
    },
  });
  it('P-068: before reply and redirect, after the poll, during a crash: the same state', async () => {
    // Before the reply to the charge: the provider has charged, and answers two seconds later.
    await direct.faults({ next: [{ operation: 'charges', fault: 'delay-after' }], delayMs: 2_000 });
    const body = direct.body([{}], { credit_card_info: { token: 'tok_captured' } });
    const early = (body['payment_orders'] as { payment_order_id: string }[])[0]!.payment_order_id;
    let replied = false;
    const reply = direct.post(body).then((response) => {
      replied = true;
      return response.status;
    });
    await eventually(async () => expect(await direct.charges(early)).toBe(1), { everyMs: 10 });
    expect((await direct.webhook('payment.captured', await direct.payment(early))).status).toBe(204);
    expect(replied).toBe(false);
    expect(await reply).toBe(201);
    const ends = [await endOf(direct, early)];

    // Before the redirect: the page is paid, the browser has not come back.
    const unreturned = await hosted.pay();
    await hosted.typeCard(unreturned);
    const paid = await hosted.payment(unreturned.payment_order_id);
    expect((await hosted.webhook('payment.captured', paid)).status).toBe(204);
    await returnOf(hosted, unreturned);
    ends.push(await endOf(hosted, unreturned.payment_order_id));

    // After the buyer has returned, on which the provider is queried.
    const returned = await asking.pay();
    await asking.typeCard(returned);
    await returnOf(asking, returned);
    await asking.settled(returned.payment_order_id);
    const known = await asking.payment(returned.payment_order_id);
    expect((await asking.webhook('payment.captured', known)).status).toBe(204);
    ends.push(await endOf(asking, returned.payment_order_id));

    // After the poll.
    const polled = await asking.pay();
    await asking.typeCard(polled);
    await asking.settled(polled.payment_order_id);
    expect(
      (await asking.webhook('payment.captured', await asking.payment(polled.payment_order_id))).status,
    ).toBe(204);
    ends.push(await endOf(asking, polled.payment_order_id));

    // During a crash, of which the provider notices that it got no answer: it sends the same again.
    const crashed = await hosted.pay();
    await hosted.typeCard(crashed);
    const data = await hosted.payment(crashed.payment_order_id);
    const id = `msg_${crashed.payment_order_id}`;
    // Before the transaction, within it, and after its commit.
    for (pointsUntilCrash of [1, 2, 3])
      expect((await hosted.webhook('payment.captured', data, { id })).status).toBeGreaterThanOrEqual(500);
    expect((await hosted.webhook('payment.captured', data, { id })).status).toBe(204);
    ends.push(await endOf(hosted, crashed.payment_order_id));

    expect(ends).toEqual(ends.map(() => expect.objectContaining(once)));
    expect(new Set(ends.map((end) => JSON.stringify(end))).size).toBe(1);
  });
});

describe('a webhook that comes two days late', () => {
  const days = 2 * 86_400_000;
  let aheadMs = 0;
  let room: OrdersRoom;
  beforeAll(async () => {
    room = await OrdersRoom.open({ webhooks: false, nowMs: () => Date.now() + aheadMs });
  });
  afterAll(() => room?.close());
  proves('F26', {
    asked: 'two days late',
    shown: 'of a payment that a query has found: nothing changes; its old signature is refused',
    from: 'outside',
  });
  it('F26: changes nothing of a payment that a query has found meanwhile', async () => {
    const order = await room.pay();
    await room.typeCard(order);
    const end = await endOf(room, order.payment_order_id);
    expect(end).toMatchObject(once);
    const old = new Date();
    aheadMs = days;
    const captured = await room.payment(order.payment_order_id);
    // Signed when it is sent, as every attempt is.
    const late = await room.webhook('payment.captured', captured, { at: new Date(Date.now() + aheadMs) });
    expect(late.status).toBe(204);
    expect((await room.webhook('payment.captured', captured, { at: old })).status).toBe(401);
    expect(await endOf(room, order.payment_order_id)).toEqual(end);
  });
});

const returnOf = async (room: OrdersRoom, { token }: PaymentOrder): Promise<void> => {
  const response = await fetch(`${room.url}/v1/payment-return?tokenID=${token}&payResult=success`);
  expect(response.status).toBe(200);
};

describe('the comparison of signatures', () => {
  const body = '{}';
  const nowMs = 1_800_000_000_000;
  const secrets = [webhookSecret, `whsec_${Buffer.alloc(24, 9).toString('base64')}`];
  const signed = (secret: string) => new Webhook(secret).sign('m', new Date(nowMs), body);
  const verify = (signature: string) =>
    verifyWebhook({ id: 'm', timestamp: String(nowMs / 1_000), signature, body }, secrets, nowMs, 300_000).ok;
  /** With another character at `index`. */
  const altered = (index: number) => {
    const good = signed(secrets[0]!);
    return `${good.slice(0, index)}${good[index] === 'A' ? 'B' : 'A'}${good.slice(index + 1)}`;
  };

  proves('P-067', {
    asked: 'signature compared in constant time',
    shown:
      'every secret is compared over the whole length by `timingSafeEqual`, whatever differs and matches',
    control: {
      in: 'platform/webhooks/verify-webhook.ts',
      change: 'return left.length === right.length &&',
      to: 'return left.equals(right) &&',
    },
  });
  it('P-067: takes the same comparisons wherever a signature differs, and if it matches', () => {
    for (const [signature, expected] of [
      [altered(3), false],
      [altered(25), false],
      [altered(46), false],
      [signed(secrets[0]!), true],
      [signed(secrets[1]!), true],
    ] as const) {
      compared.length = 0;
      expect(verify(signature)).toBe(expected);
      expect(compared).toEqual([signature.length, signature.length]);
    }
  });

  proves('P-067', {
    asked: 'signature compared in constant time',
    shown: 'the same for webhooks of Stripe, each of two given signatures with each of two secrets',
    control: {
      in: 'payment/psp/stripe/stripe-signature.ts',
      change: 'given.filter((one) => timingSafeEqual(one, expected)).length > 0',
      to: 'given.some((one) => one.equals(expected))',
    },
  });
  it('P-067: takes the same comparisons for Stripe wherever a signature differs, and if it matches', () => {
    const at = String(nowMs / 1_000);
    const of = (secret: string) => createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    const wrong = (index: number) => {
      const good = of('first');
      return `${good.slice(0, index)}${good[index] === 'a' ? 'b' : 'a'}${good.slice(index + 1)}`;
    };
    const none = '0'.repeat(64);
    for (const [given, expected] of [
      [[wrong(0), none], false],
      [[wrong(31), wrong(63)], false],
      [[of('first'), none], true],
      [[none, of('second')], true],
    ] as const) {
      compared.length = 0;
      const header = `t=${at},${given.map((one) => `v1=${one}`).join(',')}`;
      expect(verifyStripeSignature(header, body, ['first', 'second'], nowMs, 300_000).ok).toBe(expected);
      expect(compared).toEqual([32, 32, 32, 32]);
    }
  });
});
