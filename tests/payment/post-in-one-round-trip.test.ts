import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AccountCache } from '#payment/ledger/account-cache.js';
import { post } from '#payment/ledger/ledger.js';
import { captureOf } from '#payment/ledger/payment-transfers.js';
import { postInOneRoundTrip } from '#payment/ledger/post-in-one-round-trip.js';
import type { Transfer } from '#payment/ledger/transfer.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { type Sql, SqlUnavailable } from '#platform/sql/sql.js';
import { eur, openLedgerDatabase } from './ledger-database.js';

let sql: Sql;
let dispose: () => Promise<void>;
let names = 0;
/** The database calls: copies in their own transaction, and transactions. */
let asked: string[] = [];
let watched: Sql;
beforeAll(async () => {
  ({ sql, dispose } = await openLedgerDatabase());
  watched = {
    query: (...given) => sql.query(...given),
    copyIn: (...given) => {
      asked.push('copy');
      return sql.copyIn(...given);
    },
    transaction: (...given) => {
      asked.push('transaction');
      return sql.transaction(...given);
    },
    migrate: (...given) => sql.migrate(...given),
    check: () => sql.check(),
    close: () => sql.close(),
  };
});
afterAll(() => dispose?.());

const capture = (minor = 100): Transfer =>
  captureOf({ paymentOrderId: `alone-${names++}`, seller: 'DE', amount: eur(minor) });
const payout = (minor: number): Transfer => ({
  subject: `alone-${names++}`,
  operation: 'pay',
  kind: 'payout',
  cause: 'run|7',
  legs: [{ debit: 'seller:DE:EUR', credit: 'cash-psp:EUR', amount: eur(minor), needsFunds: true }],
});

/** The outcome, and the database calls for it. */
async function posting(known: AccountCache, transfers: readonly Transfer[], on: Sql = watched) {
  asked = [];
  const outcome = await postInOneRoundTrip(on, transfers, known);
  return [outcome.kind === 'posted' ? outcome.transfers.join() : outcome.refusals[0]!.reason, asked.join()];
}

/** Nothing missing, nothing twice, and every seal matches its batch. */
async function isRight(): Promise<boolean> {
  const { faults } = await verifyLedger(sql);
  expect(faults).toEqual([]);
  return faults.length === 0;
}

