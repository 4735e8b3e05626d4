import { afterAll, beforeAll, expect, test } from 'vitest';
import { balanceOf } from '#payment/ledger/balance.js';
import { approve, decide, type FinanceDeps, listFindings } from '#payment/reconciliation/finance-queue.js';
import { loadSettlement } from '#payment/reconciliation/load-settlement.js';
import { reconcileSettlement } from '#payment/reconciliation/reconcile.js';
import type { Sql } from '#platform/sql/sql.js';
import { until } from '../contracts/until.js';
import { openLedgerDatabase } from './ledger-database.js';
import { captured, dayMs, fileOf, lineOf, refunded } from './settlement-order.js';

let sql: Sql;
let dispose: () => Promise<void>;
beforeAll(async () => {
  ({ sql, dispose } = await openLedgerDatabase());
});
afterAll(() => dispose?.());

/** Midnight of a day that only this test uses. Ledger time never falls, so later tests have later days. */
let days = 0;
const nextDays = (): ((n: number, hours?: number) => Date) => {
  days += 100;
  const first = days;
  return (n, hours = 0) => new Date(Date.UTC(2027, 0, first + n) + hours * 3_600_000);
};

async function* once(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** Each file is from a provider of its own test, so that other tests' files do not matter. */
async function reconcile(fileId: string, period: Date, lines: readonly string[], provider: string) {
  const bytes = once(fileOf(fileId, period, lines, provider));
  const now = new Date(period.getTime() + dayMs + 3_600_000);
  const outcome = await reconcileSettlement(sql, { source: fileId, bytes, now });
  if (outcome.kind !== 'reconciled') throw new Error(outcome.detail);
  return outcome.report.found;
}

test('P-101: a refund long after its charge does not make the charge missing', async () => {
  const day = nextDays();
  await captured(sql, 'long-ago', 1_000, day(0, 12));
  expect(await reconcile('d0', day(0), [lineOf('long-ago', 1_000, day(0, 12))], 'late-refund')).toEqual({});
  await refunded(sql, 'long-ago', 'r-late', 400, day(20, 12));
  const lines = [lineOf('long-ago', 400, day(20, 12), { refund: 'r-late' })];
  expect(await reconcile('d20', day(20), lines, 'late-refund')).toEqual({});
});

test('P-101: a charge settled again weeks later is a duplicate, even if its order changed', async () => {
  const day = nextDays();
  for (const order of ['again-1', 'again-2']) await captured(sql, order, 500, day(0, 12));
  const lines = ['again-1', 'again-2'].map((order) => lineOf(order, 500, day(0, 12)));
  expect(await reconcile('d0', day(0), lines, 'again')).toEqual({});
  await refunded(sql, 'again-1', 'r-again', 100, day(20, 12));
  const later = [lineOf('again-1', 100, day(20, 12), { refund: 'r-again' })];
  expect(await reconcile('d20', day(20), [...lines, ...later], 'again')).toEqual({ duplicate_line: 2 });
});

test('P-101: a line that arrives weeks late belongs to its day and is no longer missing', async () => {
  const day = nextDays();
  await captured(sql, 'slow', 700, day(0, 12));
  expect(await reconcile('d0', day(0), [], 'slow')).toEqual({ missing_at_psp: 1 });
  expect(await reconcile('d20', day(20), [lineOf('slow', 700, day(0, 12))], 'slow')).toEqual({
    wrong_day: 1,
  });
  const { rows } = await sql.query(
    `SELECT kind, state FROM reconciliation_finding WHERE payment_order_id = 'slow' ORDER BY finding_no`,
  );
  expect(rows).toEqual([
    { kind: 'missing_at_psp', state: 'healed' },
    { kind: 'wrong_day', state: 'adjusted' },
  ]);
});

test('P-101, P-102: a copy of a failed line moves no money; a success after it is not a copy', async () => {
  const day = nextDays();
  await captured(sql, 'second-try', 300, day(0, 12));
  const failed = lineOf('second-try', 300, day(0, 11), { status: 'failed' });
  const succeeded = lineOf('second-try', 300, day(0, 12));
  expect(await reconcile('d0', day(0), [failed, failed, succeeded], 'tries')).toEqual({
    status_differs: 1,
    duplicate_line: 1,
  });
  expect(await reconcile('d1', day(1), [succeeded], 'tries')).toEqual({ duplicate_line: 1 });
  // Also if it failed long ago.
  const late = [lineOf('second-try', 300, day(20, 1), { status: 'failed' })];
  expect(await reconcile('d20', day(20), late, 'tries')).toEqual({ duplicate_line: 1 });
  expect((await balanceOf(sql, 'settlement-difference:EUR')).posted.minor).toBe(1_300n);
});

/** Sessions that wait for a lock in this database; the server has others. */
const waiting = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

test('P-101: a line in two files that are compared concurrently is a duplicate', async () => {
  const day = nextDays();
  await captured(sql, 'twice', 10, day(0, 12));
  const files = ['a', 'b'].map((fileId) => fileOf(fileId, day(0), [lineOf('twice', 10, day(0, 12))], 'both'));
  const given = (bytes: Buffer) => ({ source: 'test', bytes: once(bytes), now: day(1, 1) });
  for (const bytes of files) await loadSettlement(sql, given(bytes));
  let compared: Promise<unknown> = Promise.resolve();
  await sql.transaction(async (tx) => {
    await tx.query('LOCK TABLE settlement_line IN SHARE UPDATE EXCLUSIVE MODE');
    compared = Promise.all(files.map((bytes) => reconcileSettlement(sql, given(bytes))));
    await until('two waiting sessions', async () => {
      const { rowCount } = await sql.query(waiting);
      return rowCount === 2;
    });
  });
  await compared;
  const { rows } = await sql.query(
    `SELECT kind, state FROM reconciliation_finding WHERE payment_order_id = 'twice'`,
  );
  expect(rows).toEqual([{ kind: 'duplicate_line', state: 'adjusted' }]);
});

const finance = (): FinanceDeps => ({ sql, now: () => new Date(), secondPersonAboveMinor: 1_000n });
const proposalOf = async (order: string) => {
  const finding = (await listFindings(sql, { limit: 200 })).find((one) => one.paymentOrderId === order)!;
  return { findingNo: finding.findingNo, entry: finding.proposal[0]! };
};

test('P-102: money that arrives after its write-off is found, and the entry is reversed', async () => {
  const day = nextDays();
  await captured(sql, 'written-off', 900, day(0, 12));
  await reconcile('d0', day(0), [], 'write-off');
  const { findingNo, entry } = await proposalOf('written-off');
  expect(await decide(finance(), { findingNo, entry, who: 'ann', why: 'never came' })).toMatchObject({
    kind: 'applied',
  });
  expect(await reconcile('d1', day(1), [lineOf('written-off', 900, day(1, 1))], 'write-off')).toEqual({
    amount_differs: 1,
  });
  expect((await proposalOf('written-off')).entry).toEqual({
    debit: entry.credit,
    credit: entry.debit,
    amount: entry.amount,
  });
});

test('P-105: a finding that resolves while it waits for the second person is not written off', async () => {
  const day = nextDays();
  await captured(sql, 'waits', 5_000, day(0, 12));
  await reconcile('d0', day(0), [], 'waits');
  const { findingNo, entry } = await proposalOf('waits');
  const decided = await decide(finance(), { findingNo, entry, who: 'ann', why: 'never came' });
  if (decided.kind !== 'awaiting_second') throw new Error(decided.kind);
  expect(await reconcile('d1', day(1), [lineOf('waits', 5_000, day(0, 23))], 'waits')).toEqual({
    wrong_day: 1,
  });
  expect(await approve(finance(), decided.decisionNo, 'bob')).toEqual({ kind: 'not_open' });
  const { rows } = await sql.query('SELECT state FROM reconciliation_finding WHERE finding_no = $1', [
    findingNo,
  ]);
  expect(rows).toEqual([{ state: 'healed' }]);
});
