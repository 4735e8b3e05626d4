import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountOf, sellerAccount } from '#payment/ledger/accounts.js';
import { balanceAt, balanceOf } from '#payment/ledger/balance.js';
import { post } from '#payment/ledger/ledger.js';
import { captureOf, disputeOf, refundOf } from '#payment/ledger/payment-transfers.js';
import { PostingBatcher } from '#payment/ledger/posting-batcher.js';
import type { PostOutcome, Transfer } from '#payment/ledger/transfer.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { parseCurrency } from '#payment/money/currency.js';
import { type Sql, sqlState } from '#platform/sql/sql.js';
import { proves } from '#tools/acceptance/proves.js';
import { eur, openLedgerDatabase } from './ledger-database.js';
import { SerialLedger } from './serial-ledger.js';

let sql: Sql;
let dispose: () => Promise<void>;
let names = 0;
/** A subject that no other test uses: the ledger deletes nothing. */
const fresh = (what = 'order') => `${what}-${names++}`;
const cash = accountOf('cash-psp', eur(0).currency);
const bank = accountOf('cash-bank', eur(0).currency);

beforeAll(async () => {
  ({ sql, dispose } = await openLedgerDatabase());
});
afterAll(() => dispose?.());

const posted = (...transfers: Transfer[]): Promise<PostOutcome> =>
  sql.transaction((tx) => post(tx, transfers));
const balance = async (account: string) => (await balanceOf(sql, account)).posted.minor;

