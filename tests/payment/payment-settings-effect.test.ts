import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { paymentSettingsOf } from '#cli/start/payment-settings-of.js';
import { readConfig } from '#platform/config/read-config.js';
import { settings } from '#platform/config/settings.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { assignAccount } from './merchant-fixture.js';
import { OrdersRoom } from './orders-fixture.js';
import { captured, dayMs, fileOf, lineOf } from './settlement-order.js';

const environment = {
  PAYMENT_KEY_HOURS: '1',
  PAYMENT_CLEANUP_ROUND_S: '1',
  MERCHANT_ACCOUNTS_MAX: '1',
  SETTLEMENT_DUE_HOURS: '168',
  SETTLEMENT_FEE_PERCENT: '0',
  SETTLEMENT_FEE_FLAT: '1',
  PROVIDER_TIMEOUT_MS: '5000',
  PAYMENT_LEASE_MS: '77000',
};

let room: OrdersRoom;
beforeAll(async () => {
  const outcome = readConfig(settings, environment);
  if (!outcome.ok) throw new Error(outcome.faults.join(' '));
  room = await OrdersRoom.open({ style: 'direct', settings: paymentSettingsOf(outcome.config) });
});
afterAll(() => room?.close());

proves('P-130', {
  asked: 'configuration: the running program obeys it',
  shown: 'started with an environment, payments keep keys, hold a lease, limit accounts and judge fees by it',
  control: {
    in: 'payment/payment-service.ts',
    change: 'forgetOldKeys(sql, nowMs(), settings.keyRetentionMs)',
    to: 'forgetOldKeys(sql, nowMs(), 86_400_000)',
  },
});
it('P-130: the program deletes keys after PAYMENT_KEY_HOURS, every PAYMENT_CLEANUP_ROUND_S', async () => {
  const keys = [randomUUID(), randomUUID()];
  for (const key of keys) expect((await room.post(room.body(), { key })).status).toBe(201);
  const ages = ['59 minutes', '61 minutes'];
  for (const [index, key] of keys.entries())
    await room.sql.query(
      'UPDATE payment_requests SET created_at = created_at - $2::interval WHERE idempotency_key = $1',
      [key, ages[index]!],
    );
  const left = async () =>
    (
      await room.sql.query<{ readonly key: string }>(
        'SELECT idempotency_key AS key FROM payment_requests WHERE idempotency_key = ANY ($1)',
        [keys],
      )
    ).rows.map(({ key }) => key);
  await eventually(async () => expect(await left()).toEqual([keys[0]]));
});

it('P-130: a process has a payment alone for PAYMENT_LEASE_MS while it calls the provider', async () => {
  await room.faults({
    webhooks: { lost: 1 },
    // What it is asked for a payment without a card: a page.
    next: [{ operation: 'registrations', fault: 'delay-after' }],
    delayMs: 2_000,
  });
  const before = Date.now();
  const body = room.body();
  const [{ payment_order_id: id }] = body['payment_orders'] as [{ payment_order_id: string }];
  const answered = room.post(body, { key: randomUUID() });
  await eventually(async () => {
    const { rows } = await room.sql.query<{ readonly at: Date }>(
      'SELECT next_attempt_at AS at FROM payment_orders WHERE payment_order_id = $1',
      [id],
    );
    expect(rows[0]!.at.getTime()).toBeGreaterThanOrEqual(before + 77_000);
  });
  expect((await answered).status).toBe(201);
  await room.faults({});
});

it('P-130: a merchant has at most MERCHANT_ACCOUNTS_MAX accounts', async () => {
  const statuses = [];
  for (const account of ['one', 'two']) {
    const assignment = { merchant_id: 'ann', seller_account: account, reason: 'contract' };
    statuses.push((await assignAccount(room, assignment)).status);
  }
  expect(statuses).toEqual([201, 409]);
});

it('P-130: a person decides on a fee above SETTLEMENT_FEE_PERCENT and SETTLEMENT_FEE_FLAT', async () => {
  const day = new Date(Math.floor(Date.now() / dayMs) * dayMs - dayMs);
  const at = new Date(day.getTime() + 3_600_000);
  for (const order of ['cheap', 'dear']) await captured(room.sql, order, 1_000, at, 'p');
  const lines = [lineOf('cheap', 1_000, at, { fee: 1 }), lineOf('dear', 1_000, at, { fee: 2 })];
  const response = await fetch(`${room.internalUrl}/v1/finance/settlement-files`, {
    method: 'POST',
    headers: { authorization: 'Bearer finance.fay', 'content-type': 'application/octet-stream' },
    body: fileOf('fees', day, lines),
  });
  expect(response.status).toBe(201);
  const { rows } = await room.sql.query(
    'SELECT payment_order_id AS order, kind FROM reconciliation_finding WHERE payment_order_id IS NOT NULL ORDER BY 1',
  );
  expect(rows).toEqual([
    { order: 'cheap', kind: 'fee_differs' },
    { order: 'dear', kind: 'fee_unusual' },
  ]);
});
