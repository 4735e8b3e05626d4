import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RiskDecision } from '#payment/risk/risk-check.js';
import type { PaymentEvent } from '#schemas/http/payments.js';
import { routeContracts } from '#schemas/http/routes.js';
import { proves } from '#tools/acceptance/proves.js';
import { expectNoCardData, expectNoCardNumbers } from '../card-data-left.js';
import { eventually } from '../eventually.js';
import { OrdersRoom } from './orders-fixture.js';

let decision: RiskDecision | 'away' = { decision: 'allow', reason: 'nothing_unusual' };
let room: OrdersRoom;
beforeAll(async () => {
  room = await OrdersRoom.open({
    // The files of the database are searched for what it must not store.
    ownDatabase: true,
    settings: { strictIdempotency: true },
    risk: {
      name: 'third party',
      assess: () =>
        decision === 'away' ? Promise.reject(new Error('unavailable')) : Promise.resolve(decision),
    },
  });
});
afterAll(() => room?.close());

const allow: RiskDecision = { decision: 'allow', reason: 'nothing_unusual' };
const checks = async (id: string) => {
  const { rows } = await room.sql.query<{ decision: string }>(
    'SELECT decision FROM payment_risk_checks WHERE payment_order_id = $1 ORDER BY id',
    [id],
  );
  return rows.map((row) => row.decision);
};
const asked = async (id: string) =>
  (await room.record()).some((line) => line.kind === 'payment' && line.payment.nonce === id);
const review = (id: string, verdict: 'approve' | 'deny', token = 'staff.sam') =>
  room.post(
    { decision: verdict, reason: 'called the buyer' },
    { token, path: `/v1/payments/${id}/review`, base: room.internalUrl },
  );

describe('the risk check', () => {
  proves('P-006', {
    asked: 'blocked: no call; review: pending until staff decide; provider unavailable: closed',
    shown:
      'blocked without a call; approved, denied, unavailable (payment/README.md) below; hours in moved-clock',
    control: {
      in: 'payment/orders/submit-payment.ts',
      change: "one.decision.decision === 'block' || hasCard(one)",
      to: 'hasCard(one)',
    },
  });
  it('P-006, P-114: a blocked order ends without the provider', async () => {
    decision = { decision: 'block', reason: 'too_many_payments' };
    const order = await room.pay();
    expect(order).toMatchObject({
      payment_order_status: 'FAILED',
      failure_code: 'risk_blocked',
      is_final: true,
    });
    expect(await asked(order.payment_order_id)).toBe(false);
    expect(await checks(order.payment_order_id)).toEqual(['block']);
  });

  it('P-006, P-054: a held order waits for staff; once approved it continues, with a mail', async () => {
    decision = { decision: 'review', reason: 'large_amount' };
    const order = await room.pay();
    const id = order.payment_order_id;
    expect(order).toMatchObject({ payment_order_status: 'NOT_STARTED', pending: 'review' });
    expect(await asked(id)).toBe(false);
    decision = allow;
    expect((await review(id, 'approve', 'customer.ada')).status).toBe(403);
    expect((await review(id, 'approve')).status).toBe(200);
    expect((await review(id, 'deny')).status).toBe(409);
    const open = await room.until(id, ({ pending }) => pending === 'buyer');
    await room.typeCard(open);
    await room.settled(id);
    expect(await checks(id)).toEqual(['review', 'approved']);
    const told = () =>
      room.count(
        `SELECT count(*) AS n FROM payment_outbox WHERE key = $1 AND topic = 'payment.notice.v1' AND payload->>'kind' = '1'`,
        [id],
      );
    expect(await told()).toBe(1);
  });

  it('P-006, P-105: above the limit two people approve it, and each alone can deny it', async () => {
    decision = { decision: 'review', reason: 'large_amount' };
    const { payment_order_id: id } = await room.pay({ amount: '1000.01' });
    const first = await review(id, 'approve', 'desk.sam');
    expect([first.status, await asked(id)]).toEqual([202, false]);
    // Neither again nor under another token of the same person, however often at once.
    const again = await Promise.all(
      ['desk.sam', 'finance.sam', 'desk+finance.sam'].map((token) => review(id, 'approve', token)),
    );
    expect(again.map(({ status }) => status)).toEqual([403, 403, 403]);
    const list = await fetch(`${room.internalUrl}/v1/payment-reviews`, {
      headers: { authorization: 'Bearer desk.eve' },
    });
    const { reviews } = (await list.json()) as { reviews: object[] };
    expect(reviews).toMatchObject([{ payment_order_id: id, proposed_by: 'sam' }]);
    expect(await asked(id)).toBe(false);
    expect((await review(id, 'approve', 'desk.eve')).status).toBe(200);
    await eventually(async () => expect(await asked(id)).toBe(true));
    expect(await checks(id)).toEqual(['review', 'proposed', 'approved']);

    const denied = await room.pay({ amount: '1000.01' });
    expect((await review(denied.payment_order_id, 'approve', 'desk.sam')).status).toBe(202);
    expect((await review(denied.payment_order_id, 'deny', 'desk.sam')).status).toBe(200);
    expect(await checks(denied.payment_order_id)).toEqual(['review', 'proposed', 'denied']);

    const small = await room.pay({ amount: '1000.00' });
    expect((await review(small.payment_order_id, 'approve', 'desk.sam')).status).toBe(200);
  });

  it('P-105: the database itself refuses an approval by the person who proposed it', async () => {
    decision = { decision: 'review', reason: 'large_amount' };
    const { payment_order_id: id } = await room.pay({ amount: '1000.01' });
    await review(id, 'approve', 'desk.sam');
    const approval = (source: string) =>
      room.sql.query(
        `INSERT INTO payment_risk_checks (payment_order_id, decision, reason, source, at)
         VALUES ($1, 'approved', 'x', $2, now())`,
        [id, source],
      );
    await expect(approval('staff sam')).rejects.toThrow('cannot approve what they proposed');
    expect((await review(id, 'deny', 'desk.eve')).status).toBe(200);
  });

  it('P-006: denied, it ends without the provider; without the check every payment waits', async () => {
    decision = 'away';
    const order = await room.pay();
    decision = allow;
    expect(order).toMatchObject({ pending: 'review' });
    expect((await review(order.payment_order_id, 'deny')).status).toBe(200);
    expect(await room.get(order.payment_order_id)).toMatchObject({
      payment_order_status: 'FAILED',
      failure_code: 'review_denied',
    });
    expect(await asked(order.payment_order_id)).toBe(false);
  });
});

