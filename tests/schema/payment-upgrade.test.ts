import { afterAll, beforeAll, expect, test } from 'vitest';
import { balanceAt, balanceOf } from '#payment/ledger/balance.js';
import { post } from '#payment/ledger/ledger.js';
import { captureOf } from '#payment/ledger/payment-transfers.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { paymentMigrations } from '#payment/migrations.js';
import { readEvents, readOrder } from '#payment/orders/order.js';
import { readRefund } from '#payment/orders/refund.js';
import { payoutOf } from '#payment/payouts/payout.js';
import { decisionsOf } from '#payment/reconciliation/decision.js';
import { proveMoney } from '#payment/reconciliation/prove-money.js';
import { advanceWallets, walletOf } from '#payment/wallet/wallet.js';
import type { Sql } from '#platform/sql/sql.js';
import { eur } from '../payment/ledger-database.js';
import { catalogueOf } from './catalogue.js';
import { earlierHistory } from './earlier-history.js';
import { fillPayment } from './payment-rows.js';
import { lostRows, rowsByName, tablesOf } from './rows.js';
import { type DatabaseServer, startDatabaseServer } from './server.js';

const { steps } = paymentMigrations[0]!.replaces!;

let server: DatabaseServer;
let fresh: Sql;
beforeAll(async () => {
  server = await startDatabaseServer();
  fresh = await server.open(await server.create());
  await fresh.migrate('payment', paymentMigrations);
});
afterAll(() => server?.close());

const recordOf = async (sql: Sql) =>
  (await sql.query<{ name: string }>('SELECT name FROM schema_migration')).rows.map(({ name }) => name);

/** Decisions from before the rule may break it, so an upgraded database applies it only to later ones. */
async function upgradedCatalogueOf(sql: Sql) {
  const catalogue = await catalogueOf(sql);
  const [rule] = catalogue.constraints.filter((line) => line.includes('sellers_need_a_second_person'));
  expect(rule).toMatch(/ NOT VALID$/);
  const constraints = catalogue.constraints.map((line) =>
    line === rule ? line.replace(/ NOT VALID$/, '') : line,
  );
  return { ...catalogue, constraints };
}

/** Of each account before the first day of postings, at each of the five, and now. */
const balances = {
  'cash-psp:EUR': [0, 107, 167, 167, 167, 156, 156],
  'seller:DE:EUR': [0, 100, 160, 140, 140, 129, 129],
  'seller:FR:EUR': [0, 7, 7, 7, 7, 7, 7],
  'cash-bank:EUR': [0, 0, 0, -20, -20, -20, -20],
};

async function balancesOf(sql: Sql): Promise<Record<string, readonly number[]>> {
  const all: Record<string, readonly number[]> = {};
  for (const account of Object.keys(balances)) {
    const of = [];
    for (let day = 0; day <= 5; day += 1)
      of.push(await balanceAt(sql, account, new Date(Date.UTC(2100, 0, day))));
    all[account] = [...of, await balanceOf(sql, account)].map(({ posted }) => Number(posted.minor));
  }
  return all;
}

test('an upgraded database without payments equals a fresh one in schema and rows', async () => {
  const sql = await server.open(await server.create());
  await sql.migrate('payment', earlierHistory('payment'));
  await sql.migrate('payment', paymentMigrations);
  expect(await upgradedCatalogueOf(sql)).toEqual(await catalogueOf(fresh));
  expect(rowsByName(await tablesOf(sql))).toEqual(rowsByName(await tablesOf(fresh)));
});

test.each([0, 3, steps.length - 1])(
  "a database of commit 54c4947 and %d later migrations keeps its rows and gets today's schema",
  async (later) => {
    const sql = await server.open(await server.create());
    await fillPayment(sql);
    await sql.migrate('payment', [...earlierHistory('payment'), ...steps.slice(0, later)]);
    const before = await tablesOf(sql);
    for (const { name, rows } of before)
      expect([name, rows.length > 0 || name === 'payment_buyer_events']).toEqual([name, true]);
    await sql.migrate('payment', paymentMigrations);
    expect(await recordOf(sql)).toEqual(paymentMigrations.map(({ name }) => name));
    expect(await lostRows(sql, before)).toEqual([]);
    expect(await balancesOf(sql)).toEqual(balances);
    expect(await upgradedCatalogueOf(sql)).toEqual(await catalogueOf(fresh));
    await sql.migrate('payment', paymentMigrations);
  },
);

test('a ledger with seals of both forms verifies after the upgrade and reveals a forgery', async () => {
  const sql = await server.open(await server.create());
  await fillPayment(sql);
  await sql.migrate('payment', paymentMigrations);
  const { rows } = await sql.query('SELECT form, count(*) FROM ledger_batch GROUP BY form ORDER BY form');
  expect(rows).toEqual([
    { form: 1, count: 2n },
    { form: 2, count: 3n },
  ]);
  expect(await verifyLedger(sql)).toMatchObject({ batches: 5n, transfers: 7n, faults: [] });
  expect((await proveMoney(sql)).walletsWrong).toBe(0n);
  const capture = captureOf({ paymentOrderId: 'o-5', seller: 'DE', amount: eur(1) });
  await sql.transaction((tx) => post(tx, [capture]));
  await sql.transaction((tx) => advanceWallets(tx));
  expect(await walletOf(sql, 'DE', eur(0).currency)).toMatchObject({
    balance: (await balanceOf(sql, 'seller:DE:EUR')).posted,
    reserved: eur(5),
    behind: 0n,
  });
  expect((await verifyLedger(sql)).faults).toEqual([]);
  for (const [cause, batch] of [
    ['a', 1],
    ['b', 4],
  ] as const) {
    await sql.transaction(async (tx) => {
      await tx.query('SET LOCAL session_replication_role = replica');
      await tx.query('UPDATE ledger_transfer SET cause = $1 WHERE batch_no = $2', [cause, batch]);
    });
    const { faults } = await verifyLedger(sql);
    expect(faults.map(({ where }) => where).join()).toContain(`batch ${batch}`);
  }
});

test('orders, refunds, payouts and decisions from before the upgrade can be read', async () => {
  const sql = await server.open(await server.create());
  await fillPayment(sql);
  await sql.migrate('payment', paymentMigrations);
  expect(await readOrder(sql, 'o-1')).toMatchObject({
    status: 'SUCCESS',
    capturedMinor: 100n,
    caller: 'shop',
  });
  expect((await readEvents(sql, ['c-2'])).get('c-2')).toMatchObject({
    isDone: false,
    orders: [{ id: 'o-4', status: 'EXECUTING' }],
  });
  expect(await readRefund(sql, 'r-1')).toMatchObject({ amountMinor: 40n, awaitsSecond: false });
  expect(await payoutOf(sql, 'p-2')).toMatchObject({ state: 'created', amount: eur(5) });
  expect(await decisionsOf(sql, 1n)).toMatchObject([{ action: 'adjust', who: 'eva' }]);
});
