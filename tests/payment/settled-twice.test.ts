import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { listFindings, type QueuedFinding } from '#payment/reconciliation/finance-queue.js';
import { reconcileSettlement } from '#payment/reconciliation/reconcile.js';
import type { Sql } from '#platform/sql/sql.js';
import { openLedgerDatabase } from './ledger-database.js';
import { captured, dayMs, fileOf, lineOf, refunded } from './settlement-order.js';

let sql: Sql;
let dispose: () => Promise<void>;
beforeAll(async () => {
  ({ sql, dispose } = await openLedgerDatabase());
});
afterAll(async () => {
  expect((await verifyLedger(sql)).faults).toEqual([]);
  await dispose?.();
});

let days = 0;
/** Midnight of days that only this test uses; ledger time never falls. */
const nextDays = (): ((n: number, hours?: number) => Date) => {
  days += 100;
  const first = days;
  return (n, hours = 0) => new Date(Date.UTC(2027, 0, first + n) + hours * 3_600_000);
};

async function* once(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}

interface Said {
  readonly found: Readonly<Record<string, number>>;
  /** Adjusted by itself, queued, to investigate. */
  readonly counts: readonly [number, number, number];
}

async function reconcile(
  fileId: string,
  period: Date,
  lines: readonly string[],
  provider: string,
): Promise<Said> {
  const bytes = once(fileOf(fileId, period, lines, provider));
  const now = new Date(period.getTime() + dayMs + 3_600_000);
  const outcome = await reconcileSettlement(sql, { source: fileId, bytes, now });
  if (outcome.kind !== 'reconciled') throw new Error(outcome.detail);
  const { found, adjusted, queued, toInvestigate } = outcome.report;
  return { found, counts: [adjusted, queued, toInvestigate] };
}
const asked = (found: Readonly<Record<string, number>>): Said => ({ found, counts: [0, 1, 0] });

const waiting = async (order: string): Promise<readonly QueuedFinding[]> =>
  (await listFindings(sql, { limit: 200 })).filter(({ paymentOrderId }) => paymentOrderId === order);
/** Bookings of an order other than its charge. */
const adjustments = async (order: string) =>
  (await sql.query(`SELECT FROM ledger_transfer WHERE subject = $1 AND kind = 'adjustment'`, [order]))
    .rowCount;

let orders = 0;
/** An order of 40.00 with the provider's reference `ours`, whether or not the provider reported it to us. */
async function charged(at: Date, isKnown = true): Promise<string> {
  orders += 1;
  const order = `order-${orders}`;
  await captured(sql, order, 4_000, at, isKnown ? 'ours' : undefined);
  return order;
}
const ours = { reference: 'ours' };