describe('card data', () => {
  const canary = '4929420573595709';
  const written = [canary, '4929 4205 7359 5709', '4929-4205-7359-5709'];
  const code = '9173';

  proves('P-023', {
    asked: 'a number and a CVV sent through every route are in no table, WAL, log, metric, trace, core dump',
    shown: 'neither in the files of database, WAL and log, log lines, metrics; each route in http-card-data',
    control: { test: 'control: the search finds a number or a code in a file, in the WAL and in the output' },
  });
  proves('P-110', {
    asked: 'P-023 over every store and log',
    shown: 'files, log lines, metrics here; tables of each shared database of any test, before it is dropped',
    control: { test: 'control: a card number in a table is found' },
  });
  it('P-023, P-110, I10, PCI2: a card number sent through everything is found nowhere', async () => {
    decision = allow;
    const paid = await room.pay();
    // The one place where it belongs: the provider's own page.
    await room.typeCard(paid, canary, { cvc: code });
    await room.settled(paid.payment_order_id);
    const statuses: number[] = [];
    const tries: [object, string | undefined][] = [];
    for (const number of written)
      for (const put of [
        (body: Record<string, unknown>) => (body['buyer_info'] = { note: `card ${number}` }),
        (body: Record<string, unknown>) => (body['buyer_info'] = { deep: { er: [number] } }),
        (body: Record<string, unknown>) => (body['buyer_info'] = { [number]: 'x' }),
        (body: Record<string, unknown>) => (body['credit_card_info'] = { token: number }),
        (body: Record<string, unknown>) => (body['credit_card_info'] = { number }),
        (body: Record<string, unknown>) => (body['checkout_id'] = number),
        (body: Record<string, unknown>) =>
          ((body['payment_orders'] as Record<string, unknown>[])[0]!['seller_account'] = number),
        (body: Record<string, unknown>) =>
          ((body['payment_orders'] as Record<string, unknown>[])[0]!['payment_order_id'] = number),
      ]) {
        const body = room.body();
        put(body);
        tries.push([body, undefined]);
      }
    tries.push([{ ...room.body(), buyer_info: { n: Number(canary) } }, undefined], [room.body(), canary]);
    for (const info of [{ cvv: code }, { card: { cvc: code } }, { security_code: code }])
      tries.push(
        [{ ...room.body(), buyer_info: info }, undefined],
        [{ ...room.body(), credit_card_info: info }, undefined],
      );
    for (const [body, key] of tries)
      statuses.push((await room.post(body, key === undefined ? {} : { key })).status);
    expect(new Set(statuses)).toEqual(new Set([400]));
    await room.refund(paid.payment_order_id, { refund_id: 'r', reason: canary });
    await room.refund(paid.payment_order_id, { refund_id: 'r', cvv: code });
    await room.post(
      { decision: 'approve', reason: canary },
      { token: 'staff.sam', path: `/v1/payments/x/review`, base: room.internalUrl },
    );
    await fetch(`${room.url}/v1/payments/${canary}`, { headers: { authorization: 'Bearer customer.ada' } });
    await fetch(`${room.url}/v1/payment-return?tokenID=${canary}&payResult=${canary}`);
    await room.webhook(
      `payment.captured`,
      { nonce: canary, card: canary, cvc: code },
      { secret: `whsec_${Buffer.alloc(24).toString('base64')}` },
    );
    await eventually(async () =>
      expect(await room.count('SELECT count(*) AS n FROM payment_outbox WHERE sent_at IS NULL')).toBe(0),
    );
    await room.sql.query('CHECKPOINT');
    const scrape = (await room.metrics.scrape()).text;
    const lines = room.logLines.join('\n');
    expect(lines.length).toBeGreaterThan(0);
    await expectNoCardNumbers(room.folder, `${lines}${scrape}`, [canary], [code]);
    // What was sent with them is there, so the search reads it.
    await expect(expectNoCardNumbers(room.folder, '', [paid.payment_order_id])).rejects.toThrow('is in');
  });

  it('control: the search finds a number or a code in a file, in the WAL and in the output', async () => {
    const other = '5500005555555559';
    const search = (output: string) => expectNoCardNumbers(room.folder, output, [other], [code]);
    await search('');
    await expect(search(`paid with ${other}`)).rejects.toThrow('the output');
    await expect(search(`{"cvc":"${code}"}`)).rejects.toThrow('the output');
    await room.sql.query('CREATE TABLE leak (info jsonb)');
    await room.sql.query('INSERT INTO leak VALUES ($1)', [JSON.stringify({ cvv: code })]);
    await room.sql.query('CHECKPOINT');
    await expect(search('')).rejects.toThrow('pg_wal');
    await room.sql.query('DROP TABLE leak');
  });

  it('control: a card number in a table is found', async () => {
    await room.sql.query('CREATE TABLE leak (note text, amounts jsonb, file bytea)');
    await room.sql.query("INSERT INTO leak VALUES ('order 1234', '[42424242, 42424242]', $1)", [
      Buffer.from('0012ff'.repeat(100), 'hex'),
    ]);
    await expectNoCardData(room.sql);
    await room.sql.query('UPDATE leak SET file = $1', [
      Buffer.concat([Buffer.from([0, 8, 255]), Buffer.from(`card ${written[2]}`), Buffer.from([0, 200])]),
    ]);
    await expect(expectNoCardData(room.sql)).rejects.toThrow('leak.file');
    await room.sql.query('UPDATE leak SET file = NULL');
    await room.sql.query('INSERT INTO leak VALUES ($1, NULL)', [`card ${written[1]}`]);
    await expect(expectNoCardData(room.sql)).rejects.toThrow('leak.note');
    await room.sql.query("UPDATE leak SET note = NULL, amounts = jsonb_build_object('deep', $1::text)", [
      canary,
    ]);
    await expect(expectNoCardData(room.sql)).rejects.toThrow('leak.amounts');
    await room.sql.query('DROP TABLE leak');
  });

  proves('P-113', {
    asked: 'no component sees card fields, by routes and schemas',
    shown: 'bodies, queries, paths, answers of all operations; columns of payments; fields of all messages',
    control: {
      in: 'schemas/http/credit-card-info.ts',
      change: '    brand: Type.Optional(Type.String({ maxLength: 32 })),\n',
      to: `    brand: Type.Optional(Type.String({ maxLength: 32 })),
    cvc: Type.Optional(Type.String({ maxLength: 4 })),
`,
    },
  });
  it('P-113: no operation, table or message has a field for card data', async () => {
    const names = (schema: unknown): string[] => {
      if (typeof schema !== 'object' || schema === null) return [];
      const { properties } = schema as { properties?: Record<string, unknown> };
      const own = properties === undefined ? [] : Object.keys(properties);
      return [...own, ...Object.values(schema).flatMap(names)];
    };
    // Also as a part of a longer name.
    const withNumber = /[ _](pan|cvv|cvc)|card_?number|security_?code/i;
    const typed = /[ _](pan|cvv|cvc|expiry|exp_)|card_?number|security_?code| number/i;
    const ofCards = (fields: readonly string[], pattern: RegExp) =>
      fields.filter((each) => pattern.test(each));
    const given = routeContracts.flatMap(({ operationId, body, params, query }) =>
      [body?.schema, params, query].flatMap(names).map((name) => `${operationId} ${name}`),
    );
    for (const one of [
      'postPayment credit_card_info',
      'getPaymentReturn tokenID',
      'getPayment payment_order_id',
    ])
      expect(given).toContain(one);
    // Rooms have numbers, too, and how many roads are wanted is one.
    expect(ofCards(given, typed)).toEqual([
      'getOsrmNearest number',
      'postRoom number',
      'putRoom number',
      'listStaffRooms number',
    ]);
    const answered = routeContracts.flatMap(({ operationId, responses }) =>
      names(responses).map((name) => `${operationId} ${name}`),
    );
    expect(answered).toContain('postPayment payment_page_url');
    // The provider says in which month a saved card expires.
    expect(ofCards(answered, withNumber)).toEqual([]);
    const { rows: columns } = await room.sql.query<{ name: string }>(
      `SELECT table_name || ' ' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public'`,
    );
    expect(columns.map(({ name }) => name)).toContain('payment_events credit_card_info');
    expect(
      ofCards(
        columns.map(({ name }) => name),
        withNumber,
      ),
    ).toEqual([]);
    const folder = new URL('../../schemas/proto/', import.meta.url);
    const messages = (await readdir(folder)).map((file) => readFile(new URL(file, folder), 'utf8'));
    const sent = (await Promise.all(messages)).flatMap((text) =>
      [...text.matchAll(/ (\w+) = \d+;/g)].map(([, name]) => `message ${name}`),
    );
    expect(sent).toContain('message payment_order_id');
    expect(ofCards(sent, withNumber)).toEqual([]);
  });
});

