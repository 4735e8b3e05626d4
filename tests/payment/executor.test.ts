import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { paymentSettingsOf } from '#cli/start/payment-settings-of.js';
import { alertOverdue, workOnDue } from '#payment/executor/due-work.js';
import { executeOrder } from '#payment/executor/execute-order.js';
import { executeRefund } from '#payment/executor/execute-refund.js';
import { resolveOrder } from '#payment/executor/resolve-order.js';
import { parseCurrency } from '#payment/money/currency.js';
import { changeOrders } from '#payment/orders/change-order.js';
import { fingerprintOf } from '#payment/orders/idempotency-key.js';
import { readOrder } from '#payment/orders/order.js';
import { batchOrders } from '#payment/orders/order-batchers.js';
import { submitPayment } from '#payment/orders/submit-payment.js';
import { directPsp, hostedPagePsp, ownName } from '#payment/psp/https-psp.js';
import { pinnedHttps } from '#payment/psp/pinned-https.js';
import { openProviders } from '#payment/psp/providers.js';
import type { Psp, PspOrder } from '#payment/psp/psp.js';
import { retryDefaults, retryStrategies } from '#payment/settings/retry-policy.js';
import { paymentDefaults } from '#payment/settings/settings.js';
import type { CallFault } from '#payment-simulator/faults.js';
import { readConfig } from '#platform/config/read-config.js';
import { settings } from '#platform/config/settings.js';
import type { TopicCodec } from '#platform/wire/topic-codec.js';
import type { PaymentDeadLetters } from '#schemas/http/finance.js';
import type { PaymentEvent, PaymentOrder } from '#schemas/http/payments.js';
import { noticeKind } from '#schemas/messages.js';
import { paymentOrderLifecycle } from '#schemas/topics.js';
import { proves } from '#tools/acceptance/proves.js';
import { expectNoCardData, expectNoCardNumbers } from '../card-data-left.js';
import { eventually } from '../eventually.js';
import { apiKey, OrdersRoom } from './orders-fixture.js';

const alertRules = new URL('../../deploy/prometheus/rules.yml', import.meta.url);

let room: OrdersRoom;
/** Of each charge that was requested, its nonce: the provider records a repeated one once. */
const requested: string[] = [];
/** Of each query, its nonce. */
const queried: string[] = [];
/** The client of the provider that payments use instead of that of the room. */
let client: Psp | undefined;
let clientOfRoom: Psp;
beforeAll(async () => {
  room = await OrdersRoom.open({
    style: 'direct',
    pspTimeoutMs: 2_000,
    settings: { reviewAfterEventsPerHour: 300 },
    providers: (own) => {
      clientOfRoom = own;
      return openProviders([
        {
          ...own,
          begin: (order, keep) => {
            requested.push(order.nonce);
            return (client ?? own).begin(order, keep);
          },
          query: (order) => {
            queried.push(order.nonce);
            return (client ?? own).query(order);
          },
        },
      ]);
    },
  });
});
afterAll(() => room?.close());
beforeEach(() => room.faults({}));

const registrations = async (nonce: string) =>
  (await room.record()).filter(
    (line) => line.kind === 'payment' && line.payment.nonce === nonce && line.payment.sequence === 1,
  );

/** Messages of the log about a payment order or refund, oldest first. */
async function logged<Message>(codec: TopicCodec<Message>, key: string): Promise<Message[]> {
  const messages: Message[] = [];
  for (const { partition } of await room.log.offsets(codec.topic.name))
    for await (const record of room.log.read(codec.topic.name, partition, 0))
      if (record.key === key) messages.push(codec.decode(record.value!));
  return messages;
}

/** As staff sees them. */
async function deadLettersOf(id: string): Promise<PaymentDeadLetters['dead_letters']> {
  const response = await fetch(`${room.internalUrl}/v1/payment-dead-letters?which=all`, {
    headers: { authorization: 'Bearer finance.fay' },
  });
  const { dead_letters: all } = (await response.json()) as PaymentDeadLetters;
  return all.filter(({ subject_id: subject }) => subject === id);
}

