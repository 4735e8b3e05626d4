import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountOf, sellerAccount } from '#payment/ledger/accounts.js';
import { balanceAt } from '#payment/ledger/balance.js';
import { post } from '#payment/ledger/ledger.js';
import { captureOf, refundOf } from '#payment/ledger/payment-transfers.js';
import type { Transfer } from '#payment/ledger/transfer.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { paymentMigrations } from '#payment/migrations.js';
import { parseCurrency } from '#payment/money/currency.js';
import { proveMoney } from '#payment/reconciliation/prove-money.js';
import { advanceWallets, rebuildWallets } from '#payment/wallet/wallet.js';
import type { Sql } from '#platform/sql/sql.js';
import { openLedgerDatabase } from './ledger-database.js';
import { inBlocksOf, ledgerIn } from './ledger-in.js';

let sql: Sql;
let dispose: () => Promise<void>;
beforeAll(async () => {
  ({ sql, dispose } = await openLedgerDatabase());
});
afterAll(() => dispose?.());

const currencies = ['EUR', 'USD'].map((code) => parseCurrency(code)!);
const move = fc.record({
  seller: fc.constantFrom('A', 'B', 'C', 'D'),
  currency: fc.constantFrom(...currencies),
  minor: fc.bigInt({ min: 1n, max: 999n }),
  what: fc.constantFrom('capture', 'capture', 'refund', 'reserve', 'resolve'),
});
type Move = typeof move extends fc.Arbitrary<infer Value> ? Value : never;
const batch = fc.record({
  moves: fc.array(move, { minLength: 1, maxLength: 4 }),
  /** Several batches may have the same time. */
  seconds: fc.integer({ min: 0, max: 2 }),
  /** Whose wallet is updated then: none, all, or two sellers'. */
  advances: fc.constantFrom(undefined, undefined, [], ['A', 'B']),
});

/** Makes transfers that the ledger accepts, in any order of wishes. */
class Traffic {
  #names = 0;
  #reserved: Transfer[] = [];

  transferOf({ seller, currency, minor, what }: Move): Transfer {
    const subject = `past-${this.#names++}`;
    const amount = { minor, currency };
    if (what === 'capture') return captureOf({ paymentOrderId: subject, seller, amount });
    if (what === 'refund') return refundOf({ paymentOrderId: subject, seller, amount, refundId: 'r' });
    const pending = what === 'resolve' ? this.#reserved.pop() : undefined;
    if (pending !== undefined)
      return { ...pending, operation: 'end', phase: minor > 500n ? 'post' : 'void', resolves: 'pay' };
    const debit = sellerAccount(seller, currency);
    const legs = [{ debit, credit: accountOf('cash-bank', currency), amount }];
    const reservation: Transfer = { subject, operation: 'pay', kind: 'payout', phase: 'pending', legs };
    this.#reserved.push(reservation);
    return reservation;
  }
}

test('I5, I6: every past balance, and every wallet at any lag, equals the recount', async () => {
  const traffic = new Traffic();
  const ledgers = new Map<number, Sql>();
  for (const transfers of [1, 2, 5, 11]) {
    const ledger = await ledgerIn(sql, `blocks_of_${transfers}`, paymentMigrations);
    await inBlocksOf(ledger, transfers);
    // Some blocks, whatever the moves below may be.
    for (let n = 0; n < 48; n += 4) {
      const captures = [n, n + 1, n + 2, n + 3].map((item) =>
        captureOf({
          paymentOrderId: `begun-${item}`,
          seller: 'A',
          amount: { minor: 1n, currency: currencies[0]! },
        }),
      );
      await ledger.transaction((tx) => post(tx, captures));
    }
    ledgers.set(transfers, ledger);
  }
  let clock = Date.UTC(2100, 0, 1);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ledgers.keys()),
      fc.array(batch, { minLength: 1, maxLength: 12 }),
      async (transfers, batches) => {
        const ledger = ledgers.get(transfers)!;
        const begun = clock;
        for (const { moves, seconds, advances } of batches) {
          clock += seconds * 1_000;
          const posted = moves.map((one) => traffic.transferOf(one));
          await ledger.transaction((tx) => post(tx, posted, { at: new Date(clock) }));
          const some = advances?.map((seller) => sellerAccount(seller, currencies[0]!));
          if (some !== undefined)
            await ledger.transaction((tx) => advanceWallets(tx, some.length === 0 ? undefined : some));
        }
        for (let at = begun - 1_000; at <= clock; at += 1_000) await expectRecount(ledger, new Date(at));
        expect((await proveMoney(ledger)).walletsWrong).toBe(0n);
      },
    ),
    { numRuns: 30 },
  );
  for (const ledger of ledgers.values()) {
    expect((await ledger.query('SELECT FROM ledger_block')).rowCount).toBeGreaterThan(3);
    expect((await verifyLedger(ledger)).faults).toEqual([]);
    // Like wallets from the time before their batch was recorded.
    await ledger.query('UPDATE wallet SET batch_no = 0');
    expect((await proveMoney(ledger)).walletsWrong).toBe(0n);
    await ledger.transaction((tx) => advanceWallets(tx));
    expect(await wrongWallets(ledger)).toEqual([]);
    const before = await walletsOf(ledger);
    await rebuildWallets(ledger, 60_000);
    expect(await walletsOf(ledger)).toEqual(before);
    const last = await ledger.query(
      'SELECT w.account_no FROM wallet w JOIN ledger_account_balance s USING (account_no) WHERE w.batch_no <> s.batch_no',
    );
    expect(last.rows).toEqual([]);
  }
});

