import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alertOverdue, workOnDue } from '#payment/executor/due-work.js';
import { executeRefund } from '#payment/executor/execute-refund.js';
import { resolveOrder } from '#payment/executor/resolve-order.js';
import { changeOrders } from '#payment/orders/change-order.js';
import { redriveDeadLetter } from '#payment/orders/dead-letters.js';
import { readOrder } from '#payment/orders/order.js';
import { batchOrders } from '#payment/orders/order-batchers.js';
import { hostedPagePsp, ownName } from '#payment/psp/https-psp.js';
import { pinnedHttps } from '#payment/psp/pinned-https.js';
import { openProviders } from '#payment/psp/providers.js';
import type { Psp, PspOrder } from '#payment/psp/psp.js';
import type { CallFault } from '#payment-simulator/faults.js';
import type { PaymentEvent, PaymentOrder } from '#schemas/http/payments.js';
import { paymentDeadLetter } from '#schemas/topics.js';
import { proves } from '#tools/acceptance/proves.js';
import { expectNoCardData, expectNoCardNumbers } from '../card-data-left.js';
import { eventually } from '../eventually.js';
import { apiKey, OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
/** Of each charge that was requested, its nonce: the provider records a repeated one once. */
const requested: string[] = [];
/** Of each query, its nonce. */
const queried: string[] = [];
beforeAll(async () => {
  room = await OrdersRoom.open({
    style: 'direct',
    pspTimeoutMs: 2_000,
    settings: { overdueMs: 60_000 },
    providers: (own) =>
      openProviders([
        {
          ...own,
          begin: (order, keep) => {
            requested.push(order.nonce);
            return own.begin(order, keep);
          },
          query: (order) => {
            queried.push(order.nonce);
            return own.query(order);
          },
        },
      ]),
  });
});
afterAll(() => room?.close());
beforeEach(() => room.faults({}));

const registrations = async (nonce: string) =>
  (await room.record()).filter(
    (line) => line.kind === 'payment' && line.payment.nonce === nonce && line.payment.sequence === 1,
  );

describe('one charge, whatever happens to the call', () => {
  proves('P-071', {
    asked: 'direct integration works behind the same interface without storing card data',
    shown:
      'a card token is charged without a page, only it is stored; a number in its place is 400, and nowhere',
    control: {
      in: 'payment/executor/execute-order.ts',
      change: '  ...(card.cardToken === undefined ? {} : { cardToken: card.cardToken }),\n',
      to: '',
    },
  });
  it('P-008, P-071: a card token is charged directly, behind the same port', async () => {
    const order = await room.pay({}, 'tok_captured');
    expect(order).toMatchObject({ payment_order_status: 'SUCCESS', captured_amount: '10.50' });
    await room.settled(order.payment_order_id);
    expect([await room.charges(order.payment_order_id), await registrations(order.payment_order_id)]).toEqual(
      [1, [expect.objectContaining({ cause: 'charge' })]],
    );
    const { rows } = await room.sql.query(
      'SELECT credit_card_info FROM payment_events WHERE checkout_id = $1',
      [order.checkout_id],
    );
    expect(rows).toEqual([{ credit_card_info: '{"token":"tok_captured"}' }]);
    const number = '4242424242424242';
    for (const card of [
      { token: number },
      { token: 'tok_captured', number },
      { token: 'tok_captured', cvc: '123' },
    ])
      expect((await room.post(room.body([{}], { credit_card_info: card }))).status).toBe(400);
    await expectNoCardData(room.sql);
    await expectNoCardNumbers(room.folder, room.logLines.join('\n'), [number]);
  });

  proves('F24', {
    asked: 'nothing, 500, reset, after 30 s: one charge',
    shown: 'seven faults of the charge, an answer after 4 s among them: one charge, one nonce, one transfer',
    scaled: '4 s for 30 s: the limit of a call is shorter than both',
    control: {
      test: 'control: with a new nonce for each attempt a charge would be made twice',
    },
    from: 'outside',
  });
  it.each<[CallFault]>([
    ['drop-before'],
    ['drop-after'],
    ['delay-after'],
    ['error-before'],
    ['error-after'],
    ['busy'],
    ['garbage-after'],
  ])('F24, P-039, P-129: %s of the charge ends in one charge under one nonce', async (fault) => {
    await room.faults({ next: [{ operation: 'charges', fault }], delayMs: 4_000 });
    const { payment_order_id: id } = await room.pay({}, 'tok_captured');
    const done = await room.settled(id);
    expect(done.attempts).toBeLessThanOrEqual(2);
    expect(await room.charges(id)).toBe(1);
    expect(await registrations(id)).toHaveLength(1);
    expect(await room.ledgerTransfers(id)).toBe(1);
  });

  proves('P-039', {
    asked: 'the provider gets the UUID of the order: one nonce over any number of retries',
    shown: 'six faulty calls in a row: one nonce in all requests and in the record of the provider, the UUID',
    settings: ['firstMs 20', 'capMs 200'],
    control: {
      in: 'payment/executor/execute-order.ts',
      change: '  nonce: order.id,',
      to: '  nonce: order.id.slice(0, -2) + String(order.attempts + 10),',
    },
  });
  it('P-039: the provider has one nonce for an order, its UUID, over any number of attempts', async () => {
    const nonces = async () =>
      new Set((await room.record()).flatMap((line) => (line.kind === 'payment' ? [line.payment.nonce] : [])));
    const before = await nonces();
    const faults = [
      'drop-before',
      'error-before',
      'busy',
      'drop-before',
      'error-before',
      'drop-after',
    ] as const;
    await room.faults({ next: faults.map((fault) => ({ operation: 'charges', fault })), retryAfterS: 0 });
    const requestsBefore = requested.length;
    const { payment_order_id: id } = await room.pay({}, 'tok_captured');
    const { attempts } = await room.settled(id);
    expect(attempts).toBeGreaterThanOrEqual(faults.length);
    expect(requested.slice(requestsBefore)).toEqual(Array.from({ length: attempts }, () => id));
    expect([...(await nonces())].filter((nonce) => !before.has(nonce))).toEqual([id]);
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  proves('P-129', {
    asked: '5 % lost replies, 5 % copies, kill -9 every few seconds: one charge for each accepted order',
    shown:
      '30 orders with 40 % faulty calls and 60 % faulty webhooks: one charge each, none for a declined card',
    scaled: '30 orders, no kill; kills in the long run',
    control: 'the test `control: with a new nonce for each attempt` below',
    proof: 'payment-kills',
  });
  it('P-129: lost responses, errors and busy signals leave no order undone or charged twice', async () => {
    await room.faults({
      calls: { 'drop-before': 0.1, 'drop-after': 0.1, 'error-after': 0.1, 'error-before': 0.1 },
      webhooks: { lost: 0.2, doubled: 0.2, held: 0.2 },
    });
    const cards = ['tok_captured', 'tok_captured', 'tok_declined'];
    const orders = await Promise.all(
      Array.from({ length: 30 }, (_, at) => room.pay({}, cards[at % cards.length])),
    );
    await room.faults({});
    await room.control('POST', '/webhooks/release');
    for (const [at, { payment_order_id: id }] of orders.entries()) {
      const done = await room.until(id, ({ is_final }) => is_final);
      const declined = at % cards.length === 2;
      expect([done.payment_order_status, await room.charges(id)]).toEqual(
        declined ? ['FAILED', 0] : ['SUCCESS', 1],
      );
      expect(await registrations(id)).toHaveLength(1);
    }
  });

  proves('P-087', {
    asked: 'a second payment with the nonce is answered with the first',
    shown: 'already_processed, one charge; the service accepts it in the tests of lost responses',
    control: {
      in: 'payment-simulator/psp-store.ts',
      change: `    if (known !== undefined) {
      const same =`,
      to: `    if (known !== undefined && cause !== 'charge') {
      const same =`,
    },
  });
  it('P-087: the provider answers a second charge with the first', async () => {
    const { payment_order_id: id } = await room.pay({}, 'tok_captured');
    const { url, pin, certificate } = room.psp.addresses;
    const https = pinnedHttps({ baseUrl: url, apiKey, pins: [pin], authorities: certificate });
    const again = await https.call('POST', '/v1/charges', {
      nonce: id,
      amount_minor: '1050',
      currency: 'EUR',
      card_token: 'tok_captured',
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    });
    https.close();
    expect(again).toMatchObject({ status: 200, body: { already_processed: true, status: 'captured' } });
    expect(await room.charges(id)).toBe(1);
  });
});

describe('failures', () => {
  proves('P-114', {
    asked: 'mismatch of address and CVV',
    shown: 'tok_address and tok_cvc end the order with their code, without another attempt',
    control: {
      in: 'payment/orders/apply-payment.ts',
      change: "failed(reported, payment.code ?? 'card_declined')",
      to: "failed(reported, 'card_declined')",
    },
  });
  it.each([
    ['tok_declined', 'card_declined'],
    ['tok_funds', 'insufficient_funds'],
    ['tok_expired', 'expired_card'],
    ['tok_cvc', 'incorrect_cvc'],
    ['tok_address', 'address_mismatch'],
    ['tok_unknown', 'unknown_card_token'],
  ])('P-114, P-124: %s ends the order as %s, without another attempt', async (card, code) => {
    const order = await room.pay({}, card);
    expect(order).toMatchObject({
      payment_order_status: 'FAILED',
      is_final: true,
      failure_code: code,
      attempts: 1,
      next_attempt_at: null,
    });
  });

  it.each(['tok_fraud', 'tok_stolen'])('P-124: %s ends the order, and a person reviews it', async (card) => {
    const { payment_order_id: id } = await room.pay({}, card);
    expect(
      await room.count('SELECT count(*) AS n FROM payment_dead_letters WHERE subject_id = $1', [id]),
    ).toBe(1);
  });

  proves('P-123', {
    asked: 'attempt count and next time; dead letter with cause, can be inspected and retried',
    shown: 'seven retries published, one dead letter; listed and retried in finance-http',
    settings: ['firstMs 20', 'capMs 200', 'no jitter'],
    control: {
      in: 'payment/orders/change-order.ts',
      change: 'dueMs: order.nextAttemptMs ?? nowMs,',
      to: 'dueMs: nowMs,',
    },
  });
  proves('P-125', {
    asked: 'cancelled, buyer informed, reservation released',
    shown: 'closed at the provider after eight attempts; guest and rooms in booking/payment-receivers',
    settings: ['firstMs 20', 'capMs 200'],
  });
  it('P-123, P-125, P-127: eight attempts, each published, then closed and dead-lettered', async () => {
    await room.faults({ retryAfterS: 0 });
    const { payment_order_id: id } = await room.pay({}, 'tok_unavailable');
    const done = await room.until(id, ({ is_final }) => is_final);
    expect(done).toMatchObject({
      payment_order_status: 'FAILED',
      failure_code: 'retries_exhausted',
      attempts: 8,
    });
    const { rows } = await room.sql.query<{ attempts: number; wait: number }>(
      `SELECT (payload->>'attempts')::int AS attempts, (payload->>'dueMs')::bigint - (payload->>'occurredMs')::bigint AS wait
       FROM payment_outbox WHERE topic = 'payment.retry.v1' AND key = $1 ORDER BY id`,
      [id],
    );
    expect(rows.map(({ attempts }) => attempts)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    // Doubling from 20 ms, capped at 200, without jitter.
    expect(rows.map(({ wait }) => Number(wait))).toEqual([20, 40, 80, 160, 200, 200, 200]);
    const closed = (await room.record()).filter(
      (line) => line.kind === 'payment' && line.payment.nonce === id,
    );
    expect(closed).toMatchObject([{ payment: { status: 'voided' }, cause: 'void' }]);
    const { rows: letters } = await room.sql.query(
      'SELECT kind, cause, attempts FROM payment_dead_letters WHERE subject_id = $1',
      [id],
    );
    expect(letters).toEqual([{ kind: 'payment', cause: 'retries_exhausted', attempts: 8 }]);
  });

  proves('P-126', {
    asked: '409, 429 and 503 name the interval; client and executor obey',
    shown:
      'the executor waits the 2 s that 429 and 503 ask for; ours: 409 in P-083, 429 in P-006, 503 in P-066',
    control: {
      in: 'payment/psp/pinned-https.ts',
      change: 'Number(header) * 1_000',
      to: 'Number(header)',
    },
  });
  it.each([
    ['429', 'busy'],
    ['503', { status: 503, code: 'provider_unavailable' }],
  ] as const)('P-126: the delay that a provider asks for with %s is kept', async (_, fault) => {
    await room.faults({ next: [{ operation: 'charges', fault }], retryAfterS: 2 });
    const startedMs = Date.now();
    const { payment_order_id: id } = await room.pay({}, 'tok_captured');
    await room.until(id, ({ payment_order_status: status }) => status === 'SUCCESS');
    expect(Date.now() - startedMs).toBeGreaterThanOrEqual(2_000);
    expect(await room.charges(id)).toBe(1);
  });

  it('control: with a new nonce for each attempt a charge would be made twice', async () => {
    await room.faults({ next: [{ operation: 'charges', fault: 'drop-after' }] });
    const { url, pin, certificate } = room.psp.addresses;
    const https = pinnedHttps({ baseUrl: url, apiKey, pins: [pin], authorities: certificate });
    const nonces = [randomUUID(), randomUUID()];
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    for (const nonce of nonces)
      await https.call('POST', '/v1/charges', {
        nonce,
        amount_minor: '5',
        currency: 'EUR',
        card_token: 'tok_captured',
        expires_at,
      });
    https.close();
    expect(
      (await Promise.all(nonces.map((nonce) => room.charges(nonce)))).reduce((sum, n) => sum + n, 0),
    ).toBe(2);
  });
});

describe('abandoned orders', () => {
  const left = async (card = 'tok_processing') => {
    const { payment_order_id: id } = await room.pay({}, card);
    return id;
  };

  proves('P-051', {
    asked: 'finds unfinished orders, queries them, never charges',
    shown: 'its charge is requested once, the query finds what became of it, the record has no other charge',
    settings: ['askAfterMsMin 50', 'askAfterMsMax 300'],
    control: {
      in: 'payment/executor/resolve-order.ts',
      change: 'psp.cancel(pspOrderOf(order)) : psp.query(pspOrderOf(order));',
      to: 'psp.cancel(pspOrderOf(order)) : psp.begin(pspOrderOf(order), async () => true);',
    },
  });
  proves('P-069', {
    asked: 'polling finds it in the stated time; concurrent poll and webhook have one effect',
    shown: 'found without any webhook, in the stated time in moved-clock; ten queries and ten webhooks: once',
    settings: ['askAfterMsMin 50', 'askAfterMsMax 300'],
    control: {
      in: 'payment/executor/due-work.ts',
      change: `WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT \${orderLimits.dueBatchMax})
     UNION ALL`,
      to: `WHERE next_attempt_at <= $1 AND payment_order_status <> 'EXECUTING'
      ORDER BY next_attempt_at LIMIT \${orderLimits.dueBatchMax})
     UNION ALL`,
    },
  });
  it('P-051, P-069: without a webhook the provider is queried, and the query charges nothing', async () => {
    await room.control('POST', '/faults', { webhooks: { lost: 1 } });
    const id = await left();
    expect(await room.get(id)).toMatchObject({ payment_order_status: 'EXECUTING', pending: 'processing' });
    await room.control('POST', '/payments', { nonce: id, status: 'captured' });
    await room.settled(id);
    const causes = (await room.record()).filter(
      (line) => line.kind === 'payment' && line.payment.nonce === id,
    );
    expect(causes.map(({ cause }) => cause)).toEqual(['charge', 'charge', 'control']);
    expect(requested.filter((nonce) => nonce === id)).toHaveLength(1);
    expect(queried).toContain(id);
  });

  it('P-069: queries and webhooks of one payment at the same time have one effect', async () => {
    await room.faults({ webhooks: { lost: 1 } });
    const id = await left();
    await room.control('POST', '/payments', { nonce: id, status: 'captured' });
    const captured = await room.payment(id);
    const deps = { ...room.service.webhooks, nowMs: () => Date.now() + 600_000 };
    const both = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const webhook = room.webhook('payment.captured', captured);
        await resolveOrder(deps, id);
        return (await webhook).status;
      }),
    );
    expect(both.filter((status) => status >= 300)).toEqual([]);
    const done = await room.settled(id);
    expect(done).toMatchObject({ payment_order_status: 'SUCCESS', captured_amount: '10.50' });
    expect([await room.charges(id), await room.ledgerTransfers(id)]).toEqual([1, 1]);
    expect(
      await room.count(
        `SELECT count(*) AS n FROM payment_order_history WHERE payment_order_id = $1 AND to_status = 'SUCCESS'`,
        [id],
      ),
    ).toBe(1);
  });

  it('P-050: of twenty changes to one version of an order one is made, whoever makes them', async () => {
    const id = await left();
    const order = (await readOrder(room.sql, id))!;
    const changed = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        room.sql.transaction((tx) =>
          changeOrders(tx, [
            {
              order,
              change: { set: { nextAttemptMs: Date.now() + 3_600_000 }, cause: 'asked' },
              context: { nowMs: Date.now(), source: `copy ${at}` },
            },
          ]),
        ),
      ),
    );
    expect(changed.flat().filter((one) => one !== undefined)).toHaveLength(1);
    expect((await readOrder(room.sql, id))!.version).toBe(order.version + 1);
    await room.control('POST', '/payments', { nonce: id, status: 'captured' });
    await room.settled(id);
  });

  proves('P-053', {
    asked: 'two copies of the job at once: each order is handled once',
    shown: 'ten copies of the work on an order query once; two of a whole round each of ten orders (below)',
    settings: ['leaseMs an hour for 15 s'],
    control: {
      in: 'payment/orders/change-order.ts',
      change: '      AND o.version = w.version AND o.payment_order_status = w.was',
      to: '      AND o.payment_order_status = w.was',
    },
  });
  it('P-053: ten concurrent copies of the job query an order once', async () => {
    const id = await left();
    let asked = 0;
    const { webhooks: deps } = room.service;
    const psp = deps.providers.of(ownName)!;
    const counting = {
      ...deps,
      settings: { ...deps.settings, leaseMs: 3_600_000 },
      nowMs: () => Date.now() + 600_000,
      providers: openProviders([
        {
          ...psp,
          query: (order: PspOrder) => {
            if (order.nonce === id) asked += 1;
            return psp.query(order);
          },
        },
      ]),
    };
    // Due for these copies, whose clock is ahead, and not for the job that runs meanwhile.
    await room.sql.query(
      `UPDATE payment_orders SET next_attempt_at = now() + interval '5 minutes', version = version + 1
       WHERE payment_order_id = $1`,
      [id],
    );
    // Each like a process of its own, which batches nothing with others.
    await Promise.all(
      Array.from({ length: 10 }, () => resolveOrder({ ...counting, orders: batchOrders(room.sql) }, id)),
    );
    expect(asked).toBe(1);
    await room.control('POST', '/payments', { nonce: id, status: 'captured' });
    await room.settled(id);
  });

  it('P-053: two copies of the job at once query each of ten orders once', async () => {
    const orders = Array.from({ length: 10 }, () => ({}));
    const body = room.body(orders, { credit_card_info: { token: 'tok_processing' } });
    const token = 'customer.tom';
    const event = (await (await room.post(body, { token })).json()) as PaymentEvent;
    const ids = event.payment_orders.map((order) => order.payment_order_id);
    const eachIs = (wanted: Partial<PaymentOrder>) =>
      eventually(async () => {
        for (const id of ids) expect(await room.get(id, token)).toMatchObject(wanted);
      });
    await eachIs({ pending: 'processing' });
    const asked: string[] = [];
    const { webhooks: deps } = room.service;
    const psp = deps.providers.of(ownName)!;
    // Due for these copies, whose clock is ahead and stands, and not for the job that runs meanwhile.
    const atMs = Date.now() + 600_000;
    await room.sql.query(
      `UPDATE payment_orders SET next_attempt_at = now() + interval '5 minutes', version = version + 1
       WHERE payment_order_id = ANY ($1::text[])`,
      [ids],
    );
    const query = (order: PspOrder) => {
      asked.push(order.nonce);
      return psp.query(order);
    };
    const copy = () =>
      workOnDue({
        ...deps,
        nowMs: () => atMs,
        orders: batchOrders(room.sql),
        providers: openProviders([{ ...psp, query }]),
      });
    await Promise.all([copy(), copy()]);
    expect(asked.filter((id) => ids.includes(id)).toSorted()).toEqual(ids.toSorted());
    for (const id of ids) await room.control('POST', '/payments', { nonce: id, status: 'captured' });
    await eachIs({ payment_order_status: 'SUCCESS', wallet_updated: true });
  });

  proves('P-052', {
    asked: 'one alert (metric and event), once, cleared',
    shown: 'one event over three checks, one when it clears; the gauge rises and falls with it',
    settings: ['overdueMs 60 s for 10 min', 'the clock 61 s ahead'],
    control: {
      in: 'payment/executor/due-work.ts',
      change: 'WHERE NOT is_final AND alerted_at IS NOT NULL',
      to: 'WHERE alerted_at IS NOT NULL',
    },
  });
  it('P-052: an order that takes too long raises one alert, which clears', async () => {
    const id = await left();
    const deps = { ...room.service.webhooks, nowMs: () => Date.now() + 61_000 };
    expect(await alertOverdue(deps)).toBeGreaterThanOrEqual(1);
    await alertOverdue(deps);
    await alertOverdue(deps);
    const gauge = async () => {
      const { text } = await room.metrics.scrape();
      return Number(/^payments_overdue (\d+)$/m.exec(text)?.[1]);
    };
    const raised = await gauge();
    expect(raised).toBeGreaterThanOrEqual(1);
    const notices = async () => {
      const { rows } = await room.sql.query<{ kind: number }>(
        `SELECT (payload->>'kind')::int AS kind FROM payment_outbox WHERE topic = 'payment.notice.v1' AND key = $1 ORDER BY id`,
        [id],
      );
      return rows.map(({ kind }) => kind);
    };
    expect(await notices()).toEqual([2]);
    await room.control('POST', '/payments', { nonce: id, status: 'captured' });
    await room.settled(id);
    expect(await notices()).toEqual([2, 3]);
    await alertOverdue(deps);
    expect(await gauge()).toBe(raised - 1);
  });

  it('P-054: a review at the provider shows as pending, and the buyer is notified once', async () => {
    const id = await left('tok_review');
    expect(await room.get(id)).toMatchObject({ payment_order_status: 'EXECUTING', pending: 'review' });
    await workOnDue({ ...room.service.webhooks, nowMs: () => Date.now() + 3_600_000 });
    expect(await room.get(id)).toMatchObject({ payment_order_status: 'EXECUTING', pending: 'review' });
    await room.control('POST', '/payments', { nonce: id, status: 'captured' });
    await room.settled(id);
    expect(
      await room.count(
        `SELECT count(*) AS n FROM payment_outbox WHERE key = $1 AND topic = 'payment.notice.v1' AND payload->>'kind' = '1'`,
        [id],
      ),
    ).toBe(1);
  });
});

