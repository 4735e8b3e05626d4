import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AccountCache } from '#payment/ledger/account-cache.js';
import { post } from '#payment/ledger/ledger.js';
import { captureOf } from '#payment/ledger/payment-transfers.js';
import type { Transfer } from '#payment/ledger/transfer.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import type { Sql } from '#platform/sql/sql.js';
import { eur, openLedgerDatabase } from './ledger-database.js';

let sql: Sql;
let dispose: () => Promise<void>;
let names = 0;
beforeAll(async () => {
  ({ sql, dispose } = await openLedgerDatabase());
});
afterAll(() => dispose?.());

const capture = (): Transfer =>
  captureOf({ paymentOrderId: `known-${names++}`, seller: 'DE', amount: eur(100) });

/** Statements that a call sends, in order, by their first words. */
async function posted(known: AccountCache, ...transfers: Transfer[]): Promise<readonly string[]> {
  const said: string[] = [];
  await sql.transaction((tx) =>
    post(
      {
        copyIn: (statement) => tx.copyIn(statement),
        query: (text, values) => {
          said.push(text.trim().slice(0, 16));
          return tx.query(text, values);
        },
      },
      transfers,
      { known },
    ),
  );
  return said;
}
const readsHeads = (said: readonly string[]) => said.some((text) => text.startsWith('SELECT array_agg'));

describe('the account cache', () => {
  test('does not read accounts of the previous batch again, and the ledger stays correct', async () => {
    const known = new AccountCache();
    expect(readsHeads(await posted(known, capture()))).toBe(true);
    expect(readsHeads(await posted(known, capture(), capture()))).toBe(false);
    expect(readsHeads(await posted(known, capture()))).toBe(false);
    expect((await verifyLedger(sql)).faults).toEqual([]);
  });

  test('is evicted when another process has posted', async () => {
    const [one, other] = [new AccountCache(), new AccountCache()];
    await posted(one, capture());
    await posted(other, capture());
    expect(readsHeads(await posted(one, capture()))).toBe(true);
    expect((await verifyLedger(sql)).faults).toEqual([]);
  });

  test('is evicted when its source was rolled back, even if another batch has that number', async () => {
    const known = new AccountCache();
    await posted(known, capture());
    const failing = sql.transaction(async (tx) => {
      await post(tx, [capture()], { known });
      throw new Error('the caller failed');
    });
    await expect(failing).rejects.toThrow('the caller failed');
    await posted(new AccountCache(), capture());
    expect(readsHeads(await posted(known, capture()))).toBe(true);
    expect((await verifyLedger(sql)).faults).toEqual([]);
  });

  test('P-086: finds an existing transfer among new ones', async () => {
    const known = new AccountCache();
    const [first, second] = [capture(), capture()];
    await posted(known, first);
    const outcome = await sql.transaction((tx) => post(tx, [second, first], { known }));
    expect(outcome).toEqual({ kind: 'posted', transfers: ['posted', 'replayed'] });
    expect((await verifyLedger(sql)).faults).toEqual([]);
  });

  test('refuses an overdraft from the cache, and posts the next transfer correctly', async () => {
    const known = new AccountCache();
    const payout = (minor: number): Transfer => ({
      subject: `known-${names++}`,
      operation: 'pay',
      kind: 'payout',
      legs: [{ debit: 'seller:FR:EUR', credit: 'cash-psp:EUR', amount: eur(minor), needsFunds: true }],
    });
    const pay = (minor: number) => sql.transaction((tx) => post(tx, [payout(minor)], { known }));
    await posted(known, captureOf({ paymentOrderId: `known-${names++}`, seller: 'FR', amount: eur(100) }));
    expect(await pay(101)).toMatchObject({ kind: 'refused', refusals: [{ reason: 'overdrawn' }] });
    expect(await pay(60)).toMatchObject({ kind: 'posted' });
    expect(await pay(60)).toMatchObject({ kind: 'refused', refusals: [{ reason: 'overdrawn' }] });
    expect(await pay(40)).toMatchObject({ kind: 'posted' });
    expect((await verifyLedger(sql)).faults).toEqual([]);
  });

  test('the validation trigger rejects a wrong cache entry, and the cache evicts it', async () => {
    const known = new AccountCache();
    await posted(known, capture());
    const { rows } = await sql.query<{ no: bigint; at: bigint; account_no: bigint }>(
      `SELECT t.batch_no AS no, ((extract(epoch FROM t.last_at) - 946684800) * 1000000)::bigint AS at, h.account_no FROM ledger_chain_head t, ledger_trial_balance h WHERE h.id = 'cash-psp:EUR'`,
    );
    const { no, at, account_no } = rows[0]!;
    const wrong = { accountNo: Number(account_no), side: 1n, overdraftRefused: false, sequence: 7_000 };
    known.learn(
      { no, at },
      new Map([['cash-psp:EUR', { ...wrong, balance: 0n, pendingDebit: 0n, pendingCredit: 0n }]]),
    );
    await expect(posted(known, capture())).rejects.toThrow('does not continue its account');
    expect(readsHeads(await posted(known, capture()))).toBe(true);
    expect((await verifyLedger(sql)).faults).toEqual([]);
  });

  // The last test: from here on the ledger is ahead of the clock.
  test('caches nothing if the time of a batch does not come from the clock', async () => {
    const known = new AccountCache();
    await sql.transaction((tx) => post(tx, [capture()], { known, at: new Date(Date.now() + 3_600_000) }));
    expect(readsHeads(await posted(known, capture()))).toBe(true);
    expect(readsHeads(await posted(known, capture()))).toBe(true);
    expect((await verifyLedger(sql)).faults).toEqual([]);
  });
});