describe('posting', () => {
  let seller: string;
  let order: string;
  beforeEach(() => {
    seller = fresh('DE');
    order = fresh();
  });
  const capture = (minor = 1_000) =>
    captureOf({ paymentOrderId: order, seller, amount: eur(minor), cause: 'webhook-1' });

  test('P-011, I5: a capture with its fees is two entries for each movement and sums to zero', async () => {
    const transfer = captureOf({
      paymentOrderId: order,
      seller,
      amount: eur(1_000),
      pspFee: eur(25),
      commission: eur(100),
    });
    expect(await posted(transfer)).toEqual({ kind: 'posted', transfers: ['posted'] });
    const { rows } = await sql.query(
      `SELECT account, amount, kind FROM ledger_entry WHERE subject = $1 ORDER BY leg, amount DESC`,
      [order],
    );
    expect(rows).toEqual([
      { account: 'cash-psp:EUR', amount: 1_000n, kind: 'capture' },
      { account: `seller:${seller}:EUR`, amount: -1_000n, kind: 'capture' },
      { account: 'psp-fees:EUR', amount: 25n, kind: 'fee' },
      { account: 'psp-fees-due:EUR', amount: -25n, kind: 'fee' },
      { account: `seller:${seller}:EUR`, amount: 100n, kind: 'fee' },
      { account: 'commission:EUR', amount: -100n, kind: 'fee' },
    ]);
    expect(await balance(sellerAccount(seller, eur(0).currency))).toBe(900n);
  });

  proves('P-037', {
    asked: 'the step is repeated and has no second effect',
    shown: 'the same transfers in one call and later: replayed; the flags in ledger-flags',
    control: {
      in: 'payment/ledger/place-transfers.ts',
      change: 'transfers.filter((transfer) => !replayed.has(transfer));',
      to: 'transfers;',
    },
  });
  test('P-086, P-037: replays an existing posting without effect, in the same call or later', async () => {
    expect(await posted(capture(), capture())).toEqual({ kind: 'posted', transfers: ['posted', 'replayed'] });
    const refund = refundOf({ paymentOrderId: order, seller, amount: eur(400), refundId: 'r' });
    expect(await posted(capture(), refund)).toEqual({ kind: 'posted', transfers: ['replayed', 'posted'] });
    expect(await posted(refund, capture())).toEqual({ kind: 'posted', transfers: ['replayed', 'replayed'] });
    expect(await balance(sellerAccount(seller, eur(0).currency))).toBe(600n);
  });

  test('the same operation with another amount, seller or leg count is a conflict', async () => {
    await posted(capture());
    const other = fresh();
    const innocent = captureOf({ paymentOrderId: other, seller, amount: eur(1) });
    const twoLegs = captureOf({ paymentOrderId: order, seller, amount: eur(1_000), pspFee: eur(1) });
    for (const changed of [
      capture(999),
      { ...capture(), legs: capture().legs.map((leg) => ({ ...leg, credit: bank })) },
      twoLegs,
    ]) {
      expect(await posted(innocent, changed)).toMatchObject({
        kind: 'refused',
        refusals: [{ subject: order, operation: 'capture', reason: 'conflict' }],
      });
    }
    expect((await sql.query('SELECT FROM ledger_transfer WHERE subject = $1', [other])).rowCount).toBe(0);
    expect(
      await posted(innocent, { ...innocent, legs: [{ ...innocent.legs[0]!, amount: eur(2) }] }),
    ).toMatchObject({ refusals: [{ reason: 'conflict' }] });
  });

  test('names in any script, a cause and a given time are read back as they were sent', async () => {
    const at = new Date('2150-02-28T23:59:59.987Z');
    const causes = [undefined, 'Größe \\N 😀 ﬁ', ''];
    await sql
      .transaction(async (tx) => {
        for (const [n, cause] of causes.entries()) {
          const transfer = captureOf({
            paymentOrderId: `Łódź-\\t😀-${n}`,
            seller: 'DE',
            amount: eur(2n ** 40n),
          });
          await post(tx, [cause === undefined ? transfer : { ...transfer, cause }], { at });
        }
        const { rows } = await tx.query(
          'SELECT subject, cause, amount, released, phase, resolves, posted_at FROM ledger_transfer ORDER BY batch_no DESC LIMIT 3',
        );
        const plain = { amount: 2n ** 40n, released: 0n, phase: 'posted', resolves: null, posted_at: at };
        expect(rows.toReversed()).toEqual(
          causes.map((cause, n) => ({ ...plain, subject: `Łódź-\\t😀-${n}`, cause: cause ?? null })),
        );
        // The others post at the time of the clock.
        throw new Error('enough');
      })
      .catch((error: Error) => expect(error.message).toBe('enough'));
  });

  test('a rolled back transaction leaves no posting, and its accounts can be opened again', async () => {
    const failing = sql.transaction(async (tx) => {
      await post(tx, [capture()]);
      throw new Error('the caller failed');
    });
    await expect(failing).rejects.toThrow('the caller failed');
    expect(await balance(sellerAccount(seller, eur(0).currency))).toBe(0n);
    expect(await posted(capture())).toEqual({ kind: 'posted', transfers: ['posted'] });
  });

  test('a dispute withdraws money, returns it or charges the seller; it cannot end first', async () => {
    const dispute = (state: 'opened' | 'won' | 'lost', disputeId = order) =>
      disputeOf({ paymentOrderId: order, seller, amount: eur(1_000), disputeId, state });
    await posted(capture());
    const before = await balance(cash);
    expect(await posted(dispute('won'))).toMatchObject({
      kind: 'refused',
      refusals: [{ reason: 'overdrawn', detail: 'The account disputed:EUR lacks 1000 minor units.' }],
    });
    await posted(dispute('opened'));
    expect(await balance(cash)).toBe(before - 1_000n);
    await posted(dispute('won'));
    expect(await balance(cash)).toBe(before);
    await posted(dispute('opened', 'second'), dispute('lost', 'second'));
    expect(await balance(sellerAccount(seller, eur(0).currency))).toBe(0n);
    expect(await balance(accountOf('disputed', eur(0).currency))).toBe(0n);
  });

  test('invalid input throws and says why', async () => {
    const leg = capture().legs[0]!;
    const wrong = (change: Partial<Transfer>) => posted({ ...capture(), ...change });
    await expect(wrong({ legs: [] })).rejects.toThrow('0 legs');
    await expect(wrong({ legs: [{ ...leg, amount: eur(0) }] })).rejects.toThrow('moves 0 minor units');
    await expect(wrong({ legs: [{ ...leg, amount: eur(-5) }] })).rejects.toThrow('moves -5');
    await expect(wrong({ legs: [{ ...leg, credit: cash }] })).rejects.toThrow('debits and credits');
    await expect(wrong({ legs: [{ ...leg, credit: 'cash-psp:USD' }] })).rejects.toThrow(
      'moves EUR on cash-psp:USD',
    );
    await expect(wrong({ legs: [{ ...leg, credit: 'mattress:EUR' }] })).rejects.toThrow('does not have');
    await expect(wrong({ subject: 'a\nb' })).rejects.toThrow('control');
    await expect(wrong({ phase: 'void' })).rejects.toThrow('resolves');
    const many = Array.from({ length: 501 }, (_, index) => ({ ...capture(), operation: `capture-${index}` }));
    await expect(posted(...many)).rejects.toThrow('at most 1000 postings');
  });
});