describe('refunds with a lost response', () => {
  const attemptsMax = 8;

  /** A refund at its last attempt, which the background job leaves to the test. */
  async function lastTry(refundId: string): Promise<string> {
    const { payment_order_id: id } = await room.pay({}, 'tok_captured');
    await room.settled(id);
    const due = new Date(Date.now() + 3_600_000);
    await room.sql.query(
      `INSERT INTO payment_refunds (refund_id, payment_order_id, amount, amount_minor, currency, reason, requested_by, attempts, next_attempt_at,
         created_at, changed_at) VALUES ($1, $2, '1.00', 100, 'EUR', 'r', 'sam', $3, $4, now(), now())`,
      [refundId, id, attemptsMax - 1, due],
    );
    await room.sql.query(
      'UPDATE payment_orders SET refunding_minor = 100, version = version + 1 WHERE payment_order_id = $1',
      [id],
    );
    return id;
  }

  /** Attempts it once. The response never arrives; without a `webhook` the request does not arrive either. */
  async function tryDeaf(refundId: string, hours: number, webhook?: () => Promise<unknown>): Promise<void> {
    const { webhooks } = room.service;
    const psp = webhooks.providers.of(ownName)!;
    const deaf: Psp = {
      ...psp,
      refund: async (refund) => {
        if (webhook !== undefined) {
          await psp.refund(refund);
          await webhook();
        }
        return { kind: 'unknown', reason: 'the answer was lost' };
      },
    };
    await executeRefund(
      { ...webhooks, providers: openProviders([deaf]), nowMs: () => Date.now() + hours * 3_600_000 },
      refundId,
    );
  }

  const letters = (refundId: string) =>
    room.count(
      `SELECT count(*) AS n FROM payment_dead_letters WHERE kind = 'refund' AND subject_id = '${refundId}'`,
    );
  const told = (refundId: string) =>
    room.count(
      `SELECT count(*) AS n FROM payment_outbox WHERE topic = '${paymentDeadLetter.name}' AND key = '${refundId}'`,
    );

  it('P-123: a refund that a webhook has settled meanwhile is not dead-lettered', async () => {
    const refundId = randomUUID();
    const id = await lastTry(refundId);
    const data = {
      nonce: refundId,
      payment_nonce: id,
      status: 'refunded',
      amount_minor: '100',
      currency: 'EUR',
      reference: 'x',
    };
    await tryDeaf(refundId, 1, () => room.webhook('refund.refunded', data));
    expect((await room.get(id)).refunds).toMatchObject([{ refund_status: 'SUCCESS' }]);
    expect([await letters(refundId), await told(refundId)]).toEqual([0, 0]);
  });

  it('P-123: a refund that is dead-lettered again after a retry is reported again', async () => {
    const refundId = randomUUID();
    await lastTry(refundId);
    await tryDeaf(refundId, 1);
    expect([await letters(refundId), await told(refundId)]).toEqual([1, 1]);
    const { rows } = await room.sql.query<{ id: bigint }>(
      'SELECT id FROM payment_dead_letters WHERE subject_id = $1',
      [refundId],
    );
    const later = Date.now() + 2 * 3_600_000;
    expect(await redriveDeadLetter(room.sql, Number(rows[0]!.id), 'sam', later)).toBe('redriven');
    await room.sql.query('UPDATE payment_refunds SET attempts = $2 WHERE refund_id = $1', [
      refundId,
      attemptsMax - 1,
    ]);
    await tryDeaf(refundId, 3);
    expect([await letters(refundId), await told(refundId)]).toEqual([2, 2]);
  });
});

