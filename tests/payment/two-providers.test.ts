import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PinnedHttps, pinnedHttps } from '#payment/psp/pinned-https.js';
import { openProviders } from '#payment/psp/providers.js';
import { parseRoutingRules } from '#payment/psp/routing-rules.js';
import { stripePsp } from '#payment/psp/stripe/stripe-psp.js';
import { callFaults, type FaultPlan } from '#payment-simulator/faults.js';
import { type RunningSimulator, startPspSimulator } from '#payment-simulator/psp-simulator.js';
import type { RecordLine } from '#payment-simulator/record.js';
import type { PaymentOrder } from '#schemas/http/payments.js';
import { proves } from '../../tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { runs } from '../property-runs.js';
import { apiKey, OrdersRoom, webhookSecret } from './orders-fixture.js';

const rules = parseRoutingRules('EUR in DE: stripe,psp; JPY: psp; EUR in FR: psp,stripe; *: psp', [
  'psp',
  'stripe',
]);
const pspTimeoutMs = 400;

let room: OrdersRoom;
let stripe: RunningSimulator;
let https: PinnedHttps;
/** Share of calls to Stripe that never leave this machine. */
let unreachable = 0;

beforeAll(async () => {
  stripe = await startPspSimulator({ seed: 3, apiKey, webhookSecrets: [webhookSecret] });
  https = pinnedHttps({
    baseUrl: stripe.url,
    apiKey,
    pins: [stripe.pin],
    authorities: stripe.certificate,
    timeoutMs: pspTimeoutMs,
  });
  const flaky: PinnedHttps = {
    call: (...call) =>
      Math.random() < unreachable
        ? Promise.resolve({ kind: 'not-sent', reason: 'connection refused' })
        : https.call(...call),
    close: () => https.close(),
  };
  const urls = { success: 'https://shop.invalid/back', failure: 'https://shop.invalid/back' };
  room = await OrdersRoom.open({
    style: 'direct',
    pspTimeoutMs,
    providers: (own) =>
      openProviders([own, stripePsp(flaky, { webhookSecrets: [webhookSecret], urls })], { rules }),
  });
  await stripeControl('/webhooks', { stripe_url: `${room.url}/v1/psp/stripe/webhooks` });
});
afterAll(async () => {
  await room?.close();
  await stripe?.close();
});

