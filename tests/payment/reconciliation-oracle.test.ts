import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { balanceOf } from '#payment/ledger/balance.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { proveMoney } from '#payment/reconciliation/prove-money.js';
import { reconcileSettlement } from '#payment/reconciliation/reconcile.js';
import type { Sql } from '#platform/sql/sql.js';
import { openLedgerDatabase } from './ledger-database.js';
import { captured, fileOf, lineOf, refunded } from './settlement-order.js';

let sql: Sql;
let dispose: () => Promise<void>;
beforeAll(async () => {
  ({ sql, dispose } = await openLedgerDatabase());
});
afterAll(() => dispose?.());

const lastDay = 14;
/**
 * The days after the operation on which the provider's files contain it, the same day twice for a copy in one
 * file; empty for never.
 */
const linesAfter = fc.oneof(
  { weight: 6, arbitrary: fc.constant([0]) },
  { weight: 2, arbitrary: fc.array(fc.integer({ min: 0, max: lastDay }), { maxLength: 3 }) },
);
const order = fc.record({
  day: fc.integer({ min: 0, max: lastDay }),
  minor: fc.integer({ min: 2, max: 900 }),
  lines: linesAfter,
  /** The difference of the provider's amount to ours. */
  off: fc.constantFrom(0, 0, 0, 0, 1, -1),
  refundAfter: fc.option(fc.integer({ min: 0, max: lastDay }), { nil: undefined }),
  refundLines: linesAfter,
});

type Ordered = typeof order extends fc.Arbitrary<infer Value> ? Value : never;

interface Operation {
  readonly order: string;
  readonly refund: string | undefined;
  readonly day: number;
  readonly minor: number;
  readonly pspMinor: number;
  /** The days of its lines, in order. */
  readonly lines: readonly number[];
}

function operationsOf(run: string, orders: readonly Ordered[]): readonly Operation[] {
  return orders.flatMap(({ day, minor, lines, off, refundAfter, refundLines }, n): readonly Operation[] => {
    const common = { order: `${run}-${n}`, minor, pspMinor: minor };
    const days = (from: number, after: readonly number[]) =>
      after.map((more) => from + more).toSorted((a, b) => a - b);
    const charge = { ...common, refund: undefined, day, pspMinor: minor + off, lines: days(day, lines) };
    const refundDay = day + (refundAfter ?? lastDay + 1);
    if (refundDay > lastDay) return [charge];
    const refund = `${run}-r-${n}`;
    return [charge, { ...common, refund, day: refundDay, lines: days(refundDay, refundLines) }];
  });
}

/**
 * The findings that a person with all files would make: `day kind order refund`, and the sum of the copies.
 */
function expected(operations: readonly Operation[]): { readonly found: string[]; readonly copies: number } {
  const found: string[] = [];
  let copies = 0;
  for (const { order: id, refund, day, minor, pspMinor, lines } of operations) {
    const say = (fileDay: number, kind: string) => found.push(`${fileDay} ${kind} ${id} ${refund ?? ''}`);
    const seen = lines.filter((fileDay) => fileDay <= lastDay);
    for (const [n, fileDay] of seen.entries())
      if (n > 0) {
        say(fileDay, 'duplicate_line');
        copies += refund === undefined ? pspMinor : -pspMinor;
      } else {
        if (fileDay !== day) say(fileDay, 'wrong_day');
        if (pspMinor !== minor) say(fileDay, 'amount_differs');
      }
    // The first file reveals what it lacks.
    if (seen[0] !== day) say(day, 'missing_at_psp');
  }
  return { found: found.toSorted(), copies };
}

let runs = 0;

test('P-101, P-102: late, missing, repeated or wrong lines over days are found once each', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(order, { minLength: 1, maxLength: 12 }), async (orders) => {
      runs += 1;
      const run = `run-${runs}`;
      const at = (day: number, hours: number) =>
        new Date(Date.UTC(2027, 0, runs * 40 + day) + hours * 3_600_000);
      const operations = operationsOf(run, orders);
      const before = (await balanceOf(sql, 'settlement-difference:EUR')).posted.minor;
      for (let day = 0; day <= lastDay; day += 1) {
        for (const { order: id, refund, minor, day: own } of operations)
          if (own !== day) continue;
          else if (refund === undefined) await captured(sql, id, minor, at(day, 12));
          else await refunded(sql, id, refund, minor, at(day, 12));
        const lines = operations.flatMap(({ order: id, refund, pspMinor, day: own, lines: days }) =>
          days
            .filter((fileDay) => fileDay === day)
            .map(() => lineOf(id, pspMinor, at(own, 12), refund === undefined ? {} : { refund })),
        );
        for (let again = 0; again < 2; again += 1) {
          const bytes = fileOf(`${run}-${day}`, at(day, 0), lines, run);
          await reconcileSettlement(sql, { source: run, bytes: once(bytes), now: at(day + 1, 1) });
        }
      }
      const { found, copies } = expected(operations);
      expect(await findingsOf(run)).toEqual(found);
      expect((await balanceOf(sql, 'settlement-difference:EUR')).posted.minor - before).toBe(BigInt(copies));
      expect((await balanceOf(sql, 'psp-cut-off:EUR')).posted.minor).toBe(0n);
      expect(await openOf(run)).toBe(
        operations.filter(({ lines: days }) => !days.some((day) => day <= lastDay)).length,
      );
    }),
    { numRuns: 8 },
  );
  expect((await verifyLedger(sql)).faults).toEqual([]);
  expect((await proveMoney(sql)).walletsWrong).toBe(0n);
});

async function* once(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}

async function findingsOf(provider: string): Promise<readonly string[]> {
  const { rows } = await sql.query<{ text: string }>(
    `SELECT split_part(s.file_id, '-', 3) || ' ' || f.kind || ' ' || f.payment_order_id || ' '
       || CASE WHEN f.operation = 'capture' THEN '' ELSE substr(f.operation, 8) END AS text
     FROM reconciliation_finding f JOIN settlement_file s USING (file_no) WHERE s.provider = $1`,
    [provider],
  );
  return rows.map(({ text }) => text).toSorted();
}

/** What is still missing. */
async function openOf(provider: string): Promise<number> {
  const { rowCount } = await sql.query(
    `SELECT FROM reconciliation_finding f JOIN settlement_file s USING (file_no)
     WHERE s.provider = $1 AND f.kind = 'missing_at_psp' AND f.state = 'open'`,
    [provider],
  );
  return rowCount;
}