describe('the strict setting', () => {
  proves('P-082', {
    asked: 'with the strict setting on: 422, nothing processed',
    shown: '422 with its code; nothing of the other body is stored or asked; the same body is replayed',
    settings: ['PAYMENT_STRICT_KEYS'],
    control: {
      in: 'payment/http/payment-routes.ts',
      change: 'if (outcome.mismatch && settings.strictIdempotency)',
      to: 'if (outcome.mismatch && !settings.strictIdempotency)',
    },
  });
  it('P-082: a key with another body is refused with 422; with the same body it is replayed', async () => {
    decision = allow;
    const body = room.body();
    const key = 'strict-key';
    expect((await room.post(body, { key })).status).toBe(201);
    const other = room.body();
    const refused = await room.post(other, { key });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ code: 'idempotency-key-reused' });
    const [{ payment_order_id: id }] = other['payment_orders'] as [{ payment_order_id: string }];
    expect(
      await room.count('SELECT count(*) AS n FROM payment_orders WHERE payment_order_id = $1', [id]),
    ).toBe(0);
    expect(await asked(id)).toBe(false);
    const again = await room.post(body, { key });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  });
});

describe('many orders in one event', () => {
  it('P-130: a hundred orders are started together and end one by one', async () => {
    const response = await room.post(room.body(Array.from({ length: 100 }, () => ({ amount: '0.10' }))));
    const { payment_orders: orders } = (await response.json()) as PaymentEvent;
    expect(orders).toHaveLength(100);
    await room.until(orders[99]!.payment_order_id, ({ pending }) => pending === 'buyer');
    expect(new Set(orders.map(({ payment_order_id }) => payment_order_id)).size).toBe(100);
  });
});