describe('pending transfers', () => {
  let seller: string;
  let payout: string;
  beforeEach(async () => {
    seller = fresh('DE');
    payout = fresh('payout');
    await posted(captureOf({ paymentOrderId: fresh(), seller, amount: eur(1_000) }));
  });
  const move = (operation: string, minor: number, more: Partial<Transfer> = {}): Transfer => ({
    subject: payout,
    operation,
    kind: 'payout',
    legs: [
      { debit: sellerAccount(seller, eur(0).currency), credit: bank, amount: eur(minor), needsFunds: true },
    ],
    ...more,
  });
  const standing = async () => {
    const { posted: all, available } = await balanceOf(sql, sellerAccount(seller, eur(0).currency));
    return [Number(all.minor), Number(available.minor)];
  };

  test('reserve, then post less: the rest is free again', async () => {
    await posted(move('send', 700, { phase: 'pending' }));
    expect(await standing()).toEqual([1_000, 300]);
    expect(await posted(move('paid', 600, { phase: 'post', resolves: 'send' }))).toMatchObject({
      kind: 'posted',
    });
    expect(await standing()).toEqual([400, 400]);
  });

  test('void frees all of it, and a pending transfer is resolved once', async () => {
    await posted(move('send', 700, { phase: 'pending' }));
    await posted(move('failed', 700, { phase: 'void', resolves: 'send' }));
    expect(await standing()).toEqual([1_000, 1_000]);
    expect(await posted(move('paid', 700, { phase: 'post', resolves: 'send' }))).toMatchObject({
      refusals: [{ reason: 'no_pending' }],
    });
    expect(await posted(move('failed', 700, { phase: 'void', resolves: 'send' }))).toMatchObject({
      transfers: ['replayed'],
    });
  });

  test('cannot resolve more than was reserved, a posted transfer or an unknown one', async () => {
    await posted(move('send', 700, { phase: 'pending' }), move('now', 100));
    for (const [minor, resolves] of [
      [701, 'send'],
      [100, 'now'],
      [700, 'never'],
    ] as const)
      expect(await posted(move('paid', minor, { phase: 'post', resolves }))).toMatchObject({
        refusals: [{ reason: 'no_pending' }],
      });
  });

  test('reserved money cannot be spent, even in the same call; earlier funds of a call count', async () => {
    const enough = move('a', 600, { phase: 'pending' });
    const tooMuch = move('b', 600, { phase: 'pending' });
    expect(await posted(enough, tooMuch)).toMatchObject({
      refusals: [{ subject: payout, operation: 'b', reason: 'overdrawn' }],
    });
    const more = captureOf({ paymentOrderId: fresh(), seller, amount: eur(200) });
    expect(await posted(enough, tooMuch, more)).toMatchObject({ kind: 'refused' });
    expect(await posted(enough, more, tooMuch)).toMatchObject({ kind: 'posted' });
    expect(await standing()).toEqual([1_200, 0]);
  });

  test('of ten payouts of the whole balance one is posted', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) => posted(move(`all-${index}`, 1_000))),
    );
    expect(outcomes.filter(({ kind }) => kind === 'posted')).toHaveLength(1);
    expect(await standing()).toEqual([0, 0]);
  });
});

