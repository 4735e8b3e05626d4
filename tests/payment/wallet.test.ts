import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sellerAccount } from '#payment/ledger/accounts.js';
import { post } from '#payment/ledger/ledger.js';
import { captureOf, refundOf } from '#payment/ledger/payment-transfers.js';
import type { Transfer } from '#payment/ledger/transfer.js';
import { advanceWallets, rebuildWallets, walletOf } from '#payment/wallet/wallet.js';
import type { Sql } from '#platform/sql/sql.js';
import { runs } from '../property-runs.js';
import { eur, openLedgerDatabase } from './ledger-database.js';

let sql: Sql;
let dispose: () => Promise<void>;
let names = 0;
beforeAll(async () => {
  ({ sql, dispose } = await openLedgerDatabase());
});
afterAll(() => dispose?.());

const posted = (...transfers: Transfer[]) => sql.transaction((tx) => post(tx, transfers));
const capture = (seller: string, minor: number) =>
  captureOf({ paymentOrderId: `w-${names++}`, seller, amount: eur(minor) });
const advance = (accounts?: readonly string[]) => sql.transaction((tx) => advanceWallets(tx, accounts));
const idOf = (seller: string) => sellerAccount(seller, eur(0).currency);

/** I6, by a recount that shares no code with the projection. */
async function wrongWallets(): Promise<readonly unknown[]> {
  const { rows } = await sql.query(
    `SELECT a.id, w.balance, e.sum FROM ledger_account a
     LEFT JOIN wallet w ON w.account_no = a.account_no
     LEFT JOIN (SELECT account, -sum(amount) AS sum FROM ledger_entry GROUP BY account) e ON e.account = a.id
     WHERE a.id LIKE 'seller:%' AND coalesce(w.balance, 0) IS DISTINCT FROM coalesce(e.sum, 0)`,
  );
  return rows;
}