describe('a charge that is settled twice', () => {
  test.each([
    ['under another reference and at another time', { reference: 'other' }, 4_000, 13, true],
    ['under another reference, in another amount', { reference: 'other' }, 3_900, 13, true],
    ['under another reference, as its first line', { reference: 'other' }, 4_000, 11, true],
    ['under another reference, where we know none', { reference: 'other' }, 4_000, 13, false],
  ] as const)(
    'P-101, P-102: a person reviews a second settlement %s',
    async (_, how, minor, hours, isKnown) => {
      const day = nextDays();
      const order = await charged(day(0, 12), isKnown);
      const lines = [lineOf(order, 4_000, day(0, 12), ours), lineOf(order, minor, day(0, hours), how)];
      if (hours < 12) lines.reverse();
      expect(await reconcile('d0', day(0), lines, order)).toEqual(asked({ settled_twice: 1 }));
      expect(await adjustments(order)).toBe(0);
      const [finding] = await waiting(order);
      expect(finding).toMatchObject({
        kind: 'settled_twice',
        state: 'open',
        pspMinor: BigInt(minor),
        proposal: [
          {
            debit: 'settlement-difference:EUR',
            credit: 'psp-suspense:EUR',
            amount: { minor: BigInt(minor) },
          },
        ],
      });
    },
  );

  test('P-101: a person also reviews one in the file of the next day, or weeks later', async () => {
    const day = nextDays();
    const order = await charged(day(0, 12));
    const again = (n: number) => lineOf(order, 4_000, day(n, 1), { reference: `other-${n}` });
    expect((await reconcile('d0', day(0), [lineOf(order, 4_000, day(0, 12), ours)], order)).found).toEqual(
      {},
    );
    expect(await reconcile('d1', day(1), [again(1)], order)).toEqual(asked({ settled_twice: 1 }));
    expect(await reconcile('d30', day(30), [again(30)], order)).toEqual(asked({ settled_twice: 1 }));
    expect(await adjustments(order)).toBe(0);
  });

  test('P-101: a refund that is settled twice is reviewed like a charge', async () => {
    const day = nextDays();
    const order = await charged(day(0, 12));
    const refund = `refund-of-${order}`;
    await refunded(sql, order, refund, 400, day(0, 13));
    const lines = [
      lineOf(order, 4_000, day(0, 12), ours),
      lineOf(order, 400, day(0, 13), { refund, reference: 're-1' }),
      lineOf(order, 400, day(0, 14), { refund, reference: 're-2' }),
    ];
    expect(await reconcile('d0', day(0), lines, order)).toEqual(asked({ settled_twice: 1 }));
  });

  test('P-102: the same line again in every field is harmless, however often it appears', async () => {
    const day = nextDays();
    const order = await charged(day(0, 12));
    const line = lineOf(order, 4_000, day(0, 12), ours);
    expect(await reconcile('d0', day(0), [line, line, line], order)).toEqual({
      found: { duplicate_line: 2 },
      counts: [2, 0, 0],
    });
    for (const n of [1, 30])
      expect((await reconcile(`d${n}`, day(n), [line], order)).found).toEqual({ duplicate_line: 1 });
    expect(await waiting(order)).toEqual([]);
  });
});

describe('a line that the provider corrects', () => {
  test.each([
    [
      'its amount, 40.00 to 39.00',
      3_900,
      {},
      12,
      { line_corrected: 1 },
      { pspMinor: 3_900n, ourMinor: 4_000n },
    ],
    ['its fee', 4_000, { fee: 60 }, 12, { fee_unusual: 1 }, { pspMinor: 60n, ourMinor: 20n }],
    ['its currency', 4_000, { currency: 'USD' }, 12, { currency_differs: 1 }, { pspMinor: 4_000n }],
    ['its time', 4_000, {}, 13, { line_corrected: 1 }, { pspMinor: 4_000n, ourMinor: 4_000n }],
  ] as const)(
    'P-101, P-102: a person reviews a change of %s, in one file and in two',
    async (_, minor, how, hours, found, says) => {
      for (const inOneFile of [true, false]) {
        const day = nextDays();
        const order = await charged(day(0, 12));
        const first = lineOf(order, 4_000, day(0, 12), { ...ours, fee: 20 });
        const corrected = lineOf(order, minor, day(0, hours), { ...ours, fee: 20, ...how });
        const fee = { fee_differs: 1 };
        const firstFile = inOneFile ? [first, corrected] : [first];
        const outcome = await reconcile('d0', day(0), firstFile, order);
        // The fee of the first line is booked as usual.
        expect(outcome.found).toEqual(inOneFile ? { ...fee, ...found } : fee);
        if (!inOneFile)
          expect(await reconcile('d0-corrected', day(0), [corrected], order)).toEqual(asked(found));
        expect(await adjustments(order)).toBe(1);
        expect(await waiting(order)).toMatchObject([says]);
      }
    },
  );

  test('P-102: the proposal for another amount is the difference to the booked amount', async () => {
    const day = nextDays();
    const order = await charged(day(0, 12));
    await reconcile('d0', day(0), [lineOf(order, 4_000, day(0, 12), ours)], order);
    await reconcile('d0-corrected', day(0), [lineOf(order, 3_900, day(0, 12), ours)], order);
    expect((await waiting(order))[0]!.proposal).toMatchObject([
      { debit: 'differences:EUR', credit: 'cash-psp:EUR', amount: { minor: 100n } },
    ]);
  });
});

