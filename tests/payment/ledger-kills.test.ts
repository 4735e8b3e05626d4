import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccountCache } from '#payment/ledger/account-cache.js';
import { post } from '#payment/ledger/ledger.js';
import { postInOneRoundTrip } from '#payment/ledger/post-in-one-round-trip.js';
import type { PostOutcome, Transfer } from '#payment/ledger/transfer.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { paymentMigrations } from '#payment/migrations.js';
import { advanceWallets } from '#payment/wallet/wallet.js';
import { type Sql, SqlUnavailable } from '#platform/sql/sql.js';
import { openLedgerDatabase } from './ledger-database.js';
import { inBlocksOf, ledgerIn } from './ledger-in.js';
import { expectSums, expectWallets, Pair, step, Traffic } from './ledger-pair.js';

let sql: Sql;
let dispose: () => Promise<void>;
beforeAll(async () => {
  ({ sql, dispose } = await openLedgerDatabase());
});
afterAll(() => dispose?.());

const posters = 4;

test.each([1, 3])(
  'P-011, P-086, P-129: posters whose processes are killed, in blocks of %d: ' +
    'acknowledged transfers count once, refused ones never',
  async (size) => {
    const ledger = await ledgerIn(sql, `killed_${size}`, paymentMigrations);
    await inBlocksOf(ledger, size);
    const traffic = new Traffic();
    const seed = Math.floor(Math.random() * 2 ** 31);
    const work = fc
      .sample(fc.array(step, { minLength: 100, maxLength: 100 }), { seed, numRuns: 1 })[0]!
      .flatMap(({ calls, way }) =>
        calls.map((call) => ({ way, call: call.map((one) => traffic.transferOf(one)) })),
      );
    const said = new Map<Transfer, string>();
    let answers = 0;
    let lost = 0;
    const killer = killsAfterAnswers(() => answers);
    const share = async (poster: number): Promise<void> => {
      const known = new AccountCache();
      for (let n = poster; n < work.length; n += posters) {
        const { call, way } = work[n]!;
        const once = async (): Promise<PostOutcome> => {
          if (way !== 'together') return postInOneRoundTrip(ledger, call, known);
          const outcome = await ledger.transaction((tx) => post(tx, call, { known }));
          await ledger.transaction((tx) => advanceWallets(tx));
          return outcome;
        };
        const outcome = await answered(once, () => {
          lost += 1;
        });
        answers += 1;
        for (const transfer of call) if (outcome.kind === 'posted') said.set(transfer, 'posted');
      }
    };
    await Promise.all(Array.from({ length: posters }, (_, poster) => share(poster)));
    await killer.stop();
    expect(lost).toBeGreaterThan(0);

    const pair = new Pair(ledger);
    const wanted = work.flatMap(({ call }) => call);
    const inOrder = await ledger.query<{ subject: string; operation: string; batch_no: bigint }>(
      'SELECT subject, operation, batch_no FROM ledger_transfer WHERE leg = 0 ORDER BY batch_no, batch_sequence',
    );
    for (const { subject, operation, batch_no: batch } of inOrder.rows) {
      // One of those with the name was acknowledged, and the plain ledger applies it at its sequence.
      const stands = wanted.find(
        (one) => one.subject === subject && one.operation === operation && said.has(one),
      );
      expect([seed, subject, operation, stands && pair.plain.post([stands])]).toEqual([
        seed,
        subject,
        operation,
        ['posted'],
      ]);
      pair.moments.push({ before: 0n, batch, sealedAt: '', sums: pair.plain.sums });
    }
    for (const transfer of said.keys()) expect(pair.plain.stands(transfer)).toBe(true);
    await expectSums(pair);
    await ledger.transaction((tx) => advanceWallets(tx));
    await expectWallets(pair);
    expect((await verifyLedger(ledger)).faults).toEqual([]);
  },
);

/** A call with an unknown outcome is repeated. */
async function answered(once: () => Promise<PostOutcome>, lost: () => void): Promise<PostOutcome> {
  for (let attempt = 0; attempt < 200; attempt += 1)
    try {
      return await once();
    } catch (error) {
      if (!(error instanceof SqlUnavailable)) throw error;
      lost();
    }
  throw new Error('never answered');
}

/**
 * Kills every process of the database at every third answer, so that there are answers however slow the
 * machine is.
 */
function killsAfterAnswers(answers: () => number): { stop(): Promise<void> } {
  let killing = true;
  const done = (async () => {
    for (let next = 0; killing; ) {
      if (answers() >= next) {
        next = answers() + 3;
        await sql
          .query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`)
          .catch(() => {});
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  return {
    stop: () => {
      killing = false;
      return done;
    },
  };
}