describe('append-only', () => {
  const seller = 'GUARD';
  beforeAll(async () => {
    await posted(captureOf({ paymentOrderId: 'guarded', seller, amount: eur(1_000) }));
  });
  const refused = async (statement: string): Promise<string | undefined> =>
    sql.query(statement).then(
      () => 'it was done',
      (error: unknown) => sqlState(error),
    );

  test('I5: UPDATE, DELETE and TRUNCATE of every table of the ledger are refused and counted', async () => {
    const before = (await verifyLedger(sql)).editsRefused;
    const statements = [
      'UPDATE ledger_transfer SET amount = amount + 1',
      'DELETE FROM ledger_transfer',
      'TRUNCATE ledger_transfer CASCADE',
      'UPDATE ledger_account SET overdraft_refused = false',
      'DELETE FROM ledger_account',
      'TRUNCATE ledger_account CASCADE',
      "UPDATE ledger_batch SET digest = ''",
      'DELETE FROM ledger_batch',
      'TRUNCATE ledger_batch',
      "INSERT INTO ledger_batch VALUES (0, 0, '', now())",
      'UPDATE ledger_balance_history SET balance = 0',
      'DELETE FROM ledger_balance_history',
      'TRUNCATE ledger_balance_history',
      'INSERT INTO ledger_balance_history VALUES (1, 9, 0, 0, 0, 0)',
      'UPDATE ledger_account_balance SET balance = 0',
      'DELETE FROM ledger_account_balance',
      'TRUNCATE ledger_account_balance',
      "INSERT INTO ledger_account_balance VALUES (0, 0, 0, 0, 0, 0, 0, 0, 1, false, 'EUR')",
      'UPDATE ledger_block SET first_batch = 2',
      'DELETE FROM ledger_block',
      'TRUNCATE ledger_block',
      'INSERT INTO ledger_block VALUES (2)',
      'UPDATE ledger_chain_head SET batch_no = 0',
      'DELETE FROM ledger_chain_head',
      'TRUNCATE ledger_chain_head',
      "INSERT INTO ledger_chain_head VALUES (-1, '', now())",
      // A statement that changes no row is still an attempt.
      'DELETE FROM ledger_transfer WHERE false',
    ];
    for (const statement of statements)
      expect([statement, await refused(statement)]).toEqual([statement, 'ML001']);
    expect((await verifyLedger(sql)).editsRefused - before).toBe(BigInt(statements.length));
  });

  /** A row that continues both accounts correctly, with `change` applied to it. */
  const insertion = (change: Readonly<Record<string, string>>) => {
    const columns: Record<string, string> = {
      batch_no: '(SELECT batch_no + 1 FROM ledger_chain_head)',
      debit_account: 'd.account_no',
      debit_sequence: 'd.sequence + 1',
      debit_balance: 'd.balance + 5',
      credit_account: 'c.account_no',
      credit_sequence: 'c.sequence + 1',
      credit_balance: 'c.balance - 5',
      amount: '5',
      posted_at: 'clock_timestamp()',
      leg: '0',
      currency: "'EUR'",
      subject: `'${fresh('raw')}'`,
      operation: "'raw'",
      kind: "'adjustment'",
      ...change,
    };
    return `INSERT INTO ledger_transfer (${Object.keys(columns).join()})
      SELECT ${Object.values(columns).join()} FROM ledger_trial_balance d, ledger_trial_balance c
      WHERE d.account_no = (SELECT account_no FROM ledger_account WHERE id = 'cash-psp:EUR')
        AND c.account_no = (SELECT account_no FROM ledger_account WHERE id = 'seller:${seller}:EUR')`;
  };

  test('I5: no INSERT can break the sequence, balance, currency or time of an account', async () => {
    expect(await refused(insertion({}))).toBe('it was done');
    for (const [change, code] of [
      [{ debit_sequence: 'd.sequence + 2' }, 'ML003'],
      [{ debit_balance: 'd.balance + 6' }, 'ML003'],
      [{ credit_balance: 'c.balance' }, 'ML003'],
      [{ currency: "'USD'" }, 'ML003'],
      [{ posted_at: "'2001-01-01'" }, 'ML003'],
      [{ debit_account: '-1' }, 'ML003'],
      [{ amount: '0' }, '23514'],
      [{ amount: '-5' }, '23514'],
      [{ kind: "'gift'" }, '23514'],
      [{ credit_account: 'd.account_no' }, '23514'],
      [{ leg: '-1' }, '23514'],
      [{ subject: "''" }, '23514'],
      [{ subject: "repeat('é', 65)" }, '23514'],
      [{ operation: "''" }, '23514'],
      [{ operation: "repeat('a', 97)" }, '23514'],
      [{ cause: "repeat('a', 161)" }, '23514'],
      [{ phase: "'doubtful'" }, '23514'],
      [{ phase: "'pending'", released: '5' }, '23514'],
      [{ phase: "'pending'", resolves: "'raw'" }, '23514'],
      [{ resolves: "'raw'", released: '5' }, '23514'],
      [{ phase: "'post'" }, '23514'],
      [{ phase: "'post'", released: '5' }, '23514'],
      [{ phase: "'void'", resolves: "'raw'" }, '23514'],
      [{ phase: "'void'", resolves: "'raw'", released: '4' }, '23514'],
      [{ batch_sequence: '1' }, 'ML002'],
      [{ phase: "'post'", resolves: "'nothing'", released: '5' }, 'ML004'],
      [{ subject: "'guarded'", operation: "'capture'" }, '23505'],
    ] as const)
      expect([change, await refused(insertion(change))]).toEqual([change, code]);
    expect((await verifyLedger(sql)).faults).toEqual([]);
  });

  test('an account that refuses overdraft also refuses it to a manual INSERT', async () => {
    await posted({
      subject: fresh(),
      operation: 'open',
      kind: 'adjustment',
      legs: [{ debit: 'disputed:EUR', credit: cash, amount: eur(1) }],
    });
    const overdraw = insertion({ credit_balance: 'c.balance - 5' }).replace(`seller:${seller}`, 'disputed');
    expect(await refused(overdraw)).toBe('23514');
  });
});