const redriven = (id: number): Promise<Response> =>
  fetch(`${room.internalUrl}/v1/payment-dead-letters/${id}/redrive`, {
    method: 'POST',
    headers: { authorization: 'Bearer finance.fay' },
  });

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
    settings: ['firstMs 20', 'capMs 200', 'no jitter', 'askAfterMs 50 to 300 for 1 s to 15 s'],
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
    shown: '30 orders, sent twice; 40 % of calls, 60 % of webhooks faulty: one charge each, none if declined',
    scaled:
      '30 orders; kill -9 at seven points in executor-crash, 1,000 in the long run: each starts a program',
    settings: [
      'firstMs 20',
      'capMs 200',
      'no jitter',
      'askAfterMsMin 50',
      'askAfterMsMax 300',
      'pspTimeoutMs 2,000',
      'reviewAfterEventsPerHour 300',
      'no faults while the last orders end',
    ],
    control: {
      in: 'payment/executor/execute-order.ts',
      change: '  nonce: order.id,',
      to: '  nonce: crypto.randomUUID(),',
    },
    proof: 'payment-kills',
  });
  it('P-129: lost responses, errors and copies leave no order undone or charged twice', async () => {
    await room.faults({
      calls: { 'drop-before': 0.1, 'drop-after': 0.1, 'error-after': 0.1, 'error-before': 0.1 },
      webhooks: { lost: 0.2, doubled: 0.2, held: 0.2 },
    });
    const cards = ['tok_captured', 'tok_captured', 'tok_declined'];
    /** Of any nonce. */
    const captures = async () =>
      (await room.record()).filter(
        (line) =>
          line.kind === 'payment' && line.payment.status === 'captured' && line.payment.refundedMinor === '0',
      ).length;
    const before = await captures();
    /** Two copies of one request: one is processed, the other one gets its object, or has to come again. */
    const buy = async (card: string) => {
      const [body, key] = [room.body([{}], { credit_card_info: { token: card } }), randomUUID()];
      const answers = await Promise.all([room.post(body, { key }), room.post(body, { key })]);
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 201 || status === 202)).toHaveLength(1);
      expect(statuses.filter((status) => status === 200 || status === 409)).toHaveLength(1);
      return (body as PaymentEvent).payment_orders[0]!;
    };
    const orders = await Promise.all(Array.from({ length: 30 }, (_, at) => buy(cards[at % cards.length]!)));
    await room.faults({});
    await room.control('POST', '/webhooks/release');
    const ended = await Promise.all(
      orders.map(({ payment_order_id: id }) => room.until(id, ({ is_final }) => is_final)),
    );
    expect((await captures()) - before).toBe(20);
    for (const [at, done] of ended.entries()) {
      const { payment_order_id: id } = done;
      const declined = at % cards.length === 2;
      expect([done.payment_order_status, await room.charges(id)]).toEqual(
        declined ? ['FAILED', 0] : ['SUCCESS', 1],
      );
      expect(await registrations(id)).toHaveLength(1);
    }
  });

  proves('P-087', {
    asked: 'a second payment with the nonce is answered with the first',
    shown:
      'already_processed; the service, whose charge comes after one with its nonce, takes the first result',
    settings: ['answerWaitMs 60 s for 3 s', 'no webhook', 'askAfterMsMin 50', 'askAfterMsMax 300'],
    control: {
      in: 'payment-simulator/psp-store.ts',
      change: `    if (known !== undefined) {
      const same =`,
      to: `    if (known !== undefined && cause !== 'charge') {
      const same =`,
    },
  });
  it('P-087: the provider answers a second charge with the first, and the service takes it', async () => {
    const id = randomUUID();
    const { url, pin, certificate } = room.psp.addresses;
    const https = pinnedHttps({ baseUrl: url, apiKey, pins: [pin], authorities: certificate });
    onTestFinished(() => https.close());
    const charge = () =>
      https.call('POST', '/v1/charges', {
        nonce: id,
        amount_minor: '1050',
        currency: 'EUR',
        card_token: 'tok_captured',
        expires_at: new Date(Date.now() + 60_000).toISOString(),
      });
    // Else its webhook may end the order before the service has sent its own charge.
    await room.faults({ webhooks: { lost: 1 } });
    const first = await charge();
    expect(first).toMatchObject({ body: { already_processed: false, status: 'captured' } });
    const { reference } = (first as { body: { reference: string } }).body;
    const order = await room.pay({ payment_order_id: id, amount: '10.50' }, 'tok_captured');
    expect(requested.filter((nonce) => nonce === id)).toHaveLength(1);
    expect(order).toMatchObject({ payment_order_status: 'SUCCESS', captured_amount: '10.50', attempts: 1 });
    await room.settled(id);
    const { rows } = await room.sql.query(
      `SELECT psp_reference, source FROM payment_orders JOIN payment_order_history h USING (payment_order_id)
       WHERE payment_order_id = $1 AND h.to_status = 'SUCCESS'`,
      [id],
    );
    // From the answer to its own charge, and not from a later query.
    expect(rows).toEqual([{ psp_reference: reference, source: 'executor' }]);
    expect(await charge()).toMatchObject({
      status: 200,
      body: { already_processed: true, status: 'captured', reference },
    });
    expect([await room.charges(id), await room.ledgerTransfers(id)]).toEqual([1, 1]);
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

  it.each([
    ['tok_fraud', 'suspected_fraud'],
    ['tok_stolen', 'stolen_card'],
  ])('P-123, P-124: %s ends the order, and a person reviews it', async (card, cause) => {
    const { payment_order_id: id } = await room.pay({}, card);
    expect(await deadLettersOf(id)).toMatchObject([{ kind: 'payment', cause, attempts: 1 }]);
    // In the log, too: other services inspect it there.
    await eventually(async () =>
      expect(await logged(room.codecs.paymentDeadLetter, id)).toMatchObject([
        { subject: 'payment', subjectId: id, cause, attempts: 1 },
      ]),
    );
  });

  proves('P-123', {
    asked: 'attempt count and next time; dead letter with cause, can be inspected and retried',
    shown: 'in the log seven retries, count and time, and a letter; its cause over HTTP',
    settings: ['firstMs 20', 'capMs 200', 'no jitter', 'pspTimeoutMs 2,000', 'reviewAfterEventsPerHour 300'],
    control: {
      in: 'payment/orders/change-order.ts',
      change: 'dueMs: order.nextAttemptMs ?? nowMs,',
      to: 'dueMs: nowMs,',
    },
  });
  proves('P-125', {
    asked: 'cancelled, buyer informed, reservation released',
    shown: 'closed at the provider after eight attempts; guest and rooms in booking/payment-receivers',
    settings: ['firstMs 20', 'capMs 200', 'no jitter'],
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
    await eventually(async () =>
      expect(await logged(room.codecs.paymentDeadLetter, id)).toMatchObject([
        { subject: 'payment', subjectId: id, cause: 'retries_exhausted', attempts: 8 },
      ]),
    );
    await eventually(async () => expect(await logged(room.codecs.paymentRetry, id)).toHaveLength(7));
    const retries = await logged(room.codecs.paymentRetry, id);
    expect(retries.map(({ attempts }) => attempts)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(new Set(retries.map(({ cause }) => cause))).toEqual(new Set(['issuer_unavailable']));
    // Doubling from 20 ms, capped at 200, without jitter.
    expect(retries.map(({ dueMs, occurredMs }) => dueMs - occurredMs)).toEqual([
      20, 40, 80, 160, 200, 200, 200,
    ]);
    const closed = (await room.record()).filter(
      (line) => line.kind === 'payment' && line.payment.nonce === id,
    );
    expect(closed).toMatchObject([{ payment: { status: 'voided' }, cause: 'void' }]);
    expect(await deadLettersOf(id)).toMatchObject([
      { kind: 'payment', cause: 'retries_exhausted', attempts: 8, redriven_at: null },
    ]);
  });

  proves('P-123', {
    asked: 'over the threshold: re-drivable',
    shown: 'a card token charged directly: the new order never charges it, the buyer pays on a page',
    settings: ['firstMs 20', 'capMs 200', 'no jitter', 'pspTimeoutMs 2,000', 'reviewAfterEventsPerHour 300'],
    control: {
      in: 'payment/psp/https-psp.ts',
      change: 'order.cardToken === undefined && order.savedCard === undefined\n',
      to: 'order.cardToken === null\n',
    },
  });
  it('P-123: with a direct integration, the new order has a page too', async () => {
    await room.faults({ retryAfterS: 0 });
    const { payment_order_id: first } = await room.pay({}, 'tok_unavailable');
    await room.until(first, ({ is_final }) => is_final);
    const [letter] = await deadLettersOf(first);
    const answer = await redriven(letter!.id);
    const { new_payment_order_id: id } = (await answer.json()) as { new_payment_order_id: string };
    await room.typeCard(await room.until(id, ({ payment_page_url: url }) => url !== null));
    await room.settled(id);
    expect([await room.charges(first), await room.charges(id)]).toEqual([0, 1]);
  });

  proves('P-127', {
    asked: 'five strategies selectable, gaps observed with a fake clock exactly as documented, jitter stated',
    shown: 'PAYMENT_RETRY selects each; gaps of an order by the clock, at half of the jitter of production',
    settings: ['the clock of the step, which the test calls', 'a provider that refuses each attempt'],
    control: {
      in: 'payment/settings/retry-policy.ts',
      change: 'return firstMs * attempts;',
      to: 'return firstMs * (attempts + 1);',
    },
  });
  it.each([
    ['immediate', [0, 0, 0, 0, 0, 0, 0]],
    ['fixed', [1, 1, 1, 1, 1, 1, 1]],
    ['incremental', [1, 2, 3, 4, 5, 6, 7]],
    ['exponential', [1, 2, 4, 8, 16, 32, 64]],
    ['cancel', []],
    [undefined, [1, 2, 4, 8, 16, 32, 64]],
  ] as const)('P-127: PAYMENT_RETRY %s is kept by the clock', async (strategy, gapsS) => {
    const read = readConfig(settings, strategy === undefined ? {} : { PAYMENT_RETRY: strategy });
    if (!read.ok) throw new Error(read.faults.join(' '));
    const { retry } = paymentSettingsOf(read.config);
    expect(retry).toEqual({ ...retryDefaults, ...(strategy === undefined ? {} : { strategy }) });
    // Long after the background job looks.
    let clockMs = Date.now() + 10 * 86_400_000;
    const nowMs = () => clockMs;
    const id = randomUUID();
    await submitPayment(
      { ...room.service.submit, nowMs },
      {
        ...{ caller: 'ada', key: id, checkoutId: id, buyerAccount: id, fingerprint: fingerprintOf({}) },
        ...{ buyerInfo: '{}', cardInfo: '{"token":"tok_captured"}' },
        orders: [
          {
            ...{ id, sellerAccount: 'DE02', amount: '1.00' },
            money: { minor: 100n, currency: parseCurrency('EUR')! },
          },
        ],
      },
    );
    const { webhooks } = room.service;
    const away: Psp = {
      ...webhooks.providers.of(ownName)!,
      begin: () => Promise.resolve({ kind: 'refused', code: 'issuer_unavailable' }),
    };
    const providers = openProviders([away]);
    const deps = { ...webhooks, providers, nowMs, settings: { ...webhooks.settings, retry } };
    const observedMs: number[] = [];
    for (;;) {
      await executeOrder({ ...deps, random: () => 0.5 }, id);
      const order = (await readOrder(room.sql, id))!;
      expect(order.attempts).toBe(observedMs.length + 1);
      if (order.status === 'EXECUTING') break;
      observedMs.push(order.nextAttemptMs! - clockMs);
      // A moment too early nothing is tried.
      clockMs = order.nextAttemptMs! - 1;
      if (observedMs.at(-1)! > 0) {
        await executeOrder(deps, id);
        expect((await readOrder(room.sql, id))!.attempts).toBe(order.attempts);
      }
      clockMs = order.nextAttemptMs!;
    }
    expect(observedMs).toEqual(gapsS.map((gap) => gap * 500));
    expect(retryStrategies).toHaveLength(5);
  });

  proves('P-126', {
    asked: '409, 429 and 503 name the interval; client and executor obey',
    shown: 'the HTTPS client reads the 2 s of a 429 or 503, and the executor waits for them; ours in http',
    settings: ['firstMs 20', 'capMs 200', 'no jitter'],
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
    shown:
      'an order that the provider has: the query finds what became of it; the record has no other charge',
    settings: ['askAfterMsMin 50', 'askAfterMsMax 300', 'PAYMENT_ROUND_MS 20 for 200'],
    control: {
      in: 'payment/executor/resolve-order.ts',
      change: 'psp.cancel(pspOrderOf(order)) : psp.query(pspOrderOf(order));',
      to: 'psp.cancel(pspOrderOf(order)) : psp.begin(pspOrderOf(order), async () => true);',
    },
  });
  proves('P-069', {
    asked: 'no webhook at all: polling finds it',
    shown: 'found without any webhook, and charged once; within the stated time in moved-clock',
    settings: ['askAfterMsMin 50', 'askAfterMsMax 300', 'PAYMENT_ROUND_MS 20 for 200'],
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

  proves('P-069', {
    asked: 'poll and webhook at the same instant: one effect',
    shown: 'ten queries that all have the answer, ten webhooks: at once, and each kind first: one effect',
    settings: [
      'each of the ten queries is ten minutes later by its clock than the one before, so none waits',
      'askAfterMsMin 50',
      'askAfterMsMax 300',
      'PAYMENT_ROUND_MS 20 for 200',
    ],
    control: {
      in: 'payment/orders/change-order.ts',
      change: `
      AND o.version = w.version AND o.payment_order_status = w.was`,
      to: '',
    },
  });
  it.each(['at once', 'the webhooks first', 'the queries first'])(
    'P-069: ten queries and ten webhooks of one payment, %s, have one effect',
    async (sequence) => {
      await room.faults({ webhooks: { lost: 1 } });
      const id = randomUUID();
      // Every query that finds the capture waits here with the answer, until all ten have it.
      let [held, release] = [0, () => {}];
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      client = {
        ...clientOfRoom,
        query: async (order) => {
          const answer = await clientOfRoom.query(order);
          if (order.nonce === id && answer.kind === 'known' && answer.value.status === 'captured') {
            held += 1;
            await gate;
          }
          return answer;
        },
      };
      onTestFinished(() => {
        release();
        client = undefined;
      });
      await room.pay({ payment_order_id: id }, 'tok_processing');
      await room.control('POST', '/payments', { nonce: id, status: 'captured' });
      const captured = await room.payment(id);
      const polls: Promise<void>[] = [];
      while (held < 10) {
        const [before, aheadMs] = [held, (polls.length + 1) * 600_000];
        let isOver = false;
        const deps = { ...room.service.webhooks, nowMs: () => Date.now() + aheadMs };
        polls.push(
          resolveOrder(deps, id).finally(() => {
            isOver = true;
          }),
        );
        // One whose order was changed at that moment by the job of the room asks nobody.
        await eventually(() => expect(isOver || held > before).toBe(true));
      }
      expect(await room.get(id)).toMatchObject({
        payment_order_status: 'EXECUTING',
        captured_amount: '0.00',
      });
      const sendTen = () =>
        Promise.all(
          Array.from({ length: 10 }, async () => (await room.webhook('payment.captured', captured)).status),
        );
      const answerAll = () => {
        release();
        return Promise.all(polls);
      };
      let statuses: number[];
      if (sequence === 'at once') [statuses] = await Promise.all([sendTen(), answerAll()]);
      else if (sequence === 'the webhooks first') {
        statuses = await sendTen();
        await answerAll();
      } else {
        await answerAll();
        statuses = await sendTen();
      }
      expect(statuses).toEqual(Array.from({ length: 10 }, () => 204));
      const done = await room.settled(id);
      expect(done).toMatchObject({ payment_order_status: 'SUCCESS', captured_amount: '10.50' });
      expect([await room.charges(id), await room.ledgerTransfers(id)]).toEqual([1, 1]);
      const ends = `SELECT count(*) AS n FROM payment_order_history
        WHERE payment_order_id = $1 AND to_status = 'SUCCESS'`;
      const announced = `SELECT count(*) AS n FROM payment_outbox
        WHERE key = $1 AND topic = $2 AND payload->>'reason' = 'captured'`;
      expect(await room.count(ends, [id])).toBe(1);
      expect(await room.count(announced, [id, paymentOrderLifecycle.name])).toBe(1);
    },
  );

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
    settings: [
      'leaseMs an hour for 15 s for the ten',
      'the clock of the copies is ten minutes ahead, and stands still for the two',
      'copies are in one process: in several in the long run',
    ],
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
    asked: 'over-age: one alert (metric and event), once; clears when resolved',
    shown: 'after 10 min: one event over six checks, two at once, one when it clears; gauge; none while held',
    settings: ['the clock of the checks, 10 min ahead'],
    control: {
      in: 'payment/executor/due-work.ts',
      change: 'WHERE NOT is_final AND alerted_at IS NOT NULL',
      to: 'WHERE alerted_at IS NOT NULL',
    },
  });
  proves('P-052', {
    asked: 'over-age: an alert (metric and event)',
    shown: 'not at its age of 10 min, but 1 ms later: the event is in the log, and the rules name the gauge',
    settings: ['the clock of the checks, 10 min ahead'],
    control: {
      in: 'payment/executor/due-work.ts',
      change: 'AND o.created_at < $2',
      to: 'AND o.created_at <= $2',
    },
  });
  it('P-052: an order that takes too long raises one alert, which clears', async () => {
    const id = await left();
    const createdMs = (await readOrder(room.sql, id))!.createdMs;
    const overdueAt = (ms: number) => alertOverdue({ ...room.service.webhooks, nowMs: () => createdMs + ms });
    const gauge = async () => {
      const { text } = await room.metrics.scrape();
      return Number(/^payments_overdue (\d+)$/m.exec(text)?.[1]);
    };
    const notices = async () => {
      const { rows } = await room.sql.query<{ kind: number }>(
        `SELECT (payload->>'kind')::int AS kind FROM payment_outbox WHERE topic = 'payment.notice.v1' AND key = $1 ORDER BY id`,
        [id],
      );
      return rows.map(({ kind }) => kind);
    };
    const { overdueMs } = paymentDefaults;
    // Of earlier tests.
    const before = await overdueAt(overdueMs);
    expect([overdueMs, await gauge(), await notices()]).toEqual([600_000, before, []]);
    expect(await overdueAt(overdueMs + 1)).toBe(before + 1);
    for (let times = 0; times < 3; times += 1) await overdueAt(overdueMs + 1_000);
    await Promise.all([overdueAt(2 * overdueMs), overdueAt(2 * overdueMs)]);
    const raised = await gauge();
    expect(raised).toBe(before + 1);
    expect(await notices()).toEqual([noticeKind.overdueRaised]);
    expect(await readFile(alertRules, 'utf8')).toContain('\n          payments_overdue > 0\n');
    await room.control('POST', '/payments', { nonce: id, status: 'captured' });
    await room.settled(id);
    const both = [noticeKind.overdueRaised, noticeKind.overdueCleared];
    expect(await notices()).toEqual(both);
    // Other services hear of it, too.
    const heard = async () => (await logged(room.codecs.paymentNotice, id)).map(({ kind }) => kind);
    await eventually(async () => expect(await heard()).toEqual(both));
    await overdueAt(2 * overdueMs);
    expect(await gauge()).toBe(raised - 1);
    expect(await notices()).toEqual(both);
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
    expect(await deadLettersOf(refundId)).toEqual([]);
    expect(await logged(room.codecs.paymentDeadLetter, refundId)).toEqual([]);
  });

  proves('P-123', {
    asked: 'over the threshold: a dead letter with cause, which can be inspected and re-driven',
    shown: 'a refund over HTTP: 7 retries, a letter, listed, re-driven, counted again to another; made once',
    settings: ['firstMs 20', 'capMs 200', 'no jitter', 'pspTimeoutMs 2,000', 'reviewAfterEventsPerHour 300'],
    control: {
      in: 'payment/orders/redrive-dead-letter.ts',
      change: 'UPDATE payment_refunds SET attempts = 0, next_attempt_at',
      to: 'UPDATE payment_refunds SET attempts = attempts, next_attempt_at',
    },
  });
  it('P-123: a refund that failed for too long is listed and re-driven, and is then made once', async () => {
    const { payment_order_id: id } = await room.pay({}, 'tok_captured');
    await room.settled(id);
    const refundId = randomUUID();
    const busy = Array.from({ length: 1_000 }, () => ({ operation: 'refunds', fault: 'busy' as const }));
    await room.faults({ next: busy, retryAfterS: 0 });
    await room.refund(id, { refund_id: refundId, amount: '4.00', reason: 'one night less' });
    const attemptsOf = async (which: 'paymentRetry' | 'paymentDeadLetter') =>
      (await logged(room.codecs[which], refundId)).map(({ attempts }) => attempts);
    await eventually(async () => expect(await attemptsOf('paymentDeadLetter')).toEqual([attemptsMax]));
    expect((await attemptsOf('paymentRetry')).slice(0, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const [letter] = await deadLettersOf(refundId);
    expect(letter).toMatchObject({ kind: 'refund', attempts: attemptsMax, cause: 'rate_limited' });

    expect((await redriven(letter!.id)).status).toBe(200);
    expect((await redriven(letter!.id)).status).toBe(409);
    // Its attempts are counted again.
    await eventually(async () =>
      expect(await attemptsOf('paymentDeadLetter')).toEqual([attemptsMax, attemptsMax]),
    );
    expect((await attemptsOf('paymentRetry')).filter((attempts) => attempts === 1)).toHaveLength(2);
    await room.faults({});
    await room.until(id, ({ refunded_amount: back }) => back === '4.00');
    const made = (await room.record()).filter(
      (line) =>
        line.kind === 'refund' && line.refund.paymentNonce === id && line.refund.status === 'refunded',
    );
    expect(made).toMatchObject([{ refund: { nonce: refundId, amountMinor: '400' } }]);
    await eventually(async () => expect(await room.ledgerTransfers(id, `refund:${refundId}`)).toBe(1));
  });
});

describe('the provider’s certificate', () => {
  proves('P-112', {
    asked: 'another valid certificate: refused, order open, alert; two pins rotate',
    shown: 'a trusted certificate with another key: no charge, one notice, a rule; both pinned: charged once',
    control: {
      in: 'payment/psp/pinned-https.ts',
      change: 'return pins.includes(pin)\n',
      to: 'return pins.includes(pin) || pins.length > 0\n',
    },
  });
  it('P-112: a valid certificate that is not pinned is rejected and reported; two pins rotate', async () => {
    const { url, pin, certificate } = room.psp.addresses;
    const ask = async (pins: readonly string[], authorities: string) => {
      const https = pinnedHttps({ baseUrl: url, apiKey, pins, authorities });
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
    // The next key is pinned beside the old one before the provider changes, in either order.
    const next = Buffer.alloc(32).toString('base64');
    for (const pins of [
      [pin, next],
      [next, pin],
    ])
      expect(await ask(pins, certificate)).toBe('absent');
    const swapped = await room.control<{ certificate: string; pin: string }>('POST', '/certificate');
    expect(swapped.pin).not.toBe(pin);
    const both = certificate + swapped.certificate;
    expect(await ask([pin], both)).toBe('suspect');
    for (const pins of [
      [pin, swapped.pin],
      [swapped.pin, pin],
    ])
      expect(await ask(pins, both)).toBe('absent');
    const charging = (pins: readonly string[]) => {
      const https = pinnedHttps({ baseUrl: url, apiKey, pins, authorities: both });
      onTestFinished(() => https.close());
      return directPsp(https, { success: 'https://a.invalid', failure: 'https://a.invalid' }, []);
    };
    client = charging([pin]);
    const order = await room.pay({}, 'tok_captured');
    expect(order).toMatchObject({ payment_order_status: 'EXECUTING', is_final: false });
    const notices = () =>
      room.count(
        `SELECT count(*) AS n FROM payment_outbox WHERE key = $1 AND topic = 'payment.notice.v1' AND payload->>'kind' = '4'`,
        [order.payment_order_id],
      );
    await eventually(async () => expect(await notices()).toBe(1));
    // The alert: an error in the output, and a metric of the group that reads the notices, with a rule.
    expect(await readFile(alertRules, 'utf8')).toContain(
      '\n          increase(payment_notices_total{kind="providerSuspect"}[15m]) > 0\n',
    );
    expect(room.logLines.filter((line) => line.includes('is not pinned')).length).toBeGreaterThan(0);
    await eventually(async () =>
      expect((await room.metrics.scrape()).text).toMatch(
        /^payment_notices_total\{[^}]*kind="providerSuspect"[^}]*\} 1$/m,
      ),
    );
    expect(await registrations(order.payment_order_id)).toEqual([]);
    expect(await room.get(order.payment_order_id)).toMatchObject({
      payment_order_status: 'EXECUTING',
      failure_code: 'provider_suspect',
    });
    client = charging([pin, swapped.pin]);
    await room.settled(order.payment_order_id);
    expect(await room.charges(order.payment_order_id)).toBe(1);
    expect(await notices()).toBe(1);
    expect(() => pinnedHttps({ baseUrl: 'http://127.0.0.1:1', apiKey, pins: [pin] })).toThrow('https://');
    expect(() => pinnedHttps({ baseUrl: url, apiKey, pins: [] })).toThrow('pinned');
  });
});