describe('evidence from one line', () => {
  test('P-101: a reference that differs from the reported one is reviewed by a person', async () => {
    const day = nextDays();
    const order = await charged(day(0, 12));
    const outcome = await reconcile(
      'd0',
      day(0),
      [lineOf(order, 4_000, day(0, 12), { reference: 'foreign' })],
      order,
    );
    expect(outcome).toEqual({ found: { reference_differs: 1 }, counts: [0, 0, 1] });
    expect(await waiting(order)).toMatchObject([{ kind: 'reference_differs', state: 'open', proposal: [] }]);
  });

  test.each([
    [4_000, 99_999],
    [4_000, 4_000],
    [4_000, 501],
    [50, 106],
    [100_000_000, 10_000_101],
  ])('P-101, P-102: of %i a fee of %i is reviewed by a person and not booked', async (minor, fee) => {
    const day = nextDays();
    const order = `fee-${minor}-${fee}`;
    await captured(sql, order, minor, day(0, 12), 'ours');
    const line = lineOf(order, minor, day(0, 12), { ...ours, fee });
    expect(await reconcile('d0', day(0), [line], order)).toEqual(asked({ fee_unusual: 1 }));
    expect(await adjustments(order)).toBe(0);
    expect((await waiting(order))[0]!.proposal).toMatchObject([
      { debit: 'psp-fees:EUR', credit: 'psp-fees-due:EUR', amount: { minor: BigInt(fee) } },
    ]);
  });

  test.each([
    [4_000, 500],
    [4_000, 145],
    [50, 30],
    [100_000_000, 3_500_000],
  ])('P-102: of %i a fee of %i is booked automatically', async (minor, fee) => {
    const day = nextDays();
    const order = `fee-${minor}-${fee}`;
    await captured(sql, order, minor, day(0, 12), 'ours');
    const line = lineOf(order, minor, day(0, 12), { ...ours, fee });
    expect(await reconcile('d0', day(0), [line], order)).toEqual({
      found: { fee_differs: 1 },
      counts: [1, 0, 0],
    });
    expect(await waiting(order)).toEqual([]);
  });

  test('P-100: an honest file gives no finding, whether we know the references or not', async () => {
    const day = nextDays();
    const known = await charged(day(0, 12));
    const unknown = await charged(day(0, 12), false);
    const lines = [
      lineOf(known, 4_000, day(0, 12), ours),
      lineOf(unknown, 4_000, day(0, 12), { reference: 'never-told' }),
    ];
    expect(await reconcile('d0', day(0), lines, known)).toEqual({ found: {}, counts: [0, 0, 0] });
  });

  test('P-100: a captured amount that differs from the order and was refunded is no mismatch', async () => {
    const day = nextDays();
    const order = await charged(day(0, 12));
    await sql.transaction(async (tx) => {
      // The state of the order: 30.00 requested, 40.00 captured, failed, all of it refunded.
      await tx.query('SET LOCAL session_replication_role = replica');
      await tx.query(
        `UPDATE payment_orders SET amount_minor = 3000, payment_order_status = 'FAILED' WHERE
          payment_order_id = $1`,
        [order],
      );
    });
    await refunded(sql, order, `late-${order}`, 4_000, day(0, 13));
    const lines = [
      lineOf(order, 4_000, day(0, 12), ours),
      lineOf(order, 4_000, day(0, 13), { refund: `late-${order}`, reference: 're' }),
    ];
    expect(await reconcile('d0', day(0), lines, order)).toEqual({ found: {}, counts: [0, 0, 0] });
    // An excess over the captured amount is found, with its exact size.
    const more = await reconcile('d30', day(30), [lineOf(order, 4_100, day(30, 1), ours)], order);
    expect(more).toEqual(asked({ line_corrected: 1 }));
  });
});