describe('the past', () => {
  test('a past balance contains exactly the postings up to that moment', async () => {
    const seller = fresh('DE');
    const account = sellerAccount(seller, eur(0).currency);
    // Ahead of the clock, because the cash account of the other tests is there already.
    const start = Date.now() + 3_600_000;
    for (let day = 1; day <= 9; day += 1) {
      const transfer = captureOf({ paymentOrderId: fresh(), seller, amount: eur(day) });
      await sql.transaction((tx) => post(tx, [transfer], { at: new Date(start + day * 1_000) }));
    }
    const at = async (ms: number) => {
      const { posted: all, sequence } = await balanceAt(sql, account, new Date(start + ms));
      return [Number(all.minor), Number(sequence)];
    };
    expect(await at(0)).toEqual([0, 0]);
    expect(await at(999)).toEqual([0, 0]);
    expect(await at(1_000)).toEqual([1, 1]);
    expect(await at(4_500)).toEqual([10, 4]);
    expect(await at(9_000)).toEqual([45, 9]);
    expect(await at(1e9)).toEqual([45, 9]);
    expect((await balanceAt(sql, sellerAccount('nobody', eur(0).currency), new Date())).posted.minor).toBe(
      0n,
    );
  });
});

describe('compared with a serial oracle', () => {
  const sellers = ['A', 'B', 'C'];
  const step = fc.record({
    subject: fc.integer({ min: 0, max: 11 }),
    seller: fc.constantFrom(...sellers),
    minor: fc.integer({ min: 1, max: 500 }),
    what: fc.constantFrom('capture', 'refund', 'pay', 'reserve', 'post', 'void'),
  });
  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

  const transferOf = (run: string, { subject, seller, minor, what }: Step): Transfer => {
    const account = sellerAccount(run + seller, eur(0).currency);
    const out = { debit: account, credit: bank, amount: eur(minor), needsFunds: true };
    const about = { subject: `${run}-${subject}`, kind: 'payout' as const, legs: [out] };
    switch (what) {
      case 'capture':
        return captureOf({ paymentOrderId: about.subject, seller: run + seller, amount: eur(minor) });
      case 'refund':
        return refundOf({
          paymentOrderId: about.subject,
          seller: run + seller,
          amount: eur(minor),
          refundId: 'r',
        });
      case 'reserve':
        return { ...about, operation: 'reserve', phase: 'pending' };
      case 'post':
      case 'void':
        return { ...about, operation: what, phase: what, resolves: 'reserve' };
      case 'pay':
        return { ...about, operation: 'pay' };
    }
  };

  test('P-010, I5: in sequence, every outcome and every balance equals the oracle’s', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 12 }),
        async (calls) => {
          const run = fresh('serial');
          const oracle = new SerialLedger();
          for (const call of calls) {
            const transfers = call.map((one) => transferOf(run, one));
            const outcome = await posted(...transfers);
            expect(outcome.kind === 'posted' ? outcome.transfers : 'refused').toEqual(oracle.post(transfers));
          }
          for (const seller of sellers) {
            const account = sellerAccount(run + seller, eur(0).currency);
            const found = await balanceOf(sql, account);
            expect([found.posted.minor, found.available.minor]).toEqual(oracle.balanceOf(account));
          }
        },
      ),
      { numRuns: 40 },
    );
    expect(await faultsAndSums()).toEqual({ faults: [], sums: [0n] });
  });

  test('P-121, P-011: copies in any order, posted concurrently in any batches, count once', async () => {
    const facts = fc.array(
      fc.record({
        subject: fc.integer({ min: 0, max: 30 }),
        seller: fc.constantFrom(...sellers),
        minor: fc.integer({ min: 1, max: 500 }),
        what: fc.constantFrom('capture' as const, 'refund' as const),
      }),
      { minLength: 1, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(facts, fc.infiniteStream(fc.integer({ min: 1, max: 7 })), async (steps, sizes) => {
        const run = fresh('copies');
        // Facts of one subject and operation are the same fact.
        const distinct = [
          ...new Map(steps.map((one) => [`${one.subject}${one.what}`, transferOf(run, one)])).values(),
        ];
        const copies = [...distinct, ...distinct.toReversed(), ...distinct.slice(distinct.length / 2)];
        const batches: Transfer[][] = [];
        while (copies.length > 0) batches.push(copies.splice(0, sizes.next().value));
        const outcomes = await Promise.all(batches.map((batch) => posted(...batch)));
        const effects = outcomes.flatMap((outcome): readonly string[] =>
          outcome.kind === 'posted' ? outcome.transfers : ['refused'],
        );
        expect(effects.filter((effect) => effect === 'posted')).toHaveLength(distinct.length);
        expect(effects).not.toContain('refused');
        const oracle = new SerialLedger();
        oracle.post(distinct);
        for (const seller of sellers) {
          const account = sellerAccount(run + seller, eur(0).currency);
          expect(await balance(account)).toBe(oracle.balanceOf(account)[0]);
        }
      }),
      { numRuns: 15 },
    );
    expect(await faultsAndSums()).toEqual({ faults: [], sums: [0n] });
  });

  async function faultsAndSums() {
    const { rows } = await sql.query<{ sum: string }>(
      'SELECT sum(amount) AS sum FROM ledger_entry GROUP BY currency',
    );
    return { faults: (await verifyLedger(sql)).faults, sums: rows.map(({ sum }) => BigInt(sum)) };
  }
});

