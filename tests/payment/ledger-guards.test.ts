import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { balanceOf } from '#payment/ledger/balance.js';
import { post } from '#payment/ledger/ledger.js';
import { ledgerMigrations } from '#payment/ledger/migrations.js';
import { captureOf } from '#payment/ledger/payment-transfers.js';
import type { Transfer } from '#payment/ledger/transfer.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import type { Sql } from '#platform/sql/sql.js';
import { eur, openLedgerDatabase } from './ledger-database.js';

let sql: Sql;
let dispose: () => Promise<void>;
beforeAll(async () => {
  ({ sql, dispose } = await openLedgerDatabase());
});
afterAll(() => dispose?.());

const capture = (order: string, minor = 100): Transfer =>
  captureOf({ paymentOrderId: order, seller: 'DE', amount: eur(minor) });
const payout = (id: string, minor: number): Transfer => ({
  subject: id,
  operation: 'pay',
  kind: 'payout',
  legs: [{ debit: 'seller:DE:EUR', credit: 'cash-bank:EUR', amount: eur(minor), needsFunds: true }],
});

/** A ledger of its own in a schema; `change` edits its tables and functions before they are made. */
async function ledgerIn(schema: string, change: (ddl: string) => string = (ddl) => ddl): Promise<Sql> {
  const within: Sql = {
    ...sql,
    query: (text, values) => within.transaction((tx) => tx.query(text, values)),
    transaction: (work, options) =>
      sql.transaction(async (tx) => {
        await tx.query(`SET LOCAL search_path TO ${schema}`);
        return work(tx);
      }, options),
  };
  await sql.query(`CREATE SCHEMA ${schema}`);
  for (const { sql: ddl } of ledgerMigrations) await within.query(change(ddl));
  return within;
}

/** Takes `guard` out of the ledger; a guard that is not there any more fails the test. */
const without =
  (guard: string, instead = '') =>
  (ddl: string): string => {
    if (!ddl.includes(guard)) throw new Error(`The ledger has no guard '${guard}'.`);
    return ddl.replace(guard, instead);
  };

const outcomeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error) => `refused: ${error.message}`,
  );

/** What each guard keeps, as a question that answers with `kept` or with what went wrong. */
const promises = {
  'a posting is never changed': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const outcome = await outcomeOf(ledger.query('UPDATE ledger_transfer SET amount = 1'));
    return outcome.includes('append-only') ? 'kept' : outcome;
  },
  'twenty at once on one account all count': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-0')]));
    const many = Array.from({ length: 20 }, (_, n) =>
      outcomeOf(ledger.transaction((tx) => post(tx, [capture(`many-${n}`)]))),
    );
    const outcomes = new Set(await Promise.all(many));
    return outcomes.size === 1 && outcomes.has('done') ? 'kept' : [...outcomes].join();
  },
  'what stands is replayed': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const outcome = await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    return outcome.kind === 'posted' && outcome.transfers[0] === 'replayed' ? 'kept' : outcome.kind;
  },
  'another amount is a conflict': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const outcome = await ledger.transaction((tx) => post(tx, [capture('o-1', 99)]));
    return outcome.kind === 'refused' ? 'kept' : outcome.transfers.join();
  },
  'nobody is paid more than he has': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const outcome = await ledger.transaction((tx) => post(tx, [payout('p-1', 60), payout('p-2', 60)]));
    return outcome.kind === 'refused' ? 'kept' : outcome.transfers.join();
  },
  'postings continue their accounts': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const outcome = await outcomeOf(
      ledger.query(`INSERT INTO ledger_transfer (batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
        credit_balance, amount, posted_at, leg, currency, subject, operation, kind)
        SELECT nextval('ledger_batch_no'), debit_account, 2, 999, credit_account, 2, -999, 1, now() + interval '1 day', 0, 'EUR', 'x', 'x',
          'adjustment' FROM ledger_transfer`),
    );
    return outcome.includes('does not continue') ? 'kept' : outcome;
  },
  'heads are written by the ledger alone': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const outcome = await outcomeOf(ledger.query('UPDATE ledger_head SET balance = 0'));
    return outcome.includes('append-only') ? 'kept' : outcome;
  },
} satisfies Readonly<Record<string, (ledger: Sql) => Promise<string>>>;

/** Each guard beside the promise that falls when it is taken out. */
const mutants: ReadonlyArray<readonly [keyof typeof promises, string, (ddl: string) => string]> = [
  [
    'a posting is never changed',
    'no trigger against UPDATE',
    without('BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfer', 'BEFORE TRUNCATE ON ledger_transfer'),
  ],
  [
    'twenty at once on one account all count',
    'no row locks',
    without(
      'WHERE id = ANY (debits || credits) ORDER BY account_no FOR UPDATE',
      'WHERE id = ANY (debits || credits)',
    ),
  ],
  [
    'what stands is replayed',
    'no look at what stands',
    without('IF true = ANY (standing) THEN', 'IF false THEN'),
  ],
  ['another amount is a conflict', 'amounts not compared', without('AND t.amount = u.amount')],
  ['nobody is paid more than he has', 'no check of funds', without('IF guarding THEN', 'IF false THEN')],
  [
    'nobody is paid more than he has',
    'funds as they were before the call',
    without('h.side * (h.balance + sum(p.delta) OVER w)', 'h.side * (h.balance + p.delta)'),
  ],
  [
    'postings continue their accounts',
    'heads follow anything',
    without('IF touched <> moved THEN', 'IF false THEN'),
  ],
  [
    'heads are written by the ledger alone',
    'no trigger on heads',
    without('BEFORE INSERT OR UPDATE OR DELETE ON ledger_head', 'BEFORE DELETE ON ledger_head'),
  ],
];