test('the missing postings of wallets that are far behind are read once for all of them', async () => {
  const ledger = await ledgerIn(sql, 'far_behind', paymentMigrations);
  await inBlocksOf(ledger, 50);
  const sellers = ['A', 'B', 'C', 'D'];
  for (let n = 0; n < 20; n += 1) {
    const captures = Array.from({ length: 20 }, (_, item) =>
      captureOf({
        paymentOrderId: `far-${n}-${item}`,
        seller: sellers[item % sellers.length]!,
        amount: { minor: 1n, currency: currencies[0]! },
      }),
    );
    await ledger.transaction((tx) => post(tx, captures));
  }
  // Each account moved in every block.
  const { rows } = await ledger.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, FORMAT json) SELECT * FROM ledger_since(ARRAY[${await numbersOf(ledger)}], ARRAY[0, 0, 0, 0], ARRAY[0, 0, 0, 0])`,
  );
  expect(rowsRead('ledger_transfer', rows[0]!['QUERY PLAN'][0].Plan)).toBe(400);
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

function rowsRead(table: string, node: PlanNode): number {
  const below = (node.Plans ?? []).map((plan) => rowsRead(table, plan));
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return below.reduce((sum, rows) => sum + rows, node['Relation Name'] === table ? own : 0);
}

async function numbersOf(ledger: Sql): Promise<string> {
  const { rows } = await ledger.query<{ account_no: bigint }>(
    "SELECT account_no FROM ledger_account WHERE id LIKE 'seller:%'",
  );
  return rows.map(({ account_no }) => account_no).join();
}

/** Every account at the moment, as the sum of the postings until then. */
async function expectRecount(ledger: Sql, at: Date): Promise<void> {
  const { rows } = await ledger.query<{ id: string; sum: bigint; items: bigint }>(
    `SELECT a.id, (a.side * coalesce(sum(e.amount), 0))::bigint AS sum, count(e.amount) AS items
     FROM ledger_account a LEFT JOIN ledger_entry e ON e.account = a.id AND e.posted_at <= $1 GROUP BY a.id, a.side`,
    [at],
  );
  for (const { id, sum, items } of rows) {
    const { posted, sequence } = await balanceAt(ledger, id, at);
    expect([id, at, posted.minor, sequence]).toEqual([id, at, sum, items]);
  }
}

/** Without those of which only a pay-out was reserved and given up: the rebuilt ones have no such row. */
async function walletsOf(ledger: Sql) {
  const { rows } = await ledger.query(
    `SELECT account_no, balance, reserved, sequence FROM wallet
     WHERE sequence > 0 OR reserved <> 0 ORDER BY 1`,
  );
  return rows;
}

async function wrongWallets(ledger: Sql) {
  const { rows } = await ledger.query(
    `SELECT a.id FROM ledger_account a LEFT JOIN wallet w USING (account_no) JOIN (
       SELECT account, -sum(amount) AS sum, count(*) AS items FROM ledger_entry GROUP BY account) e ON e.account = a.id
     LEFT JOIN ledger_account_balance s USING (account_no)
     WHERE a.id LIKE 'seller:%'
       AND (w.balance, w.sequence, w.reserved) IS DISTINCT FROM (e.sum, e.items, s.pending_debit)`,
  );
  return rows;
}