proves('P-011', {
  asked: 'each transaction sums to 0 per currency, the whole ledger to 0, at any instant under load',
  shown: 'in every snapshot while three write 300 transactions in three currencies; accounts are their sums',
  control: {
    in: 'payment/schema/ledger-tables.ts',
    change: "CASE WHEN t.phase IN ('posted', 'post') THEN -t.amount ELSE 0 END,",
    to: "CASE WHEN t.phase IN ('posted', 'post') AND t.leg = 0 THEN -t.amount ELSE 0 END,",
  },
});
test('P-011: every snapshot under load has a sum of zero and balances that are the sums', async () => {
  const currencies = ['EUR', 'JPY', 'KWD'].map((code) => parseCurrency(code)!);
  let writing = true;
  const writers = [0, 1, 2].map(async (writer) => {
    for (let n = 0; n < 25; n += 1)
      await posted(
        ...[0, 1, 2, 3].map((k) =>
          captureOf({
            paymentOrderId: `load-${writer}-${n}-${k}`,
            seller: `L${k}`,
            amount: { minor: BigInt(n + 1), currency: currencies[k % 3]! },
            pspFee: { minor: 1n, currency: currencies[k % 3]! },
          }),
        ),
      );
  });
  const done = Promise.all(writers).finally(() => {
    writing = false;
  });
  let looks = 0;
  while (writing) {
    // One statement, so one snapshot.
    const { rows } = await sql.query<{
      sum: string;
      currencies: bigint;
      transactions: bigint;
      wrong: bigint;
    }>(
      `SELECT (SELECT coalesce(sum(amount), 0) FROM ledger_entry) AS sum,
         (SELECT count(*) FROM (SELECT FROM ledger_entry GROUP BY currency HAVING sum(amount) <> 0) c) AS currencies,
         (SELECT count(*) FROM (SELECT FROM ledger_entry GROUP BY subject, operation, currency HAVING sum(amount) <> 0) t)
           AS transactions,
         (SELECT count(*) FROM ledger_trial_balance h WHERE h.balance <>
           (SELECT coalesce(sum(amount), 0) FROM ledger_entry e WHERE e.account_no = h.account_no)) AS wrong`,
    );
    expect(rows).toEqual([{ sum: '0', currencies: 0n, transactions: 0n, wrong: 0n }]);
    looks += 1;
  }
  await done;
  expect(looks).toBeGreaterThan(2);
  const { rows } = await sql.query(
    `SELECT currency, count(DISTINCT subject) AS n FROM ledger_entry
     WHERE subject LIKE 'load-%' GROUP BY currency ORDER BY currency`,
  );
  expect(rows).toEqual([
    { currency: 'EUR', n: 150n },
    { currency: 'JPY', n: 75n },
    { currency: 'KWD', n: 75n },
  ]);
});

