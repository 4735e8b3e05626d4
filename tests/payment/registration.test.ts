import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openProviders } from '#payment/psp/providers.js';
import type { Psp } from '#payment/psp/psp.js';
import { paymentDefaults } from '#payment/settings/settings.js';
import type { PaymentEvent } from '#schemas/http/payments.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { OrdersRoom } from './orders-fixture.js';

/** As in production, like the time for which a buyer waits. */
const pspTimeoutMs = paymentDefaults.provider.timeoutMs;
let room: OrdersRoom;
/** Of each registration that was requested, its nonce: the provider records a repeated one once. */
const requested: string[] = [];
/** Sends the last of them once more. */
let again: () => ReturnType<Psp['begin']>;
beforeAll(async () => {
  room = await OrdersRoom.open({
    pspTimeoutMs,
    settings: { answerWaitMs: paymentDefaults.answerWaitMs },
    providers: (own) =>
      openProviders([
        {
          ...own,
          begin: (order, keep) => {
            requested.push(order.nonce);
            again = () => own.begin(order, keep);
            return own.begin(order, keep);
          },
        },
      ]),
  });
});
afterAll(() => room?.close());
beforeEach(() => room.faults({}));

/** What the provider has registered for the order. */
const registered = async (id: string) =>
  (await room.record()).flatMap((line) =>
    line.kind === 'payment' && line.cause === 'registration' && line.payment.nonce === id
      ? [line.payment]
      : [],
  );
const storedToken = async (id: string) => {
  const { rows } = await room.sql.query<{ token: string | null; page: string | null }>(
    'SELECT psp_token AS token, psp_page_url AS page FROM payment_orders WHERE payment_order_id = $1',
    [id],
  );
  return rows[0]!;
};

proves('P-062', {
  asked: 'a registration times out: retried with the same UUID, the same token, one registration',
  shown: 'one is lost, one answered after 5.5 s, a copy comes later: one UUID, one token, one registration',
  control: {
    in: 'payment/psp/https-psp.ts',
    change: "https.call('POST', '/v1/registrations', {\n    ...money(order),",
    to: `https.call('POST', '/v1/registrations', {
    ...money({ ...order, nonce: \`\${order.nonce.slice(0, 35)}\${order.attempt}\` }),`,
  },
});
it('P-062: a registration that times out is repeated with the same UUID, and is one', async () => {
  await room.faults({
    next: [
      { operation: 'registrations', fault: 'drop-before' },
      { operation: 'registrations', fault: 'delay-after' },
    ],
    delayMs: pspTimeoutMs + 500,
  });
  const { payment_order_id: id } = await room.pay();
  const order = await room.until(id, ({ payment_page_url: page }) => (page ?? null) !== null);
  expect(pspTimeoutMs).toBe(5_000);
  expect(requested.length).toBeGreaterThanOrEqual(2);
  expect(new Set(requested)).toEqual(new Set([id]));
  const payments = await registered(id);
  expect(payments).toHaveLength(1);
  expect([order.token, (await storedToken(id)).token]).toEqual([payments[0]!.token, payments[0]!.token]);
  // A copy that was on its way for longer than the time-out gets the same token.
  expect(await again()).toMatchObject({ kind: 'known', value: { nonce: id, token: payments[0]!.token } });
  expect(await registered(id)).toEqual(payments);
  // Nor is there one under another nonce.
  const tokens = (await room.record()).filter(
    (line) => line.kind === 'payment' && line.cause === 'registration',
  );
  expect(tokens).toHaveLength(1);
  await room.typeCard(order);
  await room.settled(id);
  expect(await room.charges(id)).toBe(1);
});

proves('P-038', {
  asked: 'the token is stored with the order before the page is shown',
  shown: 'while the row cannot be written, POST and GET have no page; then row, page, record: one token',
  control: {
    in: 'payment/orders/apply-payment.ts',
    change:
      '    ...(payment.token === undefined || order.pspToken !== undefined ? {} : { pspToken: payment.token }),\n',
    to: '',
  },
});
it('P-038: the page is shown only after its token is stored', async () => {
  await room.faults({ next: [{ operation: 'registrations', fault: 'delay-after' }], delayMs: 2_000 });
  const body = room.body();
  const [{ payment_order_id: id }] = body['payment_orders'] as [{ payment_order_id: string }];
  const answer = room.post(body);
  await eventually(async () => expect(await registered(id)).toHaveLength(1), { everyMs: 10 });
  await room.sql.transaction(async (tx) => {
    // The answer is on its way; its token cannot be stored.
    await tx.query('SELECT FROM payment_orders WHERE payment_order_id = $1 FOR UPDATE', [id]);
    const response = await answer;
    expect(response.status).toBe(202);
    const [shown] = ((await response.json()) as PaymentEvent).payment_orders;
    for (const order of [shown!, await room.get(id)])
      expect([order.token, order.payment_page_url]).toEqual([null, null]);
  });
  const order = await room.until(id, ({ payment_page_url: page }) => page !== null);
  const [payment] = await registered(id);
  expect(await storedToken(id)).toEqual({ token: payment!.token, page: order.payment_page_url });
  expect(order.payment_page_url).toContain(payment!.token);
});

proves('P-038', {
  asked: 'unknown tokens in redirect or webhook change nothing',
  shown: 'two redirects; signed webhooks with the nonce of the order and of none: nothing stored changes',
  control: {
    in: 'payment/orders/apply-payment.ts',
    change: "token !== undefined && pspToken !== undefined && token !== pspToken && status !== 'challenge'",
    to: "token !== undefined && pspToken !== undefined && token !== pspToken && status === 'challenge'",
  },
});
it('P-038: an unknown token in a redirect or a webhook changes nothing', async () => {
  const order = await room.pay();
  const data = await room.payment(order.payment_order_id);
  const everything = async () => {
    const { rows } = await room.sql.query(
      `SELECT (SELECT jsonb_agg(o ORDER BY payment_order_id) FROM payment_orders o)::text AS orders,
         (SELECT jsonb_agg(e ORDER BY checkout_id) FROM payment_events e)::text AS events,
         (SELECT count(*) FROM payment_order_history) AS history, (SELECT count(*) FROM payment_outbox) AS outbox,
         (SELECT count(*) FROM ledger_transfer) AS transfers`,
    );
    return rows[0];
  };
  // Nothing else may change the orders meanwhile.
  await room.sql.query(
    `UPDATE payment_orders SET next_attempt_at = now() + interval '1 hour', version = version + 1
     WHERE next_attempt_at IS NOT NULL`,
  );
  await eventually(async () =>
    expect(await room.count('SELECT count(*) AS n FROM payment_outbox WHERE sent_at IS NULL')).toBe(0),
  );
  const before = await everything();
  const unknown = `reg_${'0'.repeat(32)}`;
  for (const result of ['success', 'failure'])
    expect((await fetch(`${room.url}/v1/payment-return?tokenID=${unknown}&payResult=${result}`)).status).toBe(
      404,
    );
  const captured = { ...data, captured_minor: data['amount_minor'], status: 'captured', sequence: 9 };
  for (const nonce of [order.payment_order_id, randomUUID()])
    expect((await room.webhook('payment.captured', { ...captured, nonce, token: unknown })).status).toBe(204);
  expect(await everything()).toEqual(before);
  // The same with the order's own token is what the provider says.
  expect((await room.webhook('payment.captured', captured)).status).toBe(204);
  expect(await room.get(order.payment_order_id)).toMatchObject({ payment_order_status: 'SUCCESS' });
});