describe('wallet', () => {
  test('P-010: follows the ledger, reports its progress, and is idempotent', async () => {
    await posted(capture('S1', 500), capture('S1', 250));
    expect(await walletOf(sql, 'S1', eur(0).currency)).toBeUndefined();
    expect(await advance([idOf('S1')])).toEqual([{ seller: 'S1', balance: eur(750), sequence: 2n }]);
    expect(await advance([idOf('S1')])).toEqual([]);
    await posted(capture('S1', 1));
    expect(await walletOf(sql, 'S1', eur(0).currency)).toMatchObject({
      balance: eur(750),
      sequence: 2n,
      behind: 1n,
    });
    await advance();
    expect(await walletOf(sql, 'S1', eur(0).currency)).toMatchObject({
      balance: eur(751),
      sequence: 3n,
      behind: 0n,
    });
  });

  test('P-010: an account number with colons and letters of any script keeps its name', async () => {
    await posted(capture('IBAN: DE02 Бүүк', 5));
    await advance();
    expect(await walletOf(sql, 'IBAN: DE02 Бүүк', eur(0).currency)).toMatchObject({
      seller: 'IBAN: DE02 Бүүк',
    });
  });

  test('P-088, P-121: ten concurrent updates over the same postings count each once', async () => {
    await posted(...Array.from({ length: 20 }, (_, n) => capture(`P${n % 4}`, n + 1)));
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => advance(n % 2 === 0 ? undefined : [idOf('P1'), idOf('P0')])),
    );
    expect(await wrongWallets()).toEqual([]);
  });

  test('I6: after any facts and updates every wallet is the sum of its postings, also rebuilt', async () => {
    const seller = fc.integer({ min: 0, max: 4 }).map((n) => `F${n}`);
    const fact = fc.record({ seller, minor: fc.integer({ min: 1, max: 999 }), back: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.array(fact, { minLength: 1, maxLength: 5 }), fc.boolean()), { maxLength: 8 }),
        async (steps) => {
          for (const [facts, advances] of steps) {
            await posted(
              ...facts.map(({ seller: name, minor, back }) =>
                back
                  ? refundOf({
                      paymentOrderId: `f-${names++}`,
                      seller: name,
                      amount: eur(minor),
                      refundId: 'r',
                    })
                  : capture(name, minor),
              ),
            );
            if (advances) await advance();
          }
          await advance();
          expect(await wrongWallets()).toEqual([]);
        },
      ),
      { numRuns: runs(15) },
    );
    const before = (await sql.query('SELECT account_no, balance, reserved, sequence FROM wallet ORDER BY 1'))
      .rows;
    await sql.query('UPDATE wallet SET balance = balance + 1 WHERE seller_account = $1', ['F0']);
    expect(await wrongWallets()).toHaveLength(1);
    expect(await rebuildWallets(sql, 60_000)).toBe(before.length);
    expect(
      (await sql.query('SELECT account_no, balance, reserved, sequence FROM wallet ORDER BY 1')).rows,
    ).toEqual(before);
  });

  test('I6: a wallet changed by SQL is reported, whether it lags, is current or is ahead', async () => {
    await posted(capture('X', 300), capture('Y', 40));
    await advance();
    const wrong = async () =>
      (await sql.query('SELECT seller_account, balance, ledger_balance FROM wallet_wrong()')).rows;
    const level = { seller_account: 'X', balance: 301n, ledger_balance: 300n };
    const byHand = async (change: string, back: string, expected: object) => {
      await sql.query(`UPDATE wallet SET ${change} WHERE seller_account = 'X'`);
      expect(await wrong()).toEqual([expected]);
      await sql.query(`UPDATE wallet SET ${back} WHERE seller_account = 'X'`);
      expect(await wrong()).toEqual([]);
    };
    expect(await wrong()).toEqual([]);
    await byHand('balance = balance + 1', 'balance = balance - 1', level);
    await byHand('sequence = sequence + 9', 'sequence = sequence - 9', { ...level, balance: 300n });
    // Three batches behind, it is still compared with the ledger at that point.
    for (const minor of [5, 6, 7]) await posted(capture('X', minor));
    expect(await wrong()).toEqual([]);
    await byHand('balance = balance + 1', 'balance = balance - 1', level);
    await byHand('sequence = 0', 'sequence = 1', { ...level, balance: 300n, ledger_balance: 0n });
    await advance();
    expect(await wrong()).toEqual([]);
    // A seller who has less than reported, or more, is also reported.
    const reserved: Transfer = {
      subject: 'x-reserved',
      operation: 'send',
      kind: 'payout',
      phase: 'pending',
      legs: [{ debit: idOf('X'), credit: 'cash-bank:EUR', amount: eur(18) }],
    };
    const available = { seller_account: 'X', balance: 318n, ledger_balance: 300n };
    await posted(reserved);
    await advance();
    expect(await wrong()).toEqual([]);
    await byHand('reserved = 0', 'reserved = 18', available);
    await posted({ ...reserved, operation: 'failed', phase: 'void', resolves: 'send' });
    await byHand('reserved = 0', 'reserved = 18', available);
    await advance();
    expect(await wrong()).toEqual([]);
  });

  test('no server compiles the plans of the validation trigger and of wallets', async () => {
    const called = ['ledger_seals_batch', 'wallet_advance', 'wallet_wrong'];
    const { rows } = await sql.query(
      `SELECT proname FROM pg_proc WHERE proname = ANY ($1::text[]) AND 'jit=off' = ANY (proconfig) ORDER BY 1`,
      [called],
    );
    expect(rows.map(({ proname }) => proname)).toEqual(called);
  });

  test('T13: without the guard on the sequence two concurrent updates count a posting twice', async () => {
    // The mutant: the same function without its locks and without the guard, in a schema that is searched
    // first.
    const { rows } = await sql.query<{ source: string }>(
      `SELECT pg_get_functiondef('wallet_advance'::regproc) AS source`,
    );
    const mutant = rows[0]!.source
      .replace('FUNCTION public.', 'FUNCTION mutant.')
      .replace('FOR UPDATE OF w', '')
      .replace('AND w.sequence = f.reached', 'AND pg_sleep(0.05) IS NOT NULL');
    await sql.query('CREATE SCHEMA mutant');
    await sql.query(mutant);
    await posted(capture('M', 100));
    await advance();
    await posted(capture('M', 100));
    const careless = () =>
      sql.transaction(async (tx) => {
        await tx.query('SET LOCAL search_path TO mutant, public');
        await advanceWallets(tx, [idOf('M')]);
      });
    await Promise.all([careless(), careless(), careless(), careless()]);
    expect(await wrongWallets()).toHaveLength(1);
    await rebuildWallets(sql, 60_000);
  });
});