describe('guards of the ledger', () => {
  test.each(Object.entries(promises))('T13: %s', async (name, promise) => {
    const ledger = await ledgerIn(`kept_${Object.keys(promises).indexOf(name)}`);
    expect(await promise(ledger)).toBe('kept');
    expect((await verifyLedger(ledger)).faults).toEqual([]);
  });

  test.each(mutants.map((mutant, index) => [...mutant, index] as const))(
    'T13: "%s" falls with %s',
    async (name, _, change, index) => {
      const ledger = await ledgerIn(`mutant_${index}`, change);
      expect(await promises[name](ledger)).not.toBe('kept');
    },
  );
});

describe('verification', () => {
  /** Whoever owns the server can switch the triggers off. */
  const forge = (ledger: Sql, ...statements: readonly string[]) =>
    ledger.transaction(async (tx) => {
      await tx.query('SET LOCAL session_replication_role = replica');
      for (const statement of statements) await tx.query(statement);
    });
  const forgeries: ReadonlyArray<readonly [string, readonly string[], readonly string[]]> = [
    [
      'an amount',
      ["UPDATE ledger_transfer SET amount = amount + 1 WHERE subject = 'o-3'"],
      ['batch', 'balance', 'head'],
    ],
    ['a cause', ["UPDATE ledger_transfer SET cause = 'somebody else' WHERE subject = 'o-3'"], ['batch']],
    ['a subject', ["UPDATE ledger_transfer SET subject = 'o-33' WHERE subject = 'o-3'"], ['batch']],
    [
      'a time',
      ["UPDATE ledger_transfer SET posted_at = posted_at - interval '1 day' WHERE subject = 'o-3'"],
      ['batch'],
    ],
    ['the last posting, gone', ["DELETE FROM ledger_transfer WHERE subject = 'o-9'"], ['batch', 'head']],
    [
      'the last posting, gone with its seal and its heads set back',
      [
        "DELETE FROM ledger_batch WHERE batch_no = (SELECT batch_no FROM ledger_transfer WHERE subject = 'o-9')",
        "DELETE FROM ledger_transfer WHERE subject = 'o-9'",
        'UPDATE ledger_head SET sequence = sequence - 1, balance = balance - side * 100',
      ],
      ['chain'],
    ],
    [
      'an amount, with balances, heads and the seal made to fit',
      [
        "UPDATE ledger_transfer SET amount = 101, debit_balance = debit_balance + 1, credit_balance = credit_balance - 1 WHERE subject = 'o-9'",
        'UPDATE ledger_head SET balance = balance + side',
        `UPDATE ledger_batch b SET digest = sha256(convert_to(b.batch_no || E'\\n', 'UTF8') || sha256(convert_to(ledger_line(t), 'UTF8')))
           FROM ledger_transfer t WHERE t.subject = 'o-9' AND b.batch_no = t.batch_no`,
      ],
      ['chain'],
    ],
    ['a head', ['UPDATE ledger_head SET balance = balance + 1 WHERE account_no = 1'], ['head']],
  ];

  test('I5: an untouched ledger verifies, and its root changes with every posting', async () => {
    const ledger = await ledgerIn('untouched');
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const before = await verifyLedger(ledger);
    await ledger.transaction((tx) => post(tx, [capture('o-2')]));
    const after = await verifyLedger(ledger);
    expect(before).toMatchObject({ transfers: 1n, batches: 1n, accounts: 2, faults: [], faultsTotal: 0 });
    expect(after).toMatchObject({ transfers: 2n, batches: 2n, accounts: 2, faults: [], faultsTotal: 0 });
    expect(after.root).not.toBe(before.root);
  });

  test.each(forgeries.map((forgery, index) => [...forgery, index] as const))(
    'I5: with the triggers switched off, verify finds a forged %s',
    async (_, statements, kinds, index) => {
      const ledger = await ledgerIn(`forged_${index}`);
      for (let n = 0; n < 10; n += 1) await ledger.transaction((tx) => post(tx, [capture(`o-${n}`)]));
      expect((await verifyLedger(ledger)).faults).toEqual([]);
      await forge(ledger, ...statements);
      const { faults } = await verifyLedger(ledger);
      expect([...new Set(faults.map(({ kind }) => kind))]).toEqual(expect.arrayContaining([...kinds]));
    },
  );

  test('balances survive what nobody forged', async () => {
    const ledger = await ledgerIn('balances');
    await ledger.transaction((tx) => post(tx, [capture('o-1'), capture('o-2', 50), payout('p', 120)]));
    expect((await balanceOf(ledger, 'seller:DE:EUR')).posted.minor).toBe(30n);
  });
});