const stripeControl = (path: string, body: object) =>
  fetch(stripe.controlUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const providerOf = async (id: string): Promise<string | null> => {
  const { rows } = await room.sql.query<{ provider: string | null }>(
    'SELECT provider FROM payment_orders WHERE payment_order_id = $1',
    [id],
  );
  return rows[0]!.provider;
};

/** How often each provider took money for an order, by its own record. */
async function charges(id: string): Promise<readonly [own: number, stripe: number]> {
  const response = await fetch(`${stripe.controlUrl}/record`);
  return [await room.charges(id), captures((await response.json()) as RecordLine[], id)];
}

function captures(lines: readonly RecordLine[], id: string): number {
  const captured = new Set<string>();
  for (const line of lines)
    if (line.kind === 'payment' && line.payment.stripe?.metadata['nonce'] === id)
      if (line.payment.status === 'captured') captured.add(line.payment.nonce);
  return captured.size;
}

const french = 'FR7630006000011234567890189';

describe('where an order goes', () => {
  it.each([
    ['EUR', {}, 'stripe'],
    ['EUR', { seller_account: french }, 'psp'],
    ['JPY', { amount: '500' }, 'psp'],
    ['USD', {}, 'psp'],
  ])('by currency and the country of the seller: %s %o goes to %s', async (currency, more, provider) => {
    const order = await room.pay({ currency, ...more }, 'tok_captured');
    await room.settled(order.payment_order_id);
    expect(await providerOf(order.payment_order_id)).toBe(provider);
    expect(await charges(order.payment_order_id)).toEqual(provider === 'psp' ? [1, 0] : [0, 1]);
  });

  it('the country of the buyer comes before that of the seller', async () => {
    const body = room.body([{}], {
      buyer_info: { name: 'Ada', address: { country: 'FR' } },
      credit_card_info: { token: 'tok_captured' },
    });
    const response = await room.post(body);
    const { payment_orders: orders } = (await response.json()) as { payment_orders: PaymentOrder[] };
    expect(await providerOf(orders[0]!.payment_order_id)).toBe('psp');
  });

  it('refunds go to the provider that has the payment', async () => {
    const order = await room.pay({}, 'tok_captured');
    await room.settled(order.payment_order_id);
    const refundId = randomUUID();
    await room.refund(order.payment_order_id, { refund_id: refundId, amount: '4.00' });
    await room.until(order.payment_order_id, ({ refunded_amount }) => refunded_amount === '4.00');
    const refunds = [...stripe.book.refunds.values()].filter(
      ({ metadata }) => metadata?.['nonce'] === refundId,
    );
    expect(refunds.map(({ amountMinor }) => amountMinor)).toEqual(['400']);
  });
});

describe('another provider', () => {
  it('takes over after a refusal before acceptance', async () => {
    await stripeControl('/faults', { next: [{ operation: 'intents', fault: 'busy' }] });
    const { payment_order_id: id } = await room.pay({}, 'tok_captured');
    await room.settled(id);
    expect([await providerOf(id), await charges(id)]).toEqual(['psp', [1, 0]]);
    const { rows } = await room.sql.query<{ reference: string }>(
      'SELECT psp_reference AS reference FROM payment_orders WHERE payment_order_id = $1',
      [id],
    );
    expect(rows[0]!.reference).toMatch(/^pay_/);
  });

  it('takes over when no byte was sent', async () => {
    unreachable = 1;
    const { payment_order_id: id } = await room.pay({}, 'tok_captured');
    unreachable = 0;
    await room.settled(id);
    expect([await providerOf(id), await charges(id)]).toEqual(['psp', [1, 0]]);
  });

  it.each(['drop-before', 'drop-after', 'delay-after', 'error-after'])(
    'does not take over after an unknown outcome: %s',
    async (fault) => {
      await stripeControl('/faults', { next: [{ operation: 'confirm', fault }], delayMs: 2 * pspTimeoutMs });
      const { payment_order_id: id } = await room.pay({}, 'tok_captured');
      await room.settled(id);
      expect([await providerOf(id), await charges(id)]).toEqual(['stripe', [0, 1]]);
    },
  );

  it('control: the database refuses to move an order that a provider has answered about', async () => {
    const { payment_order_id: id } = await room.pay({}, 'tok_captured');
    await room.settled(id);
    await expect(
      room.sql.query("UPDATE payment_orders SET provider = 'psp' WHERE payment_order_id = $1", [id]),
    ).rejects.toThrow('keeps its provider');
  });
});

it('a webhook of one provider for an order of another is refused and recorded', async () => {
  const { payment_order_id: id } = await room.pay({}, 'tok_challenge');
  expect(await providerOf(id)).toBe('stripe');
  const before = await room.get(id);
  const data = {
    nonce: id,
    reference: 'pay_foreign',
    token: 'reg_foreign',
    status: 'captured',
    amount_minor: '1050',
    captured_minor: '1050',
    currency: 'EUR',
    sequence: 99,
  };
  const webhookId = `msg_${randomUUID()}`;
  const answers = [];
  for (let copy = 0; copy < 2; copy += 1)
    answers.push((await room.webhook('payment.captured', data, { id: webhookId })).status);
  expect(answers).toEqual([409, 204]);
  const { updated_at: _, ...same } = before;
  expect(await room.get(id)).toMatchObject(same);
  const effects = await room.count(
    `SELECT count(*) AS n FROM payment_webhooks WHERE webhook_id = $1 AND effect = 'another provider'`,
    [webhookId],
  );
  expect(effects).toBe(1);
  const refund = {
    nonce: 'r',
    payment_nonce: id,
    status: 'refunded',
    amount_minor: '5',
    currency: 'EUR',
    reference: 'x',
  };
  expect((await room.webhook('refund.refunded', refund)).status).toBe(204);
  const unknown = await fetch(`${room.url}/v1/psp/nobody/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(unknown.status).toBe(404);
});

const final = (id: string): Promise<PaymentOrder> =>
  eventually(
    async () => {
      const order = await room.get(id, 'staff.sam');
      if (!order.is_final) throw new Error(`still ${JSON.stringify(order)}`);
      return order;
    },
    { deadlineMs: 25_000 },
  );

describe('both providers with faults', () => {
  const plan = fc.record(
    Object.fromEntries(callFaults.map((fault) => [fault, fc.constantFrom(0, 0, 0.05, 0.12)])),
  );
  const webhooks = fc.record({
    lost: fc.constantFrom(0, 0.5),
    doubled: fc.constantFrom(0, 0.3),
    late: fc.constantFrom(0, 0.2),
  });

  proves('P-039', {
    asked: 'one distinct nonce per order over any number of retries',
    shown: 'two providers with random faults: at most one charge of an order over both, 24 orders a run',
    settings: [
      'time-out of calls 400 ms for 5 s',
      'firstMs 20',
      'capMs 200',
      'no jitter',
      'askAfterMs 50 to 300',
    ],
    control: {
      in: 'payment/executor/execute-order.ts',
      change: "answer.kind === 'refused' && providerCodes.has(answer.code)",
      to: "answer.kind === 'unknown' || answer.kind === 'refused'",
    },
  });
  it('P-039: an order is charged at most once over both, by their own records', async () => {
    await fc.assert(
      fc.asyncProperty(plan, plan, webhooks, fc.constantFrom(0, 0.3), async (a, b, hooks, lost) => {
        const common = { webhooks: hooks, delayMs: 2 * pspTimeoutMs, retryAfterS: 0 };
        await room.faults({ ...common, calls: a } as Partial<FaultPlan>);
        await stripeControl('/faults', { ...common, calls: b });
        unreachable = lost;
        const orders = await Promise.all(
          Array.from({ length: 24 }, (_, at) =>
            room.pay(
              { seller_account: at % 2 === 0 ? french : 'DE89370400440532013000' },
              'tok_captured',
              `customer.buyer-${at}`,
            ),
          ),
        );
        unreachable = 0;
        await room.faults({});
        await stripeControl('/faults', {});
        for (const { payment_order_id: id } of orders) {
          const ended = await final(id);
          const [own, other] = await charges(id);
          expect(own + other).toBe(ended.payment_order_status === 'SUCCESS' ? 1 : 0);
          if (own + other === 1) expect(await providerOf(id)).toBe(own === 1 ? 'psp' : 'stripe');
        }
      }),
      { numRuns: runs(5), seed: 11, endOnFailure: true },
    );
  });
});
