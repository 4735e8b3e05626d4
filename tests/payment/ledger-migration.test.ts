import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountOf, sellerAccount } from '#payment/ledger/accounts.js';
import { balanceAt, balanceOf } from '#payment/ledger/balance.js';
import { post } from '#payment/ledger/ledger.js';
import { openAccounts } from '#payment/ledger/open-accounts.js';
import { captureOf, refundOf } from '#payment/ledger/payment-transfers.js';
import type { Transfer } from '#payment/ledger/transfer.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { paymentMigrations } from '#payment/migrations.js';
import { parseCurrency } from '#payment/money/currency.js';
import { proveMoney } from '#payment/reconciliation/prove-money.js';
import { advanceWallets, walletOf } from '#payment/wallet/wallet.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import { until } from '../contracts/until.js';
import { eur, openLedgerDatabase } from './ledger-database.js';
import { ledgerIn } from './ledger-in.js';

let sql: Sql;
let dispose: () => Promise<void>;
beforeAll(async () => {
  ({ sql, dispose } = await openLedgerDatabase());
});
afterAll(() => dispose?.());

const usd = (minor: number) => ({ minor: BigInt(minor), currency: parseCurrency('USD')! });
const day = (n: number) => new Date(Date.UTC(2100, 0, n));
const capture = (order: string, amount = eur(100), seller = 'DE') =>
  captureOf({ paymentOrderId: order, seller, amount });
const pay = (id: string, minor: number): Transfer => ({
  subject: id,
  operation: 'pay',
  kind: 'payout',
  legs: [
    {
      debit: sellerAccount('DE', eur(0).currency),
      credit: accountOf('cash-bank', eur(0).currency),
      amount: eur(minor),
    },
  ],
});
const end = (id: string, phase: 'post' | 'void', minor: number): Transfer => ({
  ...pay(id, minor),
  operation: 'end',
  phase,
  resolves: 'pay',
});

/**
 * One batch a day: plain ones, one in two currencies, money that is reserved, paid out, set free, and still
 * reserved.
 */
const days: ReadonlyArray<readonly Transfer[]> = [
  [capture('o-1'), capture('o-2', eur(7), 'FR')],
  [capture('o-3', usd(50)), capture('o-4')],
  [{ ...pay('p-1', 30), phase: 'pending' }],
  [end('p-1', 'post', 20)],
  [{ ...pay('p-2', 40), phase: 'pending' }, capture('o-5', eur(3), 'FR')],
  [end('p-2', 'void', 40)],
  [{ ...pay('p-3', 5), phase: 'pending' }],
  [refundOf({ paymentOrderId: 'o-4', seller: 'DE', amount: eur(11), refundId: 'r' })],
];

/**
 * As the migrations before left it, with a wallet that follows for four days and an account that never moved.
 */
async function ledgerOfStandings(schema: string): Promise<Sql> {
  const before = paymentMigrations.filter(({ name }) => name < '0076');
  const ledger = await ledgerIn(sql, schema, before);
  // Whoever posted then wrote no places.
  await ledger.query('ALTER TABLE ledger_transfer ADD COLUMN place smallint');
  for (const [n, transfers] of days.entries()) {
    await ledger.transaction(async (tx) => {
      await post(tx, transfers, { at: day(n) });
      if (n < 4) await advanceWallets(tx);
    });
  }
  await ledger.query('ALTER TABLE ledger_transfer DROP COLUMN place');
  await ledger.transaction((tx) => openAccounts(tx, [sellerAccount('IT', eur(0).currency)]));
  return ledger;
}

const later = paymentMigrations
  .filter(({ name }) => name >= '0076')
  .map(({ sql: ddl }) => ddl)
  .join('');

async function migrate(ledger: Sql, blockTransfers = 131_072): Promise<void> {
  expect(later).toContain('SELECT 131072::bigint');
  await ledger.query(later.replace('SELECT 131072::bigint', `SELECT ${blockTransfers}::bigint`));
}

