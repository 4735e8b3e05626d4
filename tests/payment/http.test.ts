import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCurrency } from '#payment/money/currency.js';
import { eraseBuyer } from '#payment/orders/erase-buyer.js';
import { fingerprintOf } from '#payment/orders/idempotency-key.js';
import type { Submission } from '#payment/orders/submission.js';
import { forgetOldKeys, submitPayment } from '#payment/orders/submit-payment.js';
import { openProviders } from '#payment/psp/providers.js';
import { paymentDefaults } from '#payment/settings/settings.js';
import type { PaymentEvent, PaymentOrder } from '#schemas/http/payments.js';
import { topics } from '#schemas/topics.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
/** The nonce of each call that starts a payment: the provider records a repeated one once. */
const requested: string[] = [];
/** Of each query, its nonce. */
const queried: string[] = [];
/** What such a call waits for. */
let providerMayAnswer: Promise<void> = Promise.resolve();
beforeAll(async () => {
  room = await OrdersRoom.open({
    settings: { eventsPerSellerAMinuteOf: new Map([['busy', 2n]]) },
    providers: (own) =>
      openProviders([
        {
          ...own,
          begin: async (order, keep) => {
            requested.push(order.nonce);
            await providerMayAnswer;
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

interface Problem {
  readonly code: string;
  readonly status: number;
  readonly errors?: readonly { readonly pointer: string }[];
}

const problemOf = async (response: Response): Promise<Problem> => {
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  return (await response.json()) as Problem;
};

describe('the hosted page', () => {
  proves('P-024', {
    asked: 'false until every order is terminal and its flags are true; never false again',
    shown:
      'false at first, true when the order is settled, and no statement sets it back; three orders in P-007',
    control: {
      in: 'payment/schema/orders.ts',
      change: 'IF OLD.is_payment_done AND NOT NEW.is_payment_done THEN',
      to: 'IF OLD.is_payment_done AND NEW.is_payment_done IS NULL THEN',
    },
  });
  proves('P-062', {
    asked: 'the registration has currency, amount, expiry and UUID; its token is stored',
    shown: 'all four as submitted, the token of the record in the row of the order; lost twice, one (below)',
    settings: ['firstMs 20', 'capMs 200', 'no jitter'],
    control: {
      in: 'payment/psp/https-psp.ts',
      change: 'expires_at: new Date(expiresMs).toISOString(),',
      to: 'expires_at: new Date(2 * expiresMs - Date.now()).toISOString(),',
    },
  });
  proves('P-064', {
    asked: 'the redirect carries tokenID and payResult',
    shown: 'the token of the order and success, in the address to which the page sends the browser',
    control: {
      in: 'payment-simulator/page.ts',
      change: "target.searchParams.set('tokenID', token);",
      to: "target.searchParams.set('token', token);",
    },
  });
  it('P-001, P-024, P-060, P-062, P-063, P-064, P-065: from checkout to a settled payment', async () => {
    const body = room.body([{ amount: '10.50' }]);
    const response = await room.post(body);
    expect(response.status).toBe(201);
    const event = (await response.json()) as PaymentEvent;
    expect(event).toMatchObject({ checkout_id: body['checkout_id'], is_payment_done: false });
    const [order] = event.payment_orders;
    expect(order).toMatchObject({
      payment_order_status: 'EXECUTING',
      pending: 'buyer',
      amount: '10.50',
      captured_amount: '0.00',
      ledger_updated: false,
      wallet_updated: false,
    });
    const [registered] = (await room.record()).filter(
      (line) => line.kind === 'payment' && line.payment.nonce === order!.payment_order_id,
    );
    expect(registered).toMatchObject({
      cause: 'registration',
      payment: {
        amountMinor: '1050',
        currency: 'EUR',
        token: order!.token,
        expiresMs: Date.parse(order!.expires_at),
      },
    });
    const { rows } = await room.sql.query<{ created_at: Date }>(
      'SELECT created_at FROM payment_orders WHERE payment_order_id = $1',
      [order!.payment_order_id],
    );
    expect(rows[0]!.created_at.getTime()).toBeLessThanOrEqual(registered!.atMs);
    // P-038: whoever knows the page's address can rely on the row.
    expect(order).toMatchObject({ payment_page_url: expect.stringContaining(order!.token!) });
    expect(
      await room.count(
        'SELECT count(*) AS n FROM payment_orders WHERE psp_token = $1 AND payment_order_id = $2',
        [order!.token!, order!.payment_order_id],
      ),
    ).toBe(1);
    const page = await room.typeCard(order!);
    expect(page).toMatchObject({ status: 303 });
    const back = new URL(page.location).searchParams;
    expect([back.get('tokenID'), back.get('payResult')]).toEqual([order!.token, 'success']);
    const done = await room.settled(order!.payment_order_id);
    expect(done).toMatchObject({ is_final: true, pending: null, captured_amount: '10.50' });
    const { rows: events } = await room.sql.query(
      'SELECT is_payment_done FROM payment_events WHERE checkout_id = $1',
      [body['checkout_id'] as string],
    );
    expect(events).toEqual([{ is_payment_done: true }]);
    await expect(
      room.sql.query('UPDATE payment_events SET is_payment_done = false WHERE checkout_id = $1', [
        body['checkout_id'] as string,
      ]),
    ).rejects.toThrow(/is done/);
    expect(await room.charges(order!.payment_order_id)).toBe(1);
    expect(await room.ledgerTransfers(order!.payment_order_id)).toBe(1);
  });

  it('P-062: a registration without an answer is repeated with the same UUID, and is one', async () => {
    const next = (['drop-before', 'drop-after'] as const).map((fault) => ({
      operation: 'registrations',
      fault,
    }));
    await room.faults({ next });
    const { payment_order_id: id } = await room.pay();
    const order = await room.until(id, ({ payment_page_url: page }) => (page ?? null) !== null);
    expect(order.attempts).toBeGreaterThan(1);
    const lines = (await room.record()).filter(
      (line) => line.kind === 'payment' && line.cause === 'registration' && line.payment.nonce === id,
    );
    expect(lines).toHaveLength(1);
    await room.faults({});
    await room.typeCard(order);
    await room.settled(id);
    expect(await room.charges(id)).toBe(1);
  });

  proves('P-007', {
    asked: '2nd of 3 declined: 1st and 3rd succeed; done when all are terminal; the buyer told per order',
    shown:
      'three on the page: not done after two, done after the third; the buyer reads each end and its reason',
    control: {
      in: 'payment/orders/finish-event.ts',
      change: "         AND NOT (is_final AND (payment_order_status = 'FAILED' OR",
      to: "         AND is_final AND NOT ((payment_order_status = 'FAILED' OR",
    },
  });
  it('P-007: of three orders the second is declined; the event ends when all have ended', async () => {
    const [body, key] = [room.body([{}, {}, {}]), randomUUID()];
    const response = await room.post(body, { key });
    const { checkout_id, payment_orders: orders } = (await response.json()) as PaymentEvent;
    await room.typeCard(orders[0]!);
    await room.typeCard(orders[1]!, '4000000000000002');
    await room.settled(orders[0]!.payment_order_id);
    const declined = await room.until(orders[1]!.payment_order_id, (order) => order.is_final);
    expect(declined).toMatchObject({ payment_order_status: 'FAILED', failure_code: 'card_declined' });
    const done = () =>
      room.count('SELECT count(*) AS n FROM payment_events WHERE is_payment_done AND checkout_id = $1', [
        checkout_id,
      ]);
    expect(await done()).toBe(0);
    await room.typeCard(orders[2]!);
    await room.settled(orders[2]!.payment_order_id);
    expect(await done()).toBe(1);
    const reason = 'Your card was declined.';
    const ends = [
      ['SUCCESS', true, '10.50', null, null],
      ['FAILED', true, '0.00', 'card_declined', reason],
      ['SUCCESS', true, '10.50', null, null],
    ];
    const endOf = (order: PaymentOrder) => [
      ...[order.payment_order_status, order.is_final, order.captured_amount],
      ...[order.failure_code, order.failure_message],
    ];
    // The buyer sees it order by order, and in the whole event.
    const read = await Promise.all(orders.map(({ payment_order_id: id }) => room.get(id)));
    expect(read.map(endOf)).toEqual(ends);
    const whole = (await (await room.post(body, { key })).json()) as PaymentEvent;
    expect(whole.is_payment_done).toBe(true);
    expect(whole.payment_orders.map(endOf)).toEqual(ends);
    expect(await Promise.all(orders.map(({ payment_order_id: id }) => room.charges(id)))).toEqual([1, 0, 1]);
  });

  proves('P-064', {
    asked: 'payResult changes nothing; repeated nothing; unknown 404',
    shown: 'success and failure, twice each: the whole row as before; if asked again, its state; unknown 404',
    settings: [
      'no webhook, and the next query after an hour',
      'changed_at an hour ahead, then 10 s back: the redirect asks the provider after reloadAskMs 1 s',
    ],
    control: {
      in: 'payment/http/provider-routes.ts',
      change: 'const id = ofOrder ?? (await orderIdOfPage(service.sql, query.tokenID));',
      to: `const id = ofOrder ?? (await orderIdOfPage(service.sql, query.tokenID));
      if (query.payResult === 'success')
        await service.sql.query(
          'UPDATE payment_orders SET attempts = attempts + 1, changed_at = now() WHERE psp_token = $1',
          [query.tokenID],
        );`,
    },
  });
  it('P-064: parameters from the browser are not trusted', async () => {
    // Nothing else may change the order meanwhile: neither a webhook nor a query.
    await room.faults({ webhooks: { lost: 1 } });
    const order = await room.pay();
    await room.faults({});
    const lastChanged = (at: string) =>
      room.sql.query(
        `UPDATE payment_orders SET next_attempt_at = now() + interval '1 hour', version = version + 1,
           changed_at = now() + $2::interval WHERE payment_order_id = $1`,
        [order.payment_order_id, at],
      );
    await lastChanged('1 hour');
    const stored = async () => {
      const rowsOf = async (table: string, key: string) =>
        (
          await room.sql.query<{ row: string }>(
            `SELECT to_jsonb(t)::text AS row FROM ${table} t WHERE ${key} = $1 ORDER BY 1`,
            [order.payment_order_id],
          )
        ).rows;
      return {
        // Every column: the version and the time of the last change, too.
        order: await rowsOf('payment_orders', 'payment_order_id'),
        history: await rowsOf('payment_order_history', 'payment_order_id'),
        told: (await rowsOf('payment_outbox', 'key')).length,
      };
    };
    const before = await stored();
    expect(before.order).toHaveLength(1);
    const back = (token: string, result: string) =>
      fetch(`${room.url}/v1/payment-return?tokenID=${token}&payResult=${result}`);
    for (const result of ['success', 'success', 'failure', 'failure']) {
      const answer = await back(order.token!, result);
      expect(await answer.json()).toEqual({
        payment_order_id: order.payment_order_id,
        payment_order_status: 'EXECUTING',
        is_final: false,
      });
    }
    expect(await stored()).toEqual(before);
    // A buyer who was longer on the page: the redirect asks the provider, and believes only its answer.
    const { changed_at: _, next_attempt_at: __, version: ___, ...state } = JSON.parse(before.order[0]!.row);
    expect(state).toMatchObject({ payment_order_status: 'EXECUTING', pending: 'buyer', is_final: false });
    for (const result of ['success', 'success', 'failure', 'failure']) {
      await lastChanged('-10 seconds');
      const asked = queried.length;
      expect(await (await back(order.token!, result)).json()).toMatchObject({
        ...{ payment_order_status: 'EXECUTING', is_final: false },
      });
      expect(queried.slice(asked)).toContain(order.payment_order_id);
      const after = await stored();
      expect(JSON.parse(after.order[0]!.row)).toMatchObject(state);
      expect({ ...after, order: before.order }).toEqual(before);
    }
    expect(await room.charges(order.payment_order_id)).toBe(0);
    expect((await back('reg_nobody', 'success')).status).toBe(404);
  });
});

describe('limits of a request', () => {
  const refused = async (change: (body: Record<string, unknown>) => void): Promise<Problem> => {
    const body = structuredClone(room.body());
    change(body);
    const response = await room.post(body);
    expect(response.status).toBe(400);
    return problemOf(response);
  };
  const firstOrder = (body: Record<string, unknown>) =>
    (body['payment_orders'] as Record<string, unknown>[])[0]!;

  proves('P-060', {
    asked: 'each missing field → 400 naming it',
    shown: 'each of the four fields of an event; each of the four of an order in the test below',
    control: {
      in: 'schemas/http/payments.ts',
      change: '    credit_card_info: CreditCardInfo,\n',
      to: '    credit_card_info: Type.Optional(CreditCardInfo),\n',
    },
  });
  it.each(['buyer_info', 'checkout_id', 'credit_card_info', 'payment_orders'])(
    'P-060: refuses a request without %s and names the field',
    async (field) => {
      const { errors } = await refused((body) => delete body[field]);
      expect(errors?.map(({ pointer }) => pointer)).toEqual([`/${field}`]);
    },
  );

  it.each(['seller_account', 'amount', 'currency', 'payment_order_id'])(
    'P-060: refuses an order without %s and names the field',
    async (field) => {
      const { errors } = await refused((body) => delete firstOrder(body)[field]);
      expect(errors?.map(({ pointer }) => pointer)).toEqual([`/payment_orders/0/${field}`]);
    },
  );

  proves('P-060', {
    asked: 'each wrong field → 400 naming it',
    shown: '27 wrong values of all eight fields and of the token of the card: the error names just the field',
    control: {
      in: 'payment/http/parse-payment.ts',
      change: `pointer: \`\${pointer}/\${parsed.field}\`,`,
      to: 'pointer,',
    },
  });
  it.each<[string, unknown]>([
    ['/checkout_id', 5],
    ['/checkout_id', ''],
    ['/checkout_id', 'x'.repeat(65)],
    ['/checkout_id', 'a b'],
    ['/checkout_id', null],
    ['/buyer_info', 'Ada'],
    ['/buyer_info', null],
    ['/buyer_info', { note: 'x'.repeat(5_000) }],
    ['/buyer_info/account', 7],
    ['/credit_card_info', 'tok_captured'],
    ['/credit_card_info', null],
    ['/credit_card_info/token', 5],
    ['/payment_orders', {}],
    ['/payment_orders', 'one'],
    ['/payment_orders/0', null],
    ['/payment_orders/0/seller_account', 7],
    ['/payment_orders/0/seller_account', ''],
    ['/payment_orders/0/seller_account', 'DE89;DROP'],
    ['/payment_orders/0/payment_order_id', 5],
    ['/payment_orders/0/payment_order_id', ''],
    ['/payment_orders/0/payment_order_id', 'a b'],
    ['/payment_orders/0/amount', 10.5],
    ['/payment_orders/0/amount', '-1'],
    ['/payment_orders/0/amount', '10.501'],
    ['/payment_orders/0/currency', 978],
    ['/payment_orders/0/currency', 'eur'],
    ['/payment_orders/0/currency', 'XYZ'],
  ])('P-060: refuses the wrong value of %s and names the field: %j', async (pointer, value) => {
    const { errors } = await refused((body) => {
      const names = pointer.slice(1).split('/');
      const last = names.pop()!;
      let parent = body;
      for (const name of names) parent = parent[name] as Record<string, unknown>;
      parent[last] = value;
    });
    expect(new Set(errors?.map(({ pointer: named }) => named))).toEqual(new Set([pointer]));
  });

  it('P-060: an id that two orders of the event share is refused by name', async () => {
    const { errors } = await refused(
      (body) => (body['payment_orders'] = [firstOrder(body), firstOrder(body)]),
    );
    expect(errors?.map(({ pointer }) => pointer)).toEqual(['/payment_orders/1/payment_order_id']);
  });

  proves('P-060', {
    asked: '201 with the ids and statuses of payment_orders[1..n]',
    shown: 'one, three and a hundred orders: the ids as sent, in their order, each EXECUTING and open',
    settings: ['answerWaitMs 60 s for 3 s: 201 on a slow machine, too'],
    control: {
      in: 'payment/orders/payment-view.ts',
      change: 'payment_orders: orders.map((order) =>',
      to: 'payment_orders: orders.toReversed().map((order) =>',
    },
  });
  it.each([1, 3, 100])('P-060: the 201 has the ids and the statuses of its %i orders', async (count) => {
    const ids = Array.from({ length: count }, () => randomUUID());
    const body = room.body(ids.map((id) => ({ payment_order_id: id })));
    const response = await room.post(body, { token: 'customer.ann' });
    expect(response.status).toBe(201);
    const event = (await response.json()) as PaymentEvent;
    expect(event.checkout_id).toBe(body['checkout_id']);
    expect(
      event.payment_orders.map((order) => [
        order.payment_order_id,
        order.payment_order_status,
        order.is_final,
      ]),
    ).toEqual(ids.map((id) => [id, 'EXECUTING', false]));
  });

  proves('P-060', {
    asked: 'no orders 400',
    shown: 'none, 101, unknown and polluting fields: 400, and the error names what is wrong',
    control: {
      in: 'schemas/http/payments.ts',
      change: '{ minItems: 1, maxItems: 100 }',
      to: '{ minItems: 0, maxItems: 100 }',
    },
  });
  it('P-060: no orders, a hundred and one, unknown and polluting fields are refused', async () => {
    const named = async (change: (body: Record<string, unknown>) => void) =>
      (await refused(change)).errors?.map(({ pointer }) => pointer);
    expect(await named((body) => (body['payment_orders'] = []))).toEqual(['/payment_orders']);
    expect(
      await named(
        (body) =>
          (body['payment_orders'] = Array.from({ length: 101 }, () => ({
            ...firstOrder(body),
            payment_order_id: randomUUID(),
          }))),
      ),
    ).toEqual(['/payment_orders']);
    for (const field of ['is_admin', 'payment_order_status', 'ledger_updated'])
      expect(await named((body) => (firstOrder(body)[field] = true))).toEqual([`/payment_orders/0/${field}`]);
    const whole = JSON.stringify(room.body());
    for (const field of ['__proto__', 'constructor']) {
      const answer = await room.post(whole.replace('{', `{"${field}": {"a": 1},`));
      expect(answer.status).toBe(400);
      expect(await problemOf(answer)).toMatchObject({ detail: expect.stringContaining(` ${field},`) });
    }
  });

  proves('P-032', {
    asked: 'eleven forms are refused: a number, "", "-1", "0", "1e3", …; too many decimals or digits',
    shown: 'all of them, and three more, over HTTP: 400, and the first error names the amount of the order',
    control: {
      in: 'payment/money/money.ts',
      change: "  if (minor === 0n) return refuse('amount', 'The amount must be above zero.');\n",
      to: '',
    },
  });
  it.each([
    10,
    '',
    '-1',
    '0',
    '0.00',
    '1e3',
    '1,000',
    'NaN',
    ' 1',
    '１０',
    '1.001',
    '.5',
    '5.',
    '1234567890123456',
  ])('P-032: refuses the amount %j', async (amount) => {
    const { errors } = await refused((body) => (firstOrder(body)['amount'] = amount));
    expect(errors?.[0]?.pointer).toBe('/payment_orders/0/amount');
  });

  proves('P-032', {
    asked: 'the echo is equal to the input',
    shown: '"10", "10.00", "0.01" and the largest amount over HTTP: each is in the answer as it was sent',
    control: {
      in: 'payment/orders/payment-view.ts',
      change: '    amount: order.amount,\n',
      to: '    amount: money(order.amountMinor),\n',
    },
  });
  it.each(['10', '10.00', '0.01', '9999999999999.99'])(
    'P-032: accepts the amount %j and echoes it',
    async (amount) => {
      expect(await room.pay({ amount })).toMatchObject({ amount });
    },
  );

  proves('P-034', {
    asked: 'unknown codes and mixed currencies are refused',
    shown: 'XYZ, eur, EUR with USD, JPY with decimals',
    control: {
      in: 'payment/http/parse-payment.ts',
      change: `    const [first] = orders;
    if (first !== undefined && first.money.currency !== parsed.money.currency)
      errors.push({ pointer: \`\${pointer}/currency\`, message: messages.severalCurrencies });
`,
      to: '',
    },
  });
  it('P-034: unknown, lower-case or mixed currencies are refused; JPY has no decimals', async () => {
    for (const code of ['XYZ', 'eur']) {
      const { errors } = await refused((body) => (firstOrder(body)['currency'] = code));
      expect(errors?.map(({ pointer }) => pointer)).toEqual(['/payment_orders/0/currency']);
    }
    const mixed = await room.post(room.body([{ currency: 'EUR' }, { currency: 'USD' }]));
    expect((await problemOf(mixed)).errors?.[0]?.pointer).toBe('/payment_orders/1/currency');
    expect((await room.post(room.body([{ currency: 'JPY', amount: '10.5' }]))).status).toBe(400);
    expect(await room.pay({ currency: 'JPY', amount: '105' })).toMatchObject({ captured_amount: '0' });
  });

  proves('P-020', {
    asked: 'primary key; a second POST with the checkout_id makes no second event',
    shown:
      '409 for another caller, with other orders and ten at once: one event; a raw insert fails by the key',
    control: {
      in: 'payment/http/payment-routes.ts',
      change: "    case 'taken':\n",
      to: `    case 'taken':
      if (outcome.what === 'checkout_id') return { status: 200, body: (await service.view(checkoutId))! };
`,
    },
  });
  proves('P-030', {
    asked: 'primary key, unique also across events; reuse in another event is refused',
    shown: '409 for the same and another caller, no event is stored; a raw insert fails by the key',
    control: {
      in: 'payment/orders/store-submissions.ts',
      change: `    RETURNING payment_order_id, fee_basis_points, fee_fixed_minor
  ), risk AS (
    INSERT INTO payment_risk_checks (payment_order_id, decision, reason, source, at)
    SELECT id, decision, reason, source, at FROM new_order
  ), announced AS (
    INSERT INTO payment_outbox (event_id, topic, key, payload, created_at)
    SELECT message ->> 'eventId', $3, id, message, at FROM new_order
`,
      to: `    ON CONFLICT DO NOTHING
    RETURNING payment_order_id, fee_basis_points, fee_fixed_minor
  ), risk AS (
    INSERT INTO payment_risk_checks (payment_order_id, decision, reason, source, at)
    SELECT id, decision, reason, source, at FROM new_order
  ), announced AS (
    INSERT INTO payment_outbox (event_id, topic, key, payload, created_at)
    SELECT message ->> 'eventId', $3, id, message, at FROM new_order
    ON CONFLICT DO NOTHING
`,
    },
  });
  it('P-020, P-030: a checkout id and a payment order id can be used once, by any caller', async () => {
    const body = room.body();
    expect((await room.post(body)).status).toBe(201);
    const again = await room.post(body, { token: 'customer.bob' });
    expect(again.status).toBe(409);
    const text = await again.text();
    expect(text).not.toContain('Ada');
    // Nor does it take other orders later.
    for (const extra of [{}, { one_page: true }]) {
      const later = await room.post(room.body([{}], { ...extra, checkout_id: body['checkout_id'] }));
      expect(later.status).toBe(409);
      expect(await problemOf(later)).toMatchObject({ detail: 'The checkout_id is already in use.' });
    }
    expect(
      await room.count('SELECT count(*) AS n FROM payment_orders WHERE checkout_id = $1', [
        body['checkout_id'] as string,
      ]),
    ).toBe(1);
    const events = (checkoutId: unknown) =>
      room.count('SELECT count(*) AS n FROM payment_events WHERE checkout_id = $1', [checkoutId as string]);
    expect(await events(body['checkout_id'])).toBe(1);
    const fresh = room.body();
    const atOnce = await Promise.all(
      Array.from({ length: 10 }, () =>
        room.post(room.body([{}], { checkout_id: fresh['checkout_id'] })).then(({ status }) => status),
      ),
    );
    expect(atOnce.toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    expect(await events(fresh['checkout_id'])).toBe(1);
    const [order] = body['payment_orders'] as { payment_order_id: string }[];
    for (const token of ['customer.ada', 'customer.bob']) {
      const other: Record<string, unknown> = { ...room.body(), payment_orders: [order] };
      expect((await room.post(other, { token })).status).toBe(409);
      expect(await events(other['checkout_id'])).toBe(0);
    }
    // Without a check of the application: the keys of the tables.
    await expect(
      room.sql.query(
        `INSERT INTO payment_events SELECT (jsonb_populate_record(e, '{"caller": "bob"}')).*
         FROM payment_events e WHERE checkout_id = $1`,
        [body['checkout_id'] as string],
      ),
    ).rejects.toThrow('payment_events_pkey');
    await expect(
      room.sql.query(
        `INSERT INTO payment_orders SELECT (o).* FROM (
           SELECT jsonb_populate_record(p, jsonb_build_object('checkout_id', $2::text, 'position', 9, 'psp_token', NULL)) AS o
           FROM payment_orders p WHERE payment_order_id = $1) x`,
        [order!.payment_order_id, fresh['checkout_id'] as string],
      ),
    ).rejects.toThrow('payment_orders_pkey');
  });

  it('P-021: data of a buyer can be erased, and the payment stays', async () => {
    const event = (await (await room.post(room.body(), { token: 'customer.eve' })).json()) as PaymentEvent;
    const eve = { caller: 'eve', buyerAccount: 'eve' };
    const deletion = { who: 'eve', now: new Date() };
    expect(await eraseBuyer(room.sql, eve, deletion)).toEqual({ events: 1, cards: 0 });
    expect(await eraseBuyer(room.sql, eve, deletion)).toEqual({ events: 0, cards: 0 });
    const { rows } = await room.sql.query('SELECT buyer_info FROM payment_events WHERE checkout_id = $1', [
      event.checkout_id,
    ]);
    expect(rows).toEqual([{ buyer_info: null }]);
    expect(await room.get(event.payment_orders[0]!.payment_order_id, 'customer.eve')).toMatchObject({
      amount: '10.50',
    });
  });

  proves('P-021', {
    asked: 'as sent, bounded, erasable',
    shown: 'nested JSON as sent, a text is 400 (P-060), 4,096 bytes and not one more; erased (above)',
    control: {
      in: 'payment/http/parse-payment.ts',
      change: '  if (Buffer.byteLength(buyerInfo) > orderLimits.infoBytesMax)',
      to: '  if (Buffer.byteLength(buyerInfo) > 2 * orderLimits.infoBytesMax)',
    },
  });
  it('P-021: buyer_info is stored as sent, within its size', async () => {
    const body = room.body([{}], { buyer_info: { name: 'Ada', nested: { a: ['ü', 1] } } });
    await room.post(body);
    const { rows } = await room.sql.query('SELECT buyer_info FROM payment_events WHERE checkout_id = $1', [
      body['checkout_id'] as string,
    ]);
    expect(rows).toEqual([{ buyer_info: JSON.stringify(body['buyer_info']) }]);
    const bytes = (count: number) => ({ x: 'y'.repeat(count - JSON.stringify({ x: '' }).length) });
    const largest = room.body([{}], { buyer_info: bytes(4_096) });
    expect((await room.post(largest, { token: 'customer.ann' })).status).toBe(201);
    const { errors } = await refused((one) => (one['buyer_info'] = bytes(4_097)));
    expect(errors?.[0]?.pointer).toBe('/buyer_info');
  });
});

describe('access to orders', () => {
  proves('P-061', {
    asked: 'unknown 404; of another caller 404; after completion the same for ever',
    shown: 'equal answers for unknown and foreign; a paid one is the same after late messages and a repeat',
    control: {
      in: 'payment/http/payment-routes.ts',
      change: '(order.caller === identity.userId || isStaff(identity))',
      to: "(hasAnyScope(identity, ['customer']) || isStaff(identity))",
    },
  });
  proves('P-115', {
    asked: '401 and 403 on both routes; between services too',
    shown: 'five callers on GET, staff on POST; every operation in payment/callers',
  });
  it('P-061, P-115: only the caller and staff see an order, others get 404; scopes apply', async () => {
    const order = await room.pay();
    const path = `/v1/payments/${order.payment_order_id}`;
    const status = async (token: string | undefined, base = room.url) =>
      (await fetch(base + path, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }))
        .status;
    expect(await status('customer.ada')).toBe(200);
    expect(await status('staff.sam', room.internalUrl)).toBe(200);
    expect(await status('customer.bob')).toBe(404);
    expect(await status('driver.ada')).toBe(403);
    expect(await status(undefined)).toBe(401);
    expect((await room.post(room.body(), { token: 'staff.sam' })).status).toBe(403);
    const unknown = await fetch(`${room.url}/v1/payments/${randomUUID()}`, {
      headers: { authorization: 'Bearer customer.ada' },
    });
    const foreign = await fetch(room.url + path, { headers: { authorization: 'Bearer customer.bob' } });
    const plain = async (response: Response) => {
      const { trace_id, instance, ...rest } = (await response.json()) as Record<string, unknown>;
      expect([trace_id, instance]).toHaveLength(2);
      return rest;
    };
    expect(await plain(unknown)).toEqual(await plain(foreign));
    const body = room.body();
    const key = randomUUID();
    const [paidOrder] = ((await (await room.post(body, { key })).json()) as PaymentEvent).payment_orders;
    const registered = await room.payment(paidOrder!.payment_order_id);
    await room.typeCard(paidOrder!);
    const complete = await room.settled(paidOrder!.payment_order_id);
    // Each says that it is newer than the one before.
    for (const [at, status] of ['processing', 'declined', 'expired'].entries()) {
      const late = { ...registered, status, sequence: 90 + at };
      expect((await room.webhook(`payment.${status}`, late)).status).toBe(204);
    }
    expect((await room.post(body, { key })).status).toBe(200);
    const later = await room.get(paidOrder!.payment_order_id);
    expect(later).toEqual(complete);
  });

  proves('P-031', {
    asked: 'stored, returned to authorized callers only, masked in logs',
    shown: 'both in the row, for its caller and staff; in no answer to three others, in no line of the log',
    control: {
      in: 'payment/executor/execute-order.ts',
      change: '    const called = await call(deps, taken);\n',
      to: `    deps.logger.debug('asking the provider', { sellerAccount: taken.sellerAccount });
    const called = await call(deps, taken);
`,
    },
  });
  it('P-031: a service names the buyer’s account, a customer pays from their own', async () => {
    const mine = await room.pay();
    expect(mine).toMatchObject({ buyer_account: 'ada' });
    const without = await room.post(room.body(), { token: 'service.hotel' });
    expect(without.status).toBe(400);
    const [guest, seller] = [`guest-${randomUUID()}`, 'SE4550000000058398257466'];
    const named = await room.post(
      room.body([{ seller_account: seller }], { buyer_info: { account: guest } }),
      { token: 'service.hotel' },
    );
    const { payment_orders } = (await named.json()) as PaymentEvent;
    const accounts = { buyer_account: guest, seller_account: seller };
    expect(payment_orders[0]).toMatchObject(accounts);
    const { payment_order_id: id } = payment_orders[0]!;
    const { rows } = await room.sql.query(
      'SELECT buyer_account, seller_account FROM payment_orders WHERE payment_order_id = $1',
      [id],
    );
    expect(rows).toEqual([accounts]);
    for (const [token, status] of [
      ['customer.bob', 404],
      ['service.other', 404],
      ['driver.ada', 403],
    ] as const) {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${room.url}/v1/payments/${id}`, { headers });
      const text = await answer.text();
      expect([token, answer.status]).toEqual([token, status]);
      for (const account of Object.values(accounts)) expect(text).not.toContain(account);
    }
    expect(await room.get(id, 'service.hotel')).toMatchObject(accounts);
    const staff = await fetch(`${room.internalUrl}/v1/payments/${id}`, {
      headers: { authorization: 'Bearer staff.sam' },
    });
    expect(await staff.json()).toMatchObject(accounts);
    await room.typeCard(payment_orders[0]!);
    await eventually(async () =>
      expect(await room.get(payment_orders[0]!.payment_order_id, 'service.hotel')).toMatchObject({
        wallet_updated: true,
      }),
    );
    expect(room.logLines.length).toBeGreaterThan(0);
    for (const secret of [guest, seller])
      expect(room.logLines.filter((line) => line.includes(secret))).toEqual([]);
  });
});

describe('idempotency', () => {
  const eventsOf = (body: Readonly<Record<string, unknown>>) =>
    room.count('SELECT count(*) AS n FROM payment_events WHERE checkout_id = $1', [
      body['checkout_id'] as string,
    ]);

  proves('P-080', {
    asked: 'no key 400; any case; quoted and bare are one',
    shown: 'all four: the name in lower case, in capitals and mixed as bytes of the request, one event',
    control: {
      in: 'payment/orders/idempotency-key.ts',
      change: 'const key = /^"(.*)"$/.exec(trimmed)?.[1] ?? trimmed;',
      to: 'const key = trimmed;',
    },
  });
  it('P-080: a key is required; quoted, unquoted and in any case of the header it is one key', async () => {
    const body = room.body();
    const missing = await room.post(body, { key: '' });
    expect([missing.status, (await problemOf(missing)).code]).toEqual([400, 'idempotency-key-missing']);
    expect((await room.post(body, { key: 'x'.repeat(256) })).status).toBe(400);
    const key = randomUUID();
    // Not by fetch, which may change the case of a name.
    const postAs = (name: string, value: string) =>
      new Promise<IncomingMessage>((resolve, reject) =>
        request(`${room.url}/v1/payments`, {
          method: 'POST',
          headers: {
            authorization: 'Bearer customer.ada',
            'content-type': 'application/json',
            [name]: value,
          },
        })
          .on('response', (response) => resolve(response.resume()))
          .on('error', reject)
          .end(JSON.stringify(body)),
      );
    expect((await postAs('IDEMPOTENCY-KEY', key)).statusCode).toBe(201);
    for (const [name, value] of [
      ['Idempotency-Key', `"${key}"`],
      ['idempotency-key', key],
    ] as const) {
      const again = await postAs(name, value);
      expect([again.statusCode, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    }
    expect(await eventsOf(body)).toBe(1);
  });

  proves('P-081', {
    asked: 'equal body, flagged; no call, no message',
    shown: 'equal object, fields in another order too; no call, record, outbox and log unchanged',
    control: {
      in: 'payment/http/payment-routes.ts',
      change: '      const body = (await service.view(outcome.checkoutId))!;\n',
      to: `      const body = (await service.view(outcome.checkoutId))!;
      await service.sql.query(
        \`INSERT INTO payment_outbox (event_id, topic, key, payload, created_at)
         SELECT gen_random_uuid(), topic, key, payload, now() FROM payment_outbox WHERE key = $1\`,
        [body.payment_orders[0]!.payment_order_id],
      );
`,
    },
  });
  it('P-081: the same key and body return the same object without a provider call', async () => {
    const body = room.body();
    const key = randomUUID();
    const first = (await (await room.post(body, { key })).json()) as PaymentEvent;
    const id = first.payment_orders[0]!.payment_order_id;
    const before = (await room.record()).length;
    const stored = () => room.count('SELECT count(*) AS n FROM payment_outbox WHERE key = $1', [id]);
    const messages = await stored();
    expect(messages).toBeGreaterThan(0);
    const second = await room.post(body, { key });
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('idempotency-mismatch')).toBeNull();
    expect(await second.json()).toEqual(first);
    const reordered = Object.fromEntries(Object.entries(body).toReversed());
    const third = await room.post(reordered, { key });
    expect(third.headers.get('idempotent-replayed')).toBe('true');
    expect(third.headers.get('idempotency-mismatch')).toBeNull();
    expect(await third.json()).toEqual(first);
    expect((await room.record()).length).toBe(before);
    expect(requested.filter((nonce) => nonce === id)).toHaveLength(1);
    expect(await stored()).toBe(messages);
    // The log has each message of the outbox once, and nothing else of the order.
    const unsent = 'SELECT count(*) AS n FROM payment_outbox WHERE sent_at IS NULL AND key = $1';
    await eventually(async () => expect(await room.count(unsent, [id])).toBe(0));
    let logged = 0;
    for (const { name } of topics)
      for (const { partition } of await room.log.offsets(name))
        for await (const record of room.log.read(name, partition, 0)) if (record.key === id) logged += 1;
    expect(logged).toBe(messages);
  });

  proves('P-082', {
    asked: 'the existing object, marked; strict: 422',
    shown: 'the object, both headers; nothing of the other body is stored, sent or asked; strict in risk',
    control: {
      in: 'payment/orders/submit-payment.ts',
      change: 'mismatch: Buffer.compare(row.fingerprint, fingerprint) !== 0,',
      to: 'mismatch: row.fingerprint.length !== fingerprint.length,',
    },
  });
  it('P-082: the same key with another body gives the existing object, marked', async () => {
    const key = randomUUID();
    const first = (await (await room.post(room.body(), { key })).json()) as PaymentEvent;
    const other = room.body();
    const second = await room.post(other, { key });
    expect(second.status).toBe(200);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('idempotency-mismatch')).toBe('true');
    expect(await second.json()).toEqual(first);
    expect(await eventsOf(other)).toBe(0);
    const [{ payment_order_id: id }] = other['payment_orders'] as [{ payment_order_id: string }];
    for (const [table, column] of [
      ['payment_orders', 'payment_order_id'],
      ['payment_outbox', 'key'],
    ])
      expect(await room.count(`SELECT count(*) AS n FROM ${table} WHERE ${column} = $1`, [id])).toBe(0);
    expect(requested).not.toContain(id);
  });

  it('P-083: of a hundred equal concurrent requests one is processed', async () => {
    const body = room.body();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 100 }, () => room.post(body, { key })));
    const [order] = body['payment_orders'] as [{ payment_order_id: string }];
    await oneIsProcessed(answers, order.payment_order_id);
    await room.typeCard(await room.get(order.payment_order_id));
    await room.settled(order.payment_order_id);
    expect(await room.charges(order.payment_order_id)).toBe(1);
    expect(requested.filter((nonce) => nonce === order.payment_order_id)).toHaveLength(1);
  });

  /** One new object; the others get it, or are asked to come again. */
  async function oneIsProcessed(answers: readonly Response[], id: string): Promise<void> {
    expect(answers.filter(({ status }) => status === 201 || status === 202)).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 409) {
        expect(answer.headers.get('retry-after')).toBe('1');
        expect(await problemOf(answer)).toMatchObject({ code: 'request-still-running' });
        continue;
      }
      expect(answer.headers.get('idempotent-replayed')).toBe(answer.status === 200 ? 'true' : null);
      const { payment_orders: orders } = (await answer.json()) as PaymentEvent;
      expect(orders.map(({ payment_order_id: one }) => one)).toEqual([id]);
    }
  }

  proves('P-083', {
    asked: '100 concurrent: one processed, others the object or 409 with Retry-After; never a second charge',
    shown: 'equal ones above; here 100 that would each be a charge: one event, one call, one charge',
    settings: ['answerWaitMs 60 s for 3 s'],
    control: {
      in: 'payment/schema/messages.ts',
      change: 'PRIMARY KEY (caller, operation, idempotency_key)',
      to: 'PRIMARY KEY (caller, operation, idempotency_key, resource_id)',
    },
  });
  it('P-083: of a hundred different payments under one key at the same time one is processed', async () => {
    const key = randomUUID();
    // Each by another buyer of one shop: many payments of one buyer would be reviewed.
    const bodies = Array.from({ length: 100 }, (_, n) =>
      room.body([{}], { buyer_info: { account: `${key}-${n}` } }),
    );
    const answers = await Promise.all(
      bodies.map((body) => room.post(body, { key, token: 'service.one-key' })),
    );
    const stored = await Promise.all(bodies.map((body) => eventsOf(body)));
    expect(stored.filter((events) => events > 0)).toHaveLength(1);
    const idOf = (body: object) => (body as PaymentEvent).payment_orders[0]!.payment_order_id;
    const id = idOf(bodies[stored.indexOf(1)]!);
    await oneIsProcessed(answers, id);
    await room.typeCard(await room.get(id, 'service.one-key'));
    await eventually(async () => expect(await room.charges(id)).toBe(1));
    const ids = new Set(bodies.map(idOf));
    expect(requested.filter((nonce) => ids.has(nonce))).toEqual([id]);
  });

  proves('P-126', {
    asked: '409, 429 and 503 name the interval; client and executor obey',
    shown: 'a request in progress, a locked table, a seller over its limit; the provider’s in executor',
    settings: ['two events a minute for one seller', 'answerWaitMs 60 s for 3 s'],
    control: {
      in: 'payment/http/payment-routes.ts',
      change: '{ retryAfterS: settings.runningRetryAfterS }',
      to: '{}',
    },
  });
  it('P-126: 409, 429 and 503 name the seconds after which the request can be repeated', async () => {
    const refusal = async (answer: Promise<Response>) => {
      const { status, headers } = await answer;
      return [status, Number(headers.get('retry-after'))];
    };
    const body = room.body();
    const key = randomUUID();
    let answerNow = (): void => {};
    providerMayAnswer = new Promise((resolve) => {
      answerNow = resolve;
    });
    try {
      const first = room.post(body, { key });
      await eventually(() =>
        expect(requested).toContain((body as PaymentEvent).payment_orders[0]!.payment_order_id),
      );
      expect(await refusal(room.post(body, { key }))).toEqual([409, 1]);
      answerNow();
      expect((await first).status).toBe(201);
    } finally {
      answerNow();
      providerMayAnswer = Promise.resolve();
    }
    expect((await room.post(body, { key })).status).toBe(200);

    const locked = { body: room.body(), key: randomUUID() };
    await room.sql.transaction(async (tx) => {
      await tx.query('LOCK TABLE payment_requests IN ACCESS EXCLUSIVE MODE');
      const waiting = room.post(locked.body, locked);
      await eventually(async () => {
        // What a statement that waits for too long gets.
        const { rowCount } = await tx.query(
          `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
           WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
        expect(rowCount).toBeGreaterThan(0);
      });
      expect(await refusal(waiting)).toEqual([503, 2]);
    });
    expect((await room.post(locked.body, locked)).status).toBe(201);

    const busy = () => room.post(room.body([{ seller_account: 'busy' }]), { token: 'customer.hasty' });
    expect([(await busy()).status, (await busy()).status]).toEqual([201, 201]);
    const [status, afterS] = await refusal(busy());
    expect(status).toBe(429);
    expect(afterS).toBeGreaterThan(0);
    expect(afterS).toBeLessThanOrEqual(60);
  });

  proves('P-084', {
    asked: 'the same key of another caller is independent and leaks nothing',
    shown: '201 with the own order, no replay; her own body from him: a refusal with nothing of her order',
    control: {
      in: 'payment/orders/submit-payment.ts',
      change: 'WHERE caller = u.caller AND operation = $3',
      to: 'WHERE operation = $3',
    },
  });
  it('P-084: an equal key of another caller is another key, and shows nothing of the first', async () => {
    const key = randomUUID();
    const [hers, his] = [room.body(), room.body()];
    await room.post(hers, { key });
    const other = await room.post(his, { key, token: 'customer.bob' });
    expect(other.status).toBe(201);
    expect(other.headers.get('idempotent-replayed')).toBeNull();
    const idsOf = async (response: Response) =>
      ((await response.json()) as PaymentEvent).payment_orders.map(({ payment_order_id: id }) => id);
    const wanted = (body: object) =>
      (body as PaymentEvent).payment_orders.map(({ payment_order_id: id }) => id);
    const bob = { key, token: 'customer.bob' };
    expect(await idsOf(other)).toEqual(wanted(his));
    expect(await idsOf(await room.post(his, bob))).toEqual(wanted(his));
    expect(await idsOf(await room.post(hers, { key }))).toEqual(wanted(hers));
    // With another body, too, he has his own order again.
    expect(await idsOf(await room.post(room.body(), bob))).toEqual(wanted(his));
    // Her own body under her key, sent by somebody who has not used the key.
    const copied = await room.post(hers, { key, token: 'customer.eve' });
    expect(copied.status).toBe(409);
    expect(copied.headers.get('idempotent-replayed')).toBeNull();
    const { psp_token: token } = (await room.get(wanted(hers)[0]!)) as { psp_token?: string };
    for (const hidden of ['ada', token ?? 'SUCCESS', 'payment_page_url'])
      expect(await copied.clone().text()).not.toContain(hidden);
  });

  proves('P-085', {
    asked: 'without the check of the application the second insert fails',
    shown: 'raw inserts; a submission whose check finds nothing: refused by the constraint, nothing stored',
    control: {
      in: 'payment/schema/messages.ts',
      change: 'PRIMARY KEY (caller, operation, idempotency_key)',
      to: 'PRIMARY KEY (caller, operation, idempotency_key, resource_id)',
    },
  });
  it('P-085: the constraint decides, even if no check ran before', async () => {
    const insert = (checkoutId: string) =>
      room.sql.query(
        `INSERT INTO payment_requests (caller, operation, idempotency_key, fingerprint, resource_id, created_at)
         VALUES ('ada', 'POST /v1/payments', 'the-key', '', $1, now())`,
        [checkoutId],
      );
    await insert('one');
    for (const checkoutId of ['one', 'other'])
      await expect(insert(checkoutId)).rejects.toThrow('one_request_per_key');

    // The product without its check.
    const { submit } = room.service;
    const unchecked = { ...submit, batched: { ...submit.batched, find: () => Promise.resolve(undefined) } };
    const submission = (): Submission => {
      const id = randomUUID();
      return {
        ...{ caller: 'ada', key: 'unchecked', checkoutId: id, fingerprint: fingerprintOf({}) },
        ...{ buyerInfo: '{}', cardInfo: '{}', buyerAccount: 'ada' },
        orders: [
          {
            ...{ id, sellerAccount: 'DE02', amount: '1.00' },
            money: { minor: 100n, currency: parseCurrency('EUR')! },
          },
        ],
      };
    };
    expect(await submitPayment(unchecked, submission())).toMatchObject({ outcome: 'accepted' });
    const second = submission();
    expect((await submitPayment(unchecked, second)).outcome).toBe('taken');
    expect(await eventsOf({ checkout_id: second.checkoutId })).toBe(0);
  });

  proves('P-089', {
    asked: 'retention documented; afterwards the id still blocks',
    shown:
      'as in payment/README.md: there at 24 h less a second, then gone; the order id: 409, nothing stored',
    control: {
      in: 'payment/orders/submit-payment.ts',
      change: 'new Date(nowMs - retentionMs)',
      to: 'new Date(nowMs - retentionMs + 60_000)',
    },
  });
  it('P-089: past its retention the key is deleted, and the payment order id still blocks', async () => {
    const body = room.body();
    const key = randomUUID();
    await room.post(body, { key });
    const { keyRetentionMs } = paymentDefaults;
    expect(keyRetentionMs).toBe(24 * 3_600_000);
    const keys = () =>
      room.count('SELECT count(*) AS n FROM payment_requests WHERE idempotency_key = $1', [key]);
    const { rows } = await room.sql.query<{ created_at: Date }>(
      'SELECT created_at FROM payment_requests WHERE idempotency_key = $1',
      [key],
    );
    const endMs = rows[0]!.created_at.getTime() + keyRetentionMs;
    await forgetOldKeys(room.sql, endMs - 1_000, keyRetentionMs);
    expect(await keys()).toBe(1);
    await forgetOldKeys(room.sql, endMs + 1_000, keyRetentionMs);
    expect(await keys()).toBe(0);
    const manual = await readFile(new URL('../../payment/README.md', import.meta.url), 'utf8');
    expect(manual.replaceAll(/\s+/g, ' ')).toContain(
      'It is unique for each caller and operation and is kept for 24 hours (`PAYMENT_KEY_HOURS`). ' +
        '`payment_order_id` protects the charge and is kept forever.',
    );
    // Under another key, too, and in another event.
    const { checkout_id: _, ...same } = body;
    const [order] = body['payment_orders'] as [{ payment_order_id: string }];
    for (const by of [key, randomUUID()]) {
      const other = { ...same, checkout_id: randomUUID() };
      const again = await room.post(other, { key: by });
      expect(again.status).toBe(409);
      expect(await problemOf(again)).toMatchObject({
        code: 'payment-id-taken',
        detail: 'The payment_order_id is already in use.',
      });
      expect(await eventsOf(other)).toBe(0);
    }
    expect((await room.post(body, { key })).status).toBe(409);
    expect(requested.filter((nonce) => nonce === order.payment_order_id)).toHaveLength(1);
  });
});

describe('refunds', () => {
  let paid: PaymentOrder;
  beforeAll(async () => {
    paid = await room.pay({ amount: '30.00' });
    await room.typeCard(paid);
    paid = await room.settled(paid.payment_order_id);
  });

  proves('P-084', {
    asked: 'the same key of another caller is independent and leaks nothing',
    shown: 'refunds: under the key of a colleague an own one; with the id of his refund a refusal without it',
    control: {
      in: 'payment/orders/request-refund.ts',
      change: "'WHERE caller = $1 AND operation = $2",
      to: "'WHERE caller >= left($1, 0) AND operation = $2",
    },
  });
  it('P-084: the key of a colleague is another key for refunds, too', async () => {
    const key = randomUUID();
    const order = await room.pay({ amount: '9.00' });
    await room.typeCard(order);
    const { payment_order_id: id } = await room.settled(order.payment_order_id);
    const his = { refund_id: randomUUID(), amount: '1.00', reason: 'a broken lamp' };
    expect((await room.refund(id, his, key)).status).toBe(202);
    const taken = await room.refund(id, his, key, 'staff.eve');
    expect(taken.status).toBe(409);
    expect(JSON.stringify(taken.body)).not.toMatch(/lamp|sam|1\.00/);
    const hers = { refund_id: randomUUID(), amount: '2.00' };
    const own = await room.refund(id, hers, key, 'staff.eve');
    expect([own.status, own.body.refund_id, own.body.amount]).toEqual([202, hers.refund_id, '2.00']);
    await room.until(id, ({ refunds }) => refunds.every(({ refund_status }) => refund_status === 'SUCCESS'));
  });

  proves('P-009', {
    asked: 'as many ledger transactions as operations, matched by id',
    shown: 'all captures and refunds of the file, ours and those of the provider = all transactions, by id',
    control: {
      in: 'payment/orders/book-change.ts',
      change: 'return refundOf({ ...about, refundId: change.subjectId,',
      to: 'return refundOf({ ...about, refundId: change.paymentOrderId,',
    },
  });
  it('P-009: refunds in parts, up to the captured amount and never above', async () => {
    const id = paid.payment_order_id;
    const first = await room.refund(id, {
      refund_id: randomUUID(),
      amount: '10.00',
      reason: 'one night less',
    });
    expect(first).toMatchObject({ status: 202, body: { refund_status: 'NOT_STARTED', amount: '10.00' } });
    await room.until(id, ({ refunded_amount }) => refunded_amount === '10.00');
    const above = await room.refund(id, { refund_id: randomUUID(), amount: '20.01' });
    expect(above.status).toBe(422);
    const key = randomUUID();
    const rest = { refund_id: randomUUID() };
    expect((await room.refund(id, rest, key)).status).toBe(202);
    expect((await room.refund(id, rest, key)).status).toBe(200);
    const whole = await room.until(id, ({ refunded_amount }) => refunded_amount === '30.00');
    expect(whole.refunds).toHaveLength(2);
    expect((await room.refund(id, { refund_id: randomUUID() })).status).toBe(422);
    await room.until(id, ({ refunds }) => refunds.every(({ refund_status }) => refund_status === 'SUCCESS'));
    // Every operation of every test so far has its transaction, and there is no other.
    await eventually(async () => {
      const { rows: operations } = await room.sql.query(
        `SELECT payment_order_id AS subject, 'capture' AS operation FROM payment_orders WHERE captured_minor > 0
         UNION ALL SELECT payment_order_id, 'refund:' || refund_id FROM payment_refunds WHERE refund_status = 'SUCCESS'
         ORDER BY subject, operation`,
      );
      const { rows: posted } = await room.sql.query(
        `SELECT subject COLLATE "default" AS subject, operation COLLATE "default" AS operation
         FROM ledger_transfer WHERE leg = 0 ORDER BY 1, 2`,
      );
      expect(operations.length).toBeGreaterThanOrEqual(3);
      expect(posted).toEqual(operations);
      // The provider counts the same, by its own record.
      const atProvider = new Set(
        (await room.record()).flatMap((line) => {
          if (line.kind === 'payment' && line.payment.status === 'captured')
            return [`${line.payment.nonce} capture`];
          return line.kind === 'refund' && line.refund.status === 'refunded'
            ? [`${line.refund.paymentNonce} refund:${line.refund.nonce}`]
            : [];
        }),
      );
      expect(
        new Set(posted.map(({ subject, operation }) => `${String(subject)} ${String(operation)}`)),
      ).toEqual(atProvider);
    });
  });

  it('I4: twenty concurrent refunds never exceed the captured amount', async () => {
    const order = await room.pay({ amount: '10.00' });
    await room.typeCard(order);
    await room.settled(order.payment_order_id);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        room.refund(order.payment_order_id, { refund_id: randomUUID(), amount: '3.00' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(3);
    await room.until(order.payment_order_id, ({ refunded_amount }) => refunded_amount === '9.00');
  });

  it('only staff can refund, and only an order that has captured money', async () => {
    const open = await room.pay();
    expect((await room.refund(open.payment_order_id, { refund_id: randomUUID() })).status).toBe(409);
    expect((await room.refund(randomUUID(), { refund_id: randomUUID() })).status).toBe(404);
    const customer = await room.post(
      { refund_id: randomUUID() },
      { path: `/v1/payments/${paid.payment_order_id}/refunds` },
    );
    expect(customer.status).toBe(403);
  });
});

it('P-006: more events for a seller than its limit are refused, and nothing is stored', async () => {
  const both = [{ seller_account: 'free' }, { seller_account: 'busy' }];
  const bodies = [1, 2, 3].map(() => room.body(both));
  const answers: Response[] = [];
  for (const body of bodies) answers.push(await room.post(body));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 429]);
  const [, , last] = answers;
  expect(Number(last!.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await problemOf(last!)).toMatchObject({ code: 'too-many-requests' });
  const { rows } = await room.sql.query('SELECT checkout_id FROM payment_events WHERE checkout_id = $1', [
    bodies[2]!['checkout_id'] as string,
  ]);
  expect(rows).toEqual([]);
  expect((await room.post(room.body([{ seller_account: 'free' }]))).status).toBe(201);
});