describe('a poster with its own transactions', () => {
  test('needs one round trip if the accounts are cached, also for pending transfers and causes', async () => {
    const known = new AccountCache();
    expect(await posting(known, [capture()])).toEqual(['posted', 'transaction']);
    expect(await posting(known, [capture(), capture()])).toEqual(['posted,posted', 'copy']);
    expect(await posting(known, [{ ...payout(7), phase: 'pending' }, payout(5)])).toEqual([
      'posted,posted',
      'copy',
    ]);
    const one = capture();
    expect(await posting(known, [one, one])).toEqual(['posted,replayed', 'copy']);
    expect(await posting(known, [])).toEqual(['', '']);
    expect(await isRight()).toBe(true);
  });

  test('notices other posters in between, and continues after them', async () => {
    const [one, other] = [new AccountCache(), new AccountCache()];
    await posting(one, [capture()]);
    await posting(other, [capture()]);
    expect(await posting(other, [capture()])).toEqual(['posted', 'copy']);
    expect(await posting(one, [capture()])).toEqual(['posted', 'copy,transaction']);
    expect(await posting(one, [capture()])).toEqual(['posted', 'transaction']);
    expect(await posting(one, [capture()])).toEqual(['posted', 'copy']);
    expect(await isRight()).toBe(true);
  });

  test('two alternating posters do not fail each time', async () => {
    const posters = [new AccountCache(), new AccountCache()];
    const ways: string[] = [];
    for (let turn = 0; turn < 10; turn += 1) ways.push((await posting(posters[turn % 2]!, [capture()]))[1]!);
    // Each discovers it once.
    expect(ways.filter((way) => way === 'copy,transaction')).toHaveLength(2);
    expect(ways.slice(4)).toEqual(Array.from({ length: 6 }, () => 'transaction'));
    expect(await isRight()).toBe(true);
  });

  test('notices that its cached read was rolled back and another batch has the number', async () => {
    const known = new AccountCache();
    await posting(known, [capture()]);
    const failing = sql.transaction(async (tx) => {
      await post(tx, [capture()], { known });
      throw new Error('the caller failed');
    });
    await expect(failing).rejects.toThrow('the caller failed');
    await posting(new AccountCache(), [capture()]);
    expect(await posting(known, [capture()])).toEqual(['posted', 'copy,transaction']);
    expect(await isRight()).toBe(true);
  });

  test('P-086: finds an existing posting, and refuses another of its name, in one round trip', async () => {
    const known = new AccountCache();
    const [first, second] = [capture(), capture()];
    await posting(known, [first]);
    expect(await posting(known, [second, first])).toEqual(['posted,replayed', 'copy,transaction']);
    const contrary = { ...first, legs: [{ ...first.legs[0]!, amount: eur(1) }, ...first.legs.slice(1)] };
    expect(await posting(known, [contrary])).toEqual(['conflict', 'copy,transaction']);
    expect(await posting(known, [first, contrary])).toEqual(['conflict', '']);
    expect(await posting(known, [capture()])).toEqual(['posted', 'copy']);
    expect(await isRight()).toBe(true);
  });

  test('refuses an overdraft before anything is sent, and looks up what a transfer resolves', async () => {
    const known = new AccountCache();
    await posting(known, [capture()]);
    expect(await posting(known, [payout(10_000_000)])).toEqual(['overdrawn', 'transaction']);
    const pending: Transfer = { ...payout(9), phase: 'pending' };
    expect(await posting(known, [pending])).toEqual(['posted', 'copy']);
    const paid: Transfer = { ...pending, operation: 'paid', phase: 'post', resolves: 'pay' };
    expect(await posting(known, [paid])).toEqual(['posted', 'transaction']);
    expect(await isRight()).toBe(true);
  });

  test('P-086: repeats a posting after a lost connection, and it counts once', async () => {
    const known = new AccountCache();
    await posting(known, [capture()]);
    const deaf: Sql = {
      ...watched,
      copyIn: async (...given) => {
        await watched.copyIn(...given);
        throw new SqlUnavailable('The connection broke.');
      },
    };
    const transfer = capture();
    await expect(posting(known, [transfer], deaf)).rejects.toBeInstanceOf(SqlUnavailable);
    expect(await posting(known, [transfer])).toEqual(['replayed', 'transaction']);
    expect(await posting(known, [capture()])).toEqual(['posted', 'transaction']);
    expect(await isRight()).toBe(true);
  });

  test('P-011: three concurrent posters post everything once', async () => {
    const { rows: before } = await sql.query<{ n: bigint }>('SELECT count(*) AS n FROM ledger_transfer');
    const posters = Array.from({ length: 3 }, () => new AccountCache());
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, n) => postInOneRoundTrip(sql, [capture(), capture()], posters[n % 3]!)),
    );
    expect(new Set(outcomes.map((outcome) => outcome.kind === 'posted' && outcome.transfers.join()))).toEqual(
      new Set(['posted,posted']),
    );
    const { rows: after } = await sql.query<{ n: bigint }>('SELECT count(*) AS n FROM ledger_transfer');
    const { legs } = capture();
    expect(after[0]!.n - before[0]!.n).toBe(BigInt(120 * legs.length));
    expect(await isRight()).toBe(true);
  });

  test('a late response to a posting does not confirm a posting that was rolled back', async () => {
    const known = new AccountCache();
    await posting(known, [capture(), captureOf({ paymentOrderId: 'late', seller: 'IT', amount: eur(100) })]);
    const late: Sql = {
      ...watched,
      copyIn: async (...given) => {
        await watched.copyIn(...given);
        const failing = sql.transaction(async (tx) => {
          const all = { ...payout(100), legs: [{ ...payout(100).legs[0]!, debit: 'seller:IT:EUR' }] };
          expect((await post(tx, [all], { known })).kind).toBe('posted');
          throw new Error('the caller failed');
        });
        await expect(failing).rejects.toThrow('the caller failed');
      },
    };
    expect(await posting(known, [capture()], late)).toEqual(['posted', 'copy']);
    const paid = { ...payout(60), legs: [{ ...payout(60).legs[0]!, debit: 'seller:IT:EUR' }] };
    expect((await posting(known, [paid]))[0]).toBe('posted');
    expect(await isRight()).toBe(true);
  });

  test('reads accounts again that another call of the same poster has evicted', async () => {
    const known = new AccountCache();
    await posting(known, [capture(), captureOf({ paymentOrderId: 'both', seller: 'FR', amount: eur(1) })]);
    await posting(new AccountCache(), [capture()]);
    const waiting = sql.transaction(async (tx) => {
      const later: typeof tx = {
        copyIn: (statement) => tx.copyIn(statement),
        // It has read which accounts are known, and does not hold the chain head yet.
        query: async (text, values) => {
          if (text.includes('FROM ledger_chain_head')) await first;
          return tx.query(text, values);
        },
      };
      const first = sql.transaction((other) => post(other, [capture()], { known }));
      return post(later, [captureOf({ paymentOrderId: 'later', seller: 'FR', amount: eur(1) })], { known });
    });
    expect(await waiting).toEqual({ kind: 'posted', transfers: ['posted'] });
    expect(await isRight()).toBe(true);
  });

  // The last test: from here on the ledger is ahead of the clock.
  test("posts to a ledger that is ahead of the clock at the ledger's time", async () => {
    const known = new AccountCache();
    await posting(known, [capture()]);
    await sql.transaction((tx) => post(tx, [capture()], { at: new Date(Date.now() + 3_600_000) }));
    expect(await posting(known, [capture()])).toEqual(['posted', 'copy,transaction']);
    expect((await posting(known, [capture()]))[0]).toBe('posted');
    expect(await isRight()).toBe(true);
  });
});
