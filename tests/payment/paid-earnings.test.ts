import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { traceLimits } from '#payment/finance/limits.js';
import { ordersBehind } from '#payment/finance/payments-behind.js';
import { post } from '#payment/ledger/ledger.js';
import { captureOf, refundOf } from '#payment/ledger/payment-transfers.js';
import { createPayout } from '#payment/payouts/create-payouts.js';
import { earningsOf, isPartOf, type PayoutOnAccount } from '#payment/payouts/paid-earnings.js';
import type { Sql } from '#platform/sql/sql.js';
import { runs } from '../property-runs.js';
import { eur, openLedgerDatabase } from './ledger-database.js';

/** Payouts of these amounts, some of which give their money back before the payout of a later place. */
const history = fc.array(
  fc.record({
    amount: fc.integer({ min: 1, max: 6 }),
    backBefore: fc.option(fc.integer({ min: 1, max: 4 })),
  }),
  { maxLength: 12 },
);

describe('what payouts take of the earnings of a seller', () => {
  it('is what a model takes that holds each cent by itself: the first free ones', () => {
    fc.assert(
      fc.property(history, (all) => {
        const payouts = all.map(({ amount, backBefore }, at): PayoutOnAccount => {
          const back = backBefore === null ? undefined : BigInt((at + backBefore) * 100 + at);
          return {
            ...{
              payoutId: String(at),
              amountMinor: BigInt(amount),
              accountNo: 1n,
              sent: BigInt(at * 100 + 50),
            },
            ...{ paid: undefined, failed: at % 2 === 0 ? back : undefined },
            returned: at % 2 === 0 ? undefined : back,
          };
        });
        const holders = new Map<bigint, string>();
        const model = new Map<string, bigint[]>();
        for (const { payoutId, amountMinor, sent } of payouts) {
          for (const { payoutId: other, failed, returned } of payouts)
            if ((failed ?? returned ?? sent) < sent)
              for (const [cent, holder] of holders) if (holder === other) holders.delete(cent);
          const cents: bigint[] = [];
          for (let cent = 0n; BigInt(cents.length) < amountMinor; cent += 1n)
            if (!holders.has(cent)) cents.push(cent);
          for (const cent of cents) holders.set(cent, payoutId);
          model.set(payoutId, cents);
        }
        for (const [payoutId, parts] of earningsOf(payouts)) {
          const cents = Array.from({ length: 100 }, (_, cent) => BigInt(cent));
          const taken = cents.filter((cent) => isPartOf(parts, cent, cent + 1n));
          expect(taken).toEqual(model.get(payoutId));
          expect(cents.filter((cent) => isPartOf(parts, cent + 1n, cent))).toEqual(taken);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('the payments behind a payout', () => {
  let sql: Sql;
  let dispose: () => Promise<void>;
  beforeAll(async () => {
    ({ sql, dispose } = await openLedgerDatabase());
  });
  afterAll(() => dispose?.());

  const seller = 'DE-LATE';
  const earn = (orders: readonly string[], minor = 1_000) =>
    sql.transaction((tx) =>
      post(
        tx,
        orders.map((paymentOrderId) =>
          captureOf({ paymentOrderId, seller, amount: eur(minor + 50), commission: eur(50) }),
        ),
      ),
    );
  const payOut = (payoutId: string, minor: number) =>
    sql.transaction((tx) =>
      createPayout(tx, {
        ...{ payoutId, sellerAccount: seller, amount: eur(minor), requestedBy: 'petra' },
        ...{ reason: '', now: new Date() },
      }),
    );

  it('are the first that are not paid, however many came since', async () => {
    await earn(['a', 'b', 'c']);
    await sql.transaction((tx) =>
      post(tx, [refundOf({ paymentOrderId: 'b', seller, amount: eur(300), refundId: 'r' })]),
    );
    const later = Array.from({ length: traceLimits.behindEntriesMax + 200 }, (_, at) => `later-${at}`);
    for (let at = 0; at < later.length; at += 100) await earn(later.slice(at, at + 100));
    for (const [id, minor] of [
      ['first', 1_000],
      ['second', 500],
      ['third', 1_100],
    ] as const)
      expect((await payOut(id, minor)).kind).toBe('created');
    expect(await ordersBehind(sql, 'first')).toEqual(['a']);
    expect(await ordersBehind(sql, 'second')).toEqual(['b']);
    // The refund took the seller back into the second half of it.
    expect((await ordersBehind(sql, 'third'))?.toSorted()).toEqual(['b', 'c']);
    expect(await ordersBehind(sql, 'nobody')).toEqual([]);
    expect(await ordersBehind(sql, 'finding-9223372036854775807')).toEqual([]);
    expect(await ordersBehind(sql, 'settlement-99999999999')).toEqual([]);
  });
});
