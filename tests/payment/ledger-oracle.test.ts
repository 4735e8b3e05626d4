import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sellerAccount } from '#payment/ledger/accounts.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { paymentMigrations } from '#payment/migrations.js';
import { advanceWallets } from '#payment/wallet/wallet.js';
import type { Sql } from '#platform/sql/sql.js';
import { openLedgerDatabase } from './ledger-database.js';
import { inBlocksOf, ledgerIn } from './ledger-in.js';
import { euro, expectPast, expectSums, expectWallets, Pair, step, Traffic } from './ledger-pair.js';

let sql: Sql;
let dispose: () => Promise<void>;
beforeAll(async () => {
  ({ sql, dispose } = await openLedgerDatabase());
});
afterAll(() => dispose?.());

test('P-010, P-011, I5: posted in any way, over block borders, balances are the plain sums', async () => {
  const pairs = new Map<number, Pair & { readonly traffic: Traffic }>();
  for (const size of [1, 2, 5, 9]) {
    const ledger = await ledgerIn(sql, `plain_${size}`, paymentMigrations);
    await inBlocksOf(ledger, size);
    pairs.set(size, Object.assign(new Pair(ledger), { traffic: new Traffic() }));
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
    { numRuns: 40 },
  );
  let moments = 0;
  for (const pair of pairs.values()) {
    expect((await verifyLedger(pair.ledger)).faults).toEqual([]);
    moments += pair.moments.length;
  }
  expect(moments).toBeGreaterThan(0);
});

/**
 * Earlier states in which there may be a ledger with postings: heads, standings, and a gate for plain
 * batches.
 */
const states = ['0071', '0073', '0075', '0076'];

test.each([1, 4, 131_072])(
  'I5, I6: a ledger that grew through every state of before stands, and stood, as the plain sum says, ' +
    'in blocks of %d',
  async (size) => {
    let runs = 0;
    const stages = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), {
      minLength: states.length + 1,
      maxLength: states.length + 1,
    });
    await fc.assert(
      fc.asyncProperty(stages, fc.nat(), async (steps, pick) => {
        runs += 1;
        const ledger = await ledgerIn(sql, `grown_${size}_${runs}`, migrationsBetween('', states[0]!));
        // Whoever posted then wrote no places.
        await ledger.query('ALTER TABLE ledger_transfer ADD COLUMN place smallint');
        const [pair, traffic] = [new Pair(ledger), new Traffic()];
        for (const [stage, some] of steps.entries()) {
          for (const { calls, poster, way, advances } of some) {
            const wanted = calls.map((call) => call.map((one) => traffic.transferOf(one)));
            await pair.run({ calls: wanted, poster, way });
            if (advances !== undefined) await ledger.transaction((tx) => advanceWallets(tx));
          }
          await expectSums(pair);
          const isLast = stage === states.length - 1;
          if (isLast) await ledger.query('ALTER TABLE ledger_transfer DROP COLUMN place');
          const next = migrationsBetween(states[stage]!, states[stage + 1] ?? '~');
          await ledger.query(
            next
              .map(({ sql: ddl }) => ddl.replace('SELECT 131072::bigint', `SELECT ${size}::bigint`))
              .join(''),
          );
        }
        expect((await verifyLedger(ledger)).faults).toEqual([]);
        await expectSums(pair);
        for (let n = 0; n < pair.moments.length; n += 3) await expectPast(pair, pair.moments[n]!, pick);
        await expectWallets(pair);
        await ledger.transaction((tx) => advanceWallets(tx));
        await expectWallets(pair);
      }),
      { numRuns: 4 },
    );
  },
);

const migrationsBetween = (from: string, to: string) =>
  paymentMigrations.filter(({ name }) => name >= from && name < to);
