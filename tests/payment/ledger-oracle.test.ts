import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sellerAccount } from '#payment/ledger/accounts.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { paymentMigrations } from '#payment/migrations.js';
import { advanceWallets } from '#payment/wallet/wallet.js';
import type { Sql } from '#platform/sql/sql.js';
import { runs } from '../property-runs.js';
import { openLedgerDatabase } from './ledger-database.js';
import { inBlocksOf, ledgerIn } from './ledger-in.js';
import { euro, expectPast, expectSums, expectWallets, Pair, step, Traffic } from './ledger-pair.js';

let sql: Sql;
let dispose: () => Promise<void>;
beforeAll(async () => {
  ({ sql, dispose } = await openLedgerDatabase());
});
afterAll(() => dispose?.());

test('P-010, P-011, I5: posted in any way, across blocks, balances equal the plain sums', async () => {
  const pairs = new Map<number, Pair & { readonly traffic: Traffic }>();
  for (const size of [1, 2, 5, 9]) {
    const ledger = await ledgerIn(sql, `plain_${size}`, paymentMigrations);
    await inBlocksOf(ledger, size);
    const pair = Object.assign(new Pair(ledger), { traffic: new Traffic() });
    pairs.set(size, pair);
    // Which the ledger takes for certain: all calls of a few random cases may be refused.
    const amount = { minor: 100n, currency: euro };
    const legs = [{ debit: `cash-psp:${euro}`, credit: sellerAccount('A', euro), amount }];
    const first = { subject: 'first', operation: 'move', kind: 'adjustment', legs } as const;
    await pair.run({ calls: [[first]], poster: 0, way: 'alone' });
  }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...pairs.keys()),
      fc.array(step, { minLength: 1, maxLength: 10 }),
      fc.infiniteStream(fc.nat()),
      async (size, steps, picks) => {
        const pair = pairs.get(size)!;
        for (const { calls, poster, way, advances } of steps) {
          const wanted = calls.map((call) => call.map((one) => pair.traffic.transferOf(one)));
          await pair.run({ calls: wanted, poster, way });
          const sellers = advances?.map((seller) => sellerAccount(seller, euro));
          if (sellers !== undefined)
            await pair.ledger.transaction((tx) =>
              advanceWallets(tx, sellers.length === 0 ? undefined : sellers),
            );
        }
        await expectSums(pair);
        for (let n = 0; n < 6 && pair.moments.length > 0; n += 1)
          await expectPast(pair, pair.moments[picks.next().value % pair.moments.length]!, picks.next().value);
        await expectWallets(pair);
      },
    ),
    { numRuns: runs(40) },
  );
  let moments = 0;
  for (const pair of pairs.values()) {
    expect((await verifyLedger(pair.ledger)).faults).toEqual([]);
    moments += pair.moments.length;
  }
  expect(moments).toBeGreaterThan(pairs.size);
});