describe('many callers with a transfer each', () => {
  test('P-011: transfers of many callers become few batches; a refused one affects no others', async () => {
    const queue = new PostingBatcher(sql);
    const batches = async () =>
      (await sql.query<{ n: bigint }>('SELECT count(*) AS n FROM ledger_batch')).rows[0]!.n;
    const before = await batches();
    const captures = Array.from({ length: 300 }, (_, n) =>
      captureOf({ paymentOrderId: `queue-${n}`, seller: `Q${n % 7}`, amount: eur(100) }),
    );
    const greedy: Transfer = {
      subject: 'queue-greedy',
      operation: 'pay',
      kind: 'payout',
      legs: [
        {
          debit: sellerAccount('Q0', eur(0).currency),
          credit: bank,
          amount: eur(10_000_000),
          needsFunds: true,
        },
      ],
    };
    const contrary = captureOf({ paymentOrderId: 'queue-5', seller: 'Q5', amount: eur(101) });
    const outcomes = await Promise.all(
      [...captures, greedy, captures[0]!, contrary].map((one) => queue.submit(one)),
    );
    expect(outcomes.slice(0, 300).every(({ kind }) => kind === 'posted')).toBe(true);
    expect(outcomes.slice(300)).toMatchObject([
      { kind: 'refused', reason: 'overdrawn' },
      { kind: 'replayed' },
      { kind: 'refused', reason: 'conflict' },
    ]);
    expect(Number((await batches()) - before)).toBeLessThan(10);
    // The same transfer from two callers, next to a refused one.
    const twice = captureOf({ paymentOrderId: 'queue-twice', seller: 'Q1', amount: eur(1) });
    const both = await Promise.all([captures[1]!, twice, twice, greedy].map((one) => queue.submit(one)));
    expect(both.map(({ kind }) => kind)).toEqual(['replayed', 'posted', 'replayed', 'refused']);
    await expect(queue.submit({ ...greedy, legs: [] })).rejects.toThrow('0 legs');
  });

  test('calls beyond the queue limit are refused immediately and waiting ones are posted', async () => {
    const queue = new PostingBatcher(sql);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10_600 }, (_, n) =>
        queue.submit(captureOf({ paymentOrderId: `full-${n % 50}`, seller: 'FULL', amount: eur(1) })),
      ),
    );
    // The first batch left the queue before the last ones arrived.
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
    expect(await balance(sellerAccount('FULL', eur(0).currency))).toBe(50n);
  });
});

test('P-086, P-129: while the database is killed, a call repeated until answered counts once', async () => {
  let killing = true;
  let answers = 0;
  let heard = (): void => {};
  // Kills them all after every answer, so that the next answer arrives however slow the machine is.
  const killer = (async () => {
    while (killing) {
      const next = new Promise<void>((resolve) => {
        heard = resolve;
      });
      await sql
        .query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`)
        .catch(() => {});
      await next;
    }
  })();
  let lost = 0;
  const answered = async (transfer: Transfer): Promise<void> => {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const outcome = await posted(transfer).catch(() => undefined);
      if (outcome?.kind === 'posted') {
        answers += 1;
        heard();
        return;
      }
      if (outcome !== undefined) throw new Error(outcome.refusals[0]!.detail);
      lost += 1;
    }
    throw new Error('never answered');
  };
  await Promise.all(
    [0, 1, 2, 3].map(async (worker) => {
      for (let n = 0; n < 25; n += 1)
        await answered(
          captureOf({ paymentOrderId: `killed-${worker}-${n}`, seller: 'KILLED', amount: eur(7) }),
        );
    }),
  );
  killing = false;
  heard();
  await killer;
  expect(answers).toBe(100);
  expect(lost).toBeGreaterThan(0);
  expect(await balance(sellerAccount('KILLED', eur(0).currency))).toBe(700n);
  expect((await verifyLedger(sql)).faults).toEqual([]);
});