describe('the provider’s certificate', () => {
  proves('P-112', {
    asked: 'another valid certificate: refused, order open, alert; two pins rotate',
    shown: 'all of it against a swapped certificate',
    control: {
      in: 'payment/psp/pinned-https.ts',
      change: 'return pins.includes(pin)\n',
      to: 'return pins.includes(pin) || pins.length > 0\n',
    },
  });
  it('P-112: a valid certificate that is not pinned is rejected and reported; two pins rotate', async () => {
    const { url, pin, certificate } = room.psp.addresses;
    const swapped = await room.control<{ certificate: string; pin: string }>('POST', '/certificate');
    expect(swapped.pin).not.toBe(pin);
    const both = certificate + swapped.certificate;
    const { webhooks: deps } = room.service;
    const ask = async (pins: readonly string[]) => {
      const https = pinnedHttps({ baseUrl: url, apiKey, pins, authorities: both });
      const urls = { success: 'https://a.invalid', failure: 'https://a.invalid' };
      const answer = await hostedPagePsp(https, urls, []).query({
        nonce: 'nobody',
        amountMinor: 1n,
        currency: 'EUR',
        expiresMs: 0,
        attempt: 1,
      });
      https.close();
      return answer.kind;
    };
    expect(await ask([pin])).toBe('suspect');
    expect(await ask([pin, swapped.pin])).toBe('absent');
    // The test server itself trusts only the old certificate.
    const order = await room.pay({}, 'tok_captured');
    expect(order).toMatchObject({ payment_order_status: 'EXECUTING', is_final: false });
    const notices = () =>
      room.count(
        `SELECT count(*) AS n FROM payment_outbox WHERE key = $1 AND topic = 'payment.notice.v1' AND payload->>'kind' = '4'`,
        [order.payment_order_id],
      );
    await eventually(async () => expect(await notices()).toBe(1));
    expect(await room.charges(order.payment_order_id)).toBe(0);
    expect(deps.providers.of(ownName)!.style).toBe('direct');
    expect(() => pinnedHttps({ baseUrl: 'http://127.0.0.1:1', apiKey, pins: [pin] })).toThrow('https://');
    expect(() => pinnedHttps({ baseUrl: url, apiKey, pins: [] })).toThrow('pinned');
  });
});
