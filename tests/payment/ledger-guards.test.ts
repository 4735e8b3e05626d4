import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { balanceAt, balanceOf } from '#payment/ledger/balance.js';
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
  await within.query(change(ledgerMigrations.map(({ sql: ddl }) => ddl).join('')));
  return within;
}

/** Takes `guard` out of the ledger; a guard that is not there any more fails the test. */
const without =
  (guard: string, instead = '') =>
  (ddl: string): string => {
    if (!ddl.includes(guard)) throw new Error(`The ledger has no guard '${guard}'.`);
    // A later migration replaces what an earlier one made.
    return ddl.replaceAll(guard, instead);
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
        SELECT 2, debit_account, 2, 999, credit_account, 2, -999, 1, now() + interval '1 day', 0, 'EUR', 'x', 'x',
          'adjustment' FROM ledger_transfer`),
    );
    return outcome.includes('does not continue') ? 'kept' : outcome;
  },
  'postings of one batch continue each other': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    // Ends where it should, by a way that does not exist: the first of the two says a wrong balance, or both have one place.
    for (const [place, balance] of [
      ['1', '7'],
      ['2', '0'],
    ] as const) {
      const outcome = await outcomeOf(
        ledger.query(`INSERT INTO ledger_transfer (batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
          credit_balance, amount, posted_at, leg, currency, subject, operation, kind)
          SELECT 2, d.account_no, d.sequence + n.place, d.balance + 2 * n.n + n.wrong, c.account_no, c.sequence + n.n, c.balance - 2 * n.n, 2,
            timestamptz '2100-01-01', n.n, 'EUR', 'x', 'x', 'adjustment'
          FROM ledger_head d, ledger_head c, (VALUES (1, ${place}, ${balance}), (2, 2, 0)) n(n, place, wrong)
          WHERE d.id = 'cash-psp:EUR' AND c.id = 'seller:DE:EUR'`),
      );
      if (!outcome.includes('does not continue')) return outcome;
    }
    return 'kept';
  },
  'nobody goes on from where an account stood before': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1'), capture('o-2')]));
    // From before both of them; the one place is free, because they were one batch.
    const outcome = await outcomeOf(
      ledger.query(`INSERT INTO ledger_transfer (batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
        credit_balance, amount, posted_at, leg, currency, subject, operation, kind)
        SELECT 2, d.account_no, 1, 5, c.account_no, 1, -5, 5, timestamptz '2100-01-01', 0, 'EUR', 'x', 'x', 'adjustment'
        FROM ledger_head d, ledger_head c WHERE d.id = 'cash-psp:EUR' AND c.id = 'seller:DE:EUR'`),
    );
    return outcome.includes('does not continue') ? 'kept' : outcome;
  },
  'a posting keeps the currency of its account': async (ledger) => {
    const other = captureOf({ paymentOrderId: 'o-2', seller: 'FR', amount: eur(9) });
    const paid: Transfer = {
      subject: 'p-1',
      operation: 'pay',
      kind: 'payout',
      legs: [{ debit: 'seller:FR:EUR', credit: 'cash-bank:EUR', amount: eur(5) }],
    };
    await ledger.transaction((tx) => post(tx, [capture('o-1'), other, paid]));
    // Alone, and beside one that is right.
    for (const legs of [
      `(1, 'USD', 'cash-psp:EUR', 'seller:DE:EUR')`,
      `(1, 'EUR', 'cash-psp:EUR', 'seller:DE:EUR'), (2, 'USD', 'cash-bank:EUR', 'seller:FR:EUR')`,
    ]) {
      const outcome = await outcomeOf(
        ledger.query(`INSERT INTO ledger_transfer (batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
          credit_balance, amount, posted_at, leg, currency, subject, operation, kind)
          SELECT 2, d.account_no, d.sequence + 1, d.balance + 1, c.account_no, c.sequence + 1, c.balance - 1, 1, timestamptz '2100-01-01', l.n,
            l.currency, 'x', 'x', 'adjustment'
          FROM (VALUES ${legs}) l(n, currency, debit, credit) JOIN ledger_head d ON d.id = l.debit JOIN ledger_head c ON c.id = l.credit`),
      );
      if (!outcome.includes('does not continue')) return outcome;
    }
    return 'kept';
  },
  'batches follow each other without a gap': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const outcome = await outcomeOf(
      ledger.query(`INSERT INTO ledger_transfer (batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
        credit_balance, amount, posted_at, leg, currency, subject, operation, kind)
        SELECT 7, debit_account, 2, debit_balance + 1, credit_account, 2, credit_balance - 1, 1, clock_timestamp(), 0, 'EUR', 'x', 'x',
          'adjustment' FROM ledger_transfer`),
    );
    return outcome.includes('one next batch') ? 'kept' : outcome;
  },
  'nothing is posted into the past': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const outcome = await outcomeOf(
      ledger.query(`INSERT INTO ledger_transfer (batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
        credit_balance, amount, posted_at, leg, currency, subject, operation, kind)
        SELECT 2, debit_account, 2, debit_balance + 1, credit_account, 2, credit_balance - 1, 1, '2001-01-01', 0, 'EUR', 'x', 'x',
          'adjustment' FROM ledger_transfer`),
    );
    return outcome.includes('nothing is posted before') ? 'kept' : outcome;
  },
  'no account that refuses it is overdrawn': async (ledger) => {
    await ledger.transaction((tx) =>
      post(tx, [
        capture('o-1'),
        {
          subject: 'o-1',
          operation: 'dispute',
          kind: 'dispute_opened',
          legs: [{ debit: 'disputed:EUR', credit: 'cash-psp:EUR', amount: eur(1) }],
        },
      ]),
    );
    const outcome = await outcomeOf(
      ledger.query(`INSERT INTO ledger_transfer (batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
        credit_balance, amount, posted_at, leg, currency, subject, operation, kind)
        SELECT 2, d.account_no, d.sequence + 1, d.balance + 5, c.account_no, c.sequence + 1, c.balance - 5, 5, clock_timestamp(), 0,
          'EUR', 'x', 'x', 'adjustment' FROM ledger_head d, ledger_head c WHERE d.id = 'cash-psp:EUR' AND c.id = 'disputed:EUR'`),
    );
    return outcome.includes('overdraft_is_refused') ? 'kept' : outcome;
  },
  'each operation stands once': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const outcome = await outcomeOf(
      ledger.query(`INSERT INTO ledger_transfer (batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
        credit_balance, amount, posted_at, leg, currency, subject, operation, kind)
        SELECT 2, debit_account, 2, debit_balance + 100, credit_account, 2, credit_balance - 100, 100, clock_timestamp(), 0, 'EUR',
          subject, operation, kind FROM ledger_transfer`),
    );
    return outcome.includes('posted_once') ? 'kept' : outcome;
  },
  'standings are written by the ledger alone': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const outcome = await outcomeOf(
      ledger.query("INSERT INTO ledger_standing VALUES (1, 9, 0, 0, 0, 9, 1, false, 'EUR')"),
    );
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
    'postings continue their accounts',
    'standings follow anything',
    without('ELSE ledger_refuses_posting(a.account_no) END', 'ELSE s.sequence + a.items END'),
  ],
  [
    'postings of one batch continue each other',
    'only the sums are looked at',
    without('AND a.marks = hashint8extended(s.balance', 'AND 0 <> hashint8extended(s.balance'),
  ],
  [
    'nobody goes on from where an account stood before',
    'standings after it are not met',
    without('AND s.sequence >= a.first - 1;', 'AND s.sequence = a.first - 1;'),
  ],
  [
    'a posting keeps the currency of its account',
    'no look at it in a batch of one currency',
    without('CASE WHEN first_currency = s.currency', 'CASE WHEN true'),
  ],
  [
    'a posting keeps the currency of its account',
    'no look at it in a batch of several',
    without('CASE WHEN a.currency = s.currency', 'CASE WHEN true'),
  ],
  [
    'batches follow each other without a gap',
    'any batch is next',
    without('IF first_batch <> batch OR batch <> tip.batch_no + 1 THEN', 'IF first_batch <> batch THEN'),
  ],
  [
    'nothing is posted into the past',
    'no look at the time',
    without('IF first_at < tip.last_at THEN', 'IF false THEN'),
  ],
  [
    'no account that refuses it is overdrawn',
    'no constraint on standings',
    without(
      'CONSTRAINT overdraft_is_refused CHECK (NOT overdraft_refused',
      'CONSTRAINT overdraft_is_refused CHECK (true',
    ),
  ],
  [
    'each operation stands once',
    'no key',
    without(
      'CONSTRAINT posted_once PRIMARY KEY (subject, operation, leg)',
      'CONSTRAINT posted_once CHECK (leg >= 0)',
    ),
  ],
  [
    'standings are written by the ledger alone',
    'no trigger on standings',
    without('BEFORE INSERT ON ledger_standing', 'BEFORE DELETE ON ledger_standing'),
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

test('T13: "twenty at once on one account all count" falls when nobody holds the tip', async () => {
  const ledger = await ledgerIn('mutant_lock');
  let [reads, goOn] = [0, () => {}];
  const anotherHasRead = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const careless: Sql = {
    ...ledger,
    query: ledger.query,
    transaction: (work, options) =>
      ledger.transaction((tx) => {
        const query: typeof tx.query = async (text, values) => {
          const unlocked = text.replace('FROM ledger_tip FOR UPDATE', 'FROM ledger_tip');
          const result = await tx.query<never>(unlocked, values);
          // The first of the twenty, behind the one before them, goes on when the second knows the same tip.
          if (unlocked !== text && ++reads === 2) await anotherHasRead;
          if (reads === 3) goOn();
          return result;
        };
        return work({ query, copyIn: (statement) => tx.copyIn(statement) });
      }, options),
  };
  expect(await promises['twenty at once on one account all count'](careless)).not.toBe('kept');
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
        'DELETE FROM ledger_standing WHERE batch_no = 10',
      ],
      ['chain'],
    ],
    [
      'an amount, with balances, heads and the seal made to fit',
      [
        "UPDATE ledger_transfer SET amount = 101, debit_balance = debit_balance + 1, credit_balance = credit_balance - 1 WHERE subject = 'o-9'",
        'UPDATE ledger_standing SET balance = balance + side WHERE batch_no = 10',
        `UPDATE ledger_batch b SET digest = sha256(ledger_line(t)) FROM ledger_transfer t WHERE t.subject = 'o-9' AND b.batch_no = t.batch_no`,
      ],
      ['chain'],
    ],
    [
      'standing of today',
      ['UPDATE ledger_standing SET balance = balance + 1 WHERE account_no = 1 AND sequence = 10'],
      ['head'],
    ],
    [
      'standing of the past',
      ['UPDATE ledger_standing SET balance = balance + 1 WHERE account_no = 1 AND sequence = 4'],
      ['head'],
    ],
    [
      'standing that no posting led to',
      ["INSERT INTO ledger_standing VALUES (1, 11, 0, 0, 0, 10, 1, false, 'EUR')"],
      ['head'],
    ],
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

test('a ledger that kept heads goes on with standings: past and present are the same, the seals hold', async () => {
  const [heads, ...later] = ledgerMigrations;
  const ledger = await ledgerIn('grown', () => heads!.sql);
  const reserve: Transfer = { ...payout('p-1', 30), phase: 'pending' };
  const pay: Transfer = { ...payout('p-1', 20), operation: 'paid', phase: 'post', resolves: 'pay' };
  const day = (n: number) => new Date(Date.UTC(2100, 0, n));
  const days = [[capture('o-1'), capture('o-2', 7)], [reserve], [pay], [payout('p-2', 9)]];
  for (const [n, transfers] of days.entries())
    await ledger.transaction((tx) => post(tx, transfers, { at: day(n) }));
  const before = await balanceOf(ledger, 'seller:DE:EUR');
  for (const { sql: ddl } of later) await ledger.query(ddl);
  expect((await verifyLedger(ledger)).faults).toEqual([]);
  expect(await balanceOf(ledger, 'seller:DE:EUR')).toEqual(before);
  await ledger.transaction((tx) => post(tx, [capture('o-3', 1)]));
  expect((await verifyLedger(ledger)).faults).toEqual([]);
  const then: bigint[] = [];
  for (const n of [-1, 0, 1, 2, 3, 4])
    then.push((await balanceAt(ledger, 'seller:DE:EUR', day(n))).posted.minor);
  expect(then).toEqual([0n, 107n, 107n, 87n, 79n, 79n]);
});