test.each([1, 2, 3, 131_072])(
  'a ledger of standings goes on in blocks of %d transfers',
  async (transfers) => {
    const ledger = await ledgerOfStandings(`grown_${transfers}`);
    const accounts = ['DE', 'FR', 'IT'].map((seller) => sellerAccount(seller, eur(0).currency));
    const told = async () => {
      const all: unknown[] = [];
      for (const account of [...accounts, 'seller:DE:USD', 'cash-psp:EUR', 'cash-bank:EUR']) {
        all.push(await balanceOf(ledger, account));
        for (let n = -1; n <= days.length; n += 1) all.push(await balanceAt(ledger, account, day(n)));
      }
      return all;
    };
    const before = await told();
    await migrate(ledger, transfers);
    expect((await verifyLedger(ledger)).faults).toEqual([]);
    expect(await told()).toEqual(before);
    expect((await proveMoney(ledger)).walletsWrong).toBe(0n);
    await ledger.transaction((tx) => advanceWallets(tx));
    expect(await walletOf(ledger, 'DE', eur(0).currency)).toMatchObject({
      balance: (await balanceOf(ledger, accounts[0]!)).posted,
      reserved: eur(5),
      behind: 0n,
    });
    await ledger.transaction((tx) => post(tx, [capture('o-6', eur(1), 'IT'), end('p-3', 'post', 5)]));
    expect((await verifyLedger(ledger)).faults).toEqual([]);
    expect((await proveMoney(ledger)).walletsWrong).toBe(0n);
  },
);

test.each([
  'UPDATE ledger_standing SET balance = balance + 1 WHERE account_no = 1 AND batch_no = 1',
  'UPDATE ledger_standing SET pending_debit = pending_debit + 1 WHERE account_no = 2 AND batch_no = 4',
  'UPDATE ledger_standing SET batch_no = 3 WHERE account_no = 2 AND batch_no = 4',
  "UPDATE ledger_standing SET currency = 'USD' WHERE account_no = 2 AND batch_no = 4",
  'DELETE FROM ledger_standing WHERE account_no = 2 AND batch_no = 4',
  "INSERT INTO ledger_standing VALUES (2, 99, 0, 0, 0, 8, -1, false, 'EUR')",
  'UPDATE ledger_batch SET transfers = 9 WHERE batch_no = 3',
])('a ledger whose standings are not what its postings say is not migrated: %s', async (forgery) => {
  const ledger = await ledgerOfStandings(`forged_${names++}`);
  await ledger.transaction(async (tx) => {
    await tx.query('SET LOCAL session_replication_role = replica');
    expect((await tx.query(forgery)).rowCount).toBe(1);
  });
  await expect(migrate(ledger)).rejects.toThrow('not what its postings say');
});
let names = 0;

/** Who waits for a lock in this database; the server has others. */
const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

test('whoever posts while the ledger is migrated ends first, and neither waits for the other in a circle', async () => {
  const ledger = await ledgerOfStandings('busy');
  const once = { attempts: 1 };
  let migrated: Promise<unknown> = Promise.resolve();
  await ledger.transaction(async (tx) => {
    await tx.query('SELECT FROM ledger_tip FOR UPDATE');
    migrated = ledger.transaction((other) => other.query(later), once);
    migrated.catch(() => {}); // Looked at below.
    await until('the migration to wait', async () => {
      const { rowCount } = await sql.query(waiting);
      return rowCount > 0;
    });
    await tx.query('LOCK TABLE ledger_transfer IN ROW EXCLUSIVE MODE'); // As COPY does.
  }, once);
  await migrated;
  expect((await verifyLedger(ledger)).faults).toEqual([]);
});

test.each([
  ['LATIN1', 'keeps text as LATIN1'],
  ['SQL_ASCII', undefined],
])('a database in %s: %s', async (encoding, refusal) => {
  const { rows } = await sql.query<{ port: string; password: string }>(
    `SELECT current_setting('port') AS port, trim(pg_read_file('../password')) AS password`,
  );
  const { port, password } = rows[0]!;
  const name = `in_${encoding.toLowerCase()}`;
  await sql.query(
    `CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`,
  );
  const other = await openSql(`postgres://meridian:${password}@127.0.0.1:${port}/${name}`);
  try {
    const migrated = other.migrate('payment', paymentMigrations);
    if (refusal !== undefined) return await expect(migrated).rejects.toThrow(refusal);
    await migrated;
    await other.transaction((tx) => post(tx, [capture('café')]));
    expect((await verifyLedger(other)).faults).toEqual([]);
  } finally {
    await other.close();
  }
});
