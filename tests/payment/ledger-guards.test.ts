import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { balanceAt, balanceOf } from '#payment/ledger/balance.js';
import { post } from '#payment/ledger/ledger.js';
import { captureOf } from '#payment/ledger/payment-transfers.js';
import type { Transfer } from '#payment/ledger/transfer.js';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { ledger as ledgerSchema } from '#payment/schema/ledger.js';
import type { Sql } from '#platform/sql/sql.js';
import { eur, openLedgerDatabase } from './ledger-database.js';
import { inBlocksOf, ledgerIn as ledgerInSchema } from './ledger-in.js';

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

const ledgerIn = (schema: string, change?: (ddl: string) => string): Promise<Sql> =>
  ledgerInSchema(sql, schema, [{ name: '0001-ledger', sql: ledgerSchema }], change);

/** Removes `guard` from the ledger; a guard that no longer exists fails the test. */
const without =
  (guard: string, instead = '') =>
  (ddl: string): string => {
    if (!ddl.includes(guard)) throw new Error(`The ledger has no guard '${guard}'.`);
    return ddl.replaceAll(guard, instead);
  };

const outcomeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error) => `refused: ${error.message}`,
  );

/** A void of a transfer that was never made. */
const voidNothing = async (ledger: Sql): Promise<string> => {
  await ledger.transaction((tx) => post(tx, [capture('o-1')]));
  return outcomeOf(
    ledger.query(`INSERT INTO ledger_transfer (batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
      credit_balance, amount, released, phase, resolves, posted_at, leg, currency, subject, operation, kind)
      SELECT 2, debit_account, 2, debit_balance, credit_account, 2, credit_balance, 5, 5, 'void', 'nothing', clock_timestamp(), 0, 'EUR',
        'x', 'x', 'adjustment' FROM ledger_transfer`),
  );
};

/** The promise of each guard, as a query that returns `kept` or what went wrong. */
const promises = {
  'a posting is never changed': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const outcome = await outcomeOf(ledger.query('UPDATE ledger_transfer SET amount = 1'));
    return outcome.includes('append-only') ? 'kept' : outcome;
  },
  'twenty concurrent transfers on one account all count': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-0')]));
    const many = Array.from({ length: 20 }, (_, n) =>
      outcomeOf(ledger.transaction((tx) => post(tx, [capture(`many-${n}`)]))),
    );
    const outcomes = new Set(await Promise.all(many));
    return outcomes.size === 1 && outcomes.has('done') ? 'kept' : [...outcomes].join();
  },
  'an existing transfer is replayed': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const outcome = await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    return outcome.kind === 'posted' && outcome.transfers[0] === 'replayed' ? 'kept' : outcome.kind;
  },
  'another amount is a conflict': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const outcome = await ledger.transaction((tx) => post(tx, [capture('o-1', 99)]));
    return outcome.kind === 'refused' ? 'kept' : outcome.transfers.join();
  },
  'no account pays more than it has': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const outcome = await ledger.transaction((tx) => post(tx, [payout('p-1', 60), payout('p-2', 60)]));
    return outcome.kind === 'refused' ? 'kept' : outcome.transfers.join();
  },
  'postings continue their accounts': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const outcome = await outcomeOf(
      ledger.query(`INSERT INTO ledger_transfer (
        batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
        credit_balance, amount, posted_at, leg, currency, subject, operation, kind)
        SELECT 2, debit_account, 2, 999, credit_account, 2, -999, 1, now() + interval '1 day', 0, 'EUR', 'x', 'x',
          'adjustment' FROM ledger_transfer`),
    );
    return outcome.includes('does not continue') ? 'kept' : outcome;
  },
  'postings of one batch continue each other': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    // The end is correct but the path to it does not exist: either the first has a wrong balance, or both
    // have one sequence.
    for (const [place, balance] of [
      ['1', '7'],
      ['2', '0'],
    ] as const) {
      const outcome = await outcomeOf(
        ledger.query(`INSERT INTO ledger_transfer (
          batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
          credit_balance, amount, posted_at, leg, batch_sequence, currency, subject, operation, kind)
          SELECT 2, d.account_no, d.sequence + n.place, d.balance + 2 * n.n + n.wrong, c.account_no, c.sequence + n.n, c.balance - 2 * n.n, 2,
            timestamptz '2100-01-01', n.n, n.n - 1, 'EUR', 'x', 'x', 'adjustment'
          FROM ledger_trial_balance d, ledger_trial_balance c, (VALUES (1, ${place}, ${balance}), (2, 2, 0)) n(n, place, wrong)
          WHERE d.id = 'cash-psp:EUR' AND c.id = 'seller:DE:EUR' ORDER BY n.n`),
      );
      if (!outcome.includes('does not continue')) return outcome;
    }
    return 'kept';
  },
  'no posting continues from an earlier balance': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1'), capture('o-2')]));
    // Continues from before both of them; the sequence is free, because they were one batch.
    const outcome = await outcomeOf(
      ledger.query(`INSERT INTO ledger_transfer (
        batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
        credit_balance, amount, posted_at, leg, currency, subject, operation, kind)
        SELECT 2, d.account_no, 1, 5, c.account_no, 1, -5, 5, timestamptz '2100-01-01', 0, 'EUR', 'x', 'x', 'adjustment'
        FROM ledger_trial_balance d, ledger_trial_balance c WHERE d.id = 'cash-psp:EUR' AND c.id = 'seller:DE:EUR'`),
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
    // By itself, and next to a correct one.
    for (const legs of [
      `(1, 'USD', 'cash-psp:EUR', 'seller:DE:EUR')`,
      `(1, 'EUR', 'cash-psp:EUR', 'seller:DE:EUR'), (2, 'USD', 'cash-bank:EUR', 'seller:FR:EUR')`,
    ]) {
      const outcome = await outcomeOf(
        ledger.query(`INSERT INTO ledger_transfer (
          batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
          credit_balance, amount, posted_at, leg, batch_sequence, currency, subject, operation, kind)
          SELECT 2, d.account_no, d.sequence + 1, d.balance + 1, c.account_no, c.sequence + 1, c.balance - 1, 1, timestamptz '2100-01-01', l.n, l.n - 1,
            l.currency, 'x', 'x', 'adjustment'
          FROM (VALUES ${legs}) l(n, currency, debit, credit) JOIN ledger_trial_balance d ON d.id = l.debit JOIN ledger_trial_balance c ON c.id = l.credit ORDER BY l.n`),
      );
      if (!outcome.includes('does not continue')) return outcome;
    }
    return 'kept';
  },
  'batches follow each other without a gap': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const outcome = await outcomeOf(
      ledger.query(`INSERT INTO ledger_transfer (
        batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
        credit_balance, amount, posted_at, leg, currency, subject, operation, kind)
        SELECT 7, debit_account, 2, debit_balance + 1, credit_account, 2, credit_balance - 1, 1, clock_timestamp(), 0, 'EUR', 'x', 'x',
          'adjustment' FROM ledger_transfer`),
    );
    return outcome.includes('one next batch') ? 'kept' : outcome;
  },
  'nothing is posted in the past': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const outcome = await outcomeOf(
      ledger.query(`INSERT INTO ledger_transfer (
        batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
        credit_balance, amount, posted_at, leg, currency, subject, operation, kind)
        SELECT 2, debit_account, 2, debit_balance + 1, credit_account, 2, credit_balance - 1, 1, '2001-01-01', 0, 'EUR', 'x', 'x',
          'adjustment' FROM ledger_transfer`),
    );
    return outcome.includes('nothing is posted before') ? 'kept' : outcome;
  },
  'a batch has one time': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const outcome = await outcomeOf(
      ledger.query(`INSERT INTO ledger_transfer (
        batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
        credit_balance, amount, posted_at, leg, currency, subject, operation, kind)
        SELECT 2, debit_account, 1 + n, debit_balance + n, credit_account, 1 + n, credit_balance - n, 1,
          timestamptz '2100-01-01' + n * interval '1 second', n, 'EUR', 'x', 'x', 'adjustment' FROM ledger_transfer, generate_series(1, 2) n`),
    );
    return outcome.includes('one time') ? 'kept' : outcome;
  },
  'transfers keep the order of their batch': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    // The second before the first, both as first, and a gap.
    for (const places of ['1, 0', '0, 0', '0, 2']) {
      const outcome = await outcomeOf(
        ledger.query(`INSERT INTO ledger_transfer (
          batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
          credit_balance, amount, posted_at, leg, batch_sequence, currency, subject, operation, kind)
          SELECT 2, d.account_no, d.sequence + n.n, d.balance + n.n, c.account_no, c.sequence + n.n,
            c.balance - n.n, 1, timestamptz '2100-01-01', n.n, (ARRAY[${places}])[n.n], 'EUR', 'x', 'x', 'adjustment'
          FROM ledger_trial_balance d, ledger_trial_balance c, generate_series(1, 2) n(n)
          WHERE d.id = 'cash-psp:EUR' AND c.id = 'seller:DE:EUR' ORDER BY n.n`),
      );
      if (!outcome.includes('order of their places')) return outcome;
    }
    return 'kept';
  },
  'an account that refuses overdraft is never overdrawn': async (ledger) => {
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
      ledger.query(`INSERT INTO ledger_transfer (
        batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
        credit_balance, amount, posted_at, leg, currency, subject, operation, kind)
        SELECT 2, d.account_no, d.sequence + 1, d.balance + 5, c.account_no, c.sequence + 1, c.balance - 5, 5,
          clock_timestamp(), 0, 'EUR', 'x', 'x', 'adjustment'
        FROM ledger_trial_balance d, ledger_trial_balance c
        WHERE d.id = 'cash-psp:EUR' AND c.id = 'disputed:EUR'`),
    );
    return outcome.includes('overdraft_is_refused') ? 'kept' : outcome;
  },
  'each operation is posted once': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const outcome = await outcomeOf(
      ledger.query(`INSERT INTO ledger_transfer (
        batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
        credit_balance, amount, posted_at, leg, currency, subject, operation, kind)
        SELECT 2, debit_account, 2, debit_balance + 100, credit_account, 2, credit_balance - 100, 100,
          clock_timestamp(), 0, 'EUR', subject, operation, kind FROM ledger_transfer`),
    );
    return outcome.includes('posted_once') ? 'kept' : outcome;
  },
  'an account has one currency in a batch, and is open': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    for (const rows of [
      // A correct one, and the same again in another currency.
      `SELECT d.account_no, d.sequence + 1, d.balance + 1, c.account_no, c.sequence + 1, c.balance - 1, n.n, n.n - 1, n.currency
       FROM ledger_trial_balance d, ledger_trial_balance c, (VALUES (1, 'EUR'), (2, 'USD')) n(n, currency)
       WHERE d.id = 'cash-psp:EUR' AND c.id = 'seller:DE:EUR' ORDER BY n.n`,
      `SELECT 77, 1, 1, c.account_no, c.sequence + 1, c.balance - 1, 0, 0, 'EUR' FROM ledger_trial_balance c WHERE c.id = 'seller:DE:EUR'`,
    ]) {
      const outcome = await outcomeOf(
        ledger.query(`INSERT INTO ledger_transfer (
          batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
          credit_balance, leg, batch_sequence, currency, amount, posted_at, subject, operation, kind)
          SELECT 2, r.*, 1, timestamptz '2100-01-01', 'x', 'x', 'adjustment' FROM (${rows}) r`),
      );
      if (!outcome.includes('does not continue')) return outcome;
    }
    return 'kept';
  },
  'a resolving transfer names a pending one': async (ledger) => {
    const outcome = await voidNothing(ledger);
    return outcome.includes('resolves nothing') ? 'kept' : outcome;
  },
  'only reserved amounts are freed': async (ledger) => {
    const outcome = await voidNothing(ledger);
    return outcome.startsWith('refused') ? 'kept' : outcome;
  },
  'only the ledger writes balances and their history': async (ledger) => {
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    for (const statement of [
      "INSERT INTO ledger_account_balance VALUES (9, 0, 0, 0, 0, 0, 0, 0, 1, false, 'EUR')",
      'UPDATE ledger_account_balance SET balance = 5',
      'DELETE FROM ledger_account_balance',
      'TRUNCATE ledger_account_balance',
      'INSERT INTO ledger_balance_history VALUES (1, 9, 0, 0, 0, 0)',
      'UPDATE ledger_balance_history SET balance = 5',
      'DELETE FROM ledger_balance_history',
      'TRUNCATE ledger_balance_history',
      'INSERT INTO ledger_block VALUES (9)',
      'UPDATE ledger_block SET first_batch = 9',
      'DELETE FROM ledger_block',
      'TRUNCATE ledger_block',
      "INSERT INTO ledger_chain_head VALUES (9, '', now())",
      'UPDATE ledger_chain_head SET block = 9',
      'DELETE FROM ledger_chain_head',
      'TRUNCATE ledger_chain_head',
    ]) {
      const outcome = await outcomeOf(ledger.query(statement));
      if (!outcome.includes('append-only')) return `${statement}: ${outcome}`;
    }
    return 'kept';
  },
  'the ledger has one chain head': async (ledger) => {
    const second = ledger.transaction(async (tx) => {
      await tx.query('SET LOCAL session_replication_role = replica');
      await tx.query("INSERT INTO ledger_chain_head VALUES (1, '', now())");
    });
    const outcome = await outcomeOf(second);
    return outcome.includes('ledger_chain_head_is_one') ? 'kept' : outcome;
  },
  'past balances can be read block by block': async (ledger) => {
    await inBlocksOf(ledger, 2);
    const reserve: Transfer = { ...payout('p-1', 30), phase: 'pending' };
    const pay: Transfer = { ...payout('p-1', 20), operation: 'paid', phase: 'post', resolves: 'pay' };
    const days = [
      [capture('o-1')],
      [reserve],
      [pay],
      [capture('o-2', 7)],
      [payout('p-2', 9)],
      [capture('o-3'), { ...payout('p-3', 1), phase: 'pending' }],
    ] satisfies readonly Transfer[][];
    const day = (n: number) => new Date(Date.UTC(2100, 0, n + 1));
    for (const [n, transfers] of days.entries())
      await ledger.transaction((tx) => post(tx, transfers, { at: day(n) }));
    const then: bigint[] = [];
    for (const n of days.keys()) then.push((await balanceAt(ledger, 'seller:DE:EUR', day(n))).posted.minor);
    const blocks = await ledger.query('SELECT FROM ledger_block');
    const { faults } = await verifyLedger(ledger);
    return `${then} in ${blocks.rowCount}` === '100,100,80,87,78,178 in 3' && faults.length === 0
      ? 'kept'
      : `${then} in ${blocks.rowCount}, ${faults.map(({ detail }) => detail).join(' ')}`;
  },
} satisfies Readonly<Record<string, (ledger: Sql) => Promise<string>>>;

/** Each guard with the promise that fails when it is removed. */
const mutants: ReadonlyArray<readonly [keyof typeof promises, string, (ddl: string) => string]> = [
  [
    'a posting is never changed',
    'no trigger against UPDATE',
    without('BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfer', 'BEFORE TRUNCATE ON ledger_transfer'),
  ],
  [
    'postings continue their accounts',
    'any balance is accepted as next',
    without('ELSE ledger_refuses_posting(a.account_no) END', 'ELSE s.sequence + a.items END'),
  ],
  [
    'postings of one batch continue each other',
    'only the sums are checked',
    without('AND a.marks = hashint8extended(s.balance', 'AND 0 <> hashint8extended(s.balance'),
  ],
  [
    'no posting continues from an earlier balance',
    'any balance is accepted as next',
    without('ELSE ledger_refuses_posting(a.account_no) END', 'ELSE s.sequence + a.items END'),
  ],
  [
    'a posting keeps the currency of its account',
    'no check of it in a batch of one currency',
    without('CASE WHEN first_currency = s.currency', 'CASE WHEN true'),
  ],
  [
    'a posting keeps the currency of its account',
    'no check of it in a batch of several',
    without('CASE WHEN a.currency = s.currency', 'CASE WHEN true'),
  ],
  [
    'batches follow each other without a gap',
    'any batch is next',
    without('IF first_batch <> batch OR batch <> head.batch_no + 1 THEN', 'IF first_batch <> batch THEN'),
  ],
  [
    'nothing is posted in the past',
    'no check of the time',
    without('IF first_at < head.last_at THEN', 'IF false THEN'),
  ],
  ['a batch has one time', 'no check of it', without('IF first_at <> sealed THEN', 'IF false THEN')],
  [
    'transfers keep the order of their batch',
    'no check of their sequence',
    without('IF places <> ARRAY(', 'IF false AND places <> ARRAY('),
  ],
  [
    'an account that refuses overdraft is never overdrawn',
    'no such rule',
    without('AND (NOT overdraft_refused', 'AND (true'),
  ],
  [
    'each operation is posted once',
    'no key',
    without(
      'CONSTRAINT posted_once PRIMARY KEY (subject, operation, leg)',
      'CONSTRAINT posted_once CHECK (leg >= 0)',
    ),
  ],
  [
    'an account has one currency in a batch, and is open',
    'moves are not counted',
    without('IF placed IS DISTINCT FROM 2 * items THEN', 'IF false THEN'),
  ],
  [
    'a resolving transfer names a pending one',
    'no check of it',
    without('IF resolving > 0 THEN', 'IF false THEN'),
  ],
  [
    'only reserved amounts are freed',
    'no check of it and no rule about what is reserved',
    (ddl) =>
      without(
        'IF resolving > 0 THEN',
        'IF false THEN',
      )(without('CHECK (pending_debit >= 0 AND pending_credit >= 0 AND (', 'CHECK ((')(ddl)),
  ],
  [
    'the ledger has one chain head',
    'no unique key',
    without('CREATE UNIQUE INDEX ledger_chain_head', 'CREATE INDEX ledger_chain_head'),
  ],
  ...(
    [
      [
        'BEFORE INSERT OR UPDATE OR DELETE ON ledger_account_balance',
        'BEFORE UPDATE OR DELETE ON ledger_account_balance',
      ],
      [
        'BEFORE INSERT OR UPDATE OR DELETE ON ledger_account_balance',
        'BEFORE INSERT OR DELETE ON ledger_account_balance',
      ],
      [
        'BEFORE INSERT OR UPDATE OR DELETE ON ledger_account_balance',
        'BEFORE INSERT OR UPDATE ON ledger_account_balance',
      ],
      ['BEFORE TRUNCATE ON ledger_account_balance', 'BEFORE DELETE ON ledger_account_balance'],
      ['BEFORE INSERT ON ledger_balance_history', 'BEFORE DELETE ON ledger_balance_history'],
      [
        'BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_balance_history',
        'BEFORE DELETE OR TRUNCATE ON ledger_balance_history',
      ],
      [
        'BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_balance_history',
        'BEFORE UPDATE OR TRUNCATE ON ledger_balance_history',
      ],
      [
        'BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_balance_history',
        'BEFORE UPDATE OR DELETE ON ledger_balance_history',
      ],
      ['BEFORE INSERT ON ledger_block', 'BEFORE DELETE ON ledger_block'],
      ['BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_block', 'BEFORE DELETE OR TRUNCATE ON ledger_block'],
      ['BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_block', 'BEFORE UPDATE OR TRUNCATE ON ledger_block'],
      ['BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_block', 'BEFORE UPDATE OR DELETE ON ledger_block'],
      [
        'BEFORE INSERT OR UPDATE OR DELETE ON ledger_chain_head',
        'BEFORE INSERT OR DELETE ON ledger_chain_head',
      ],
      [
        'BEFORE INSERT OR UPDATE OR DELETE ON ledger_chain_head',
        'BEFORE INSERT OR UPDATE ON ledger_chain_head',
      ],
      ['BEFORE TRUNCATE ON ledger_chain_head', 'BEFORE DELETE ON ledger_chain_head'],
    ] as const
  ).map(
    ([guard, instead]) =>
      [
        'only the ledger writes balances and their history',
        `a trigger ${instead}`,
        without(guard, instead),
      ] as const,
  ),
  ...(
    [
      ['nothing written down', 'FROM moved WHERE history_batch = batch', 'FROM moved WHERE false'],
      [
        'something written down each time',
        'WHEN s.history_batch < head.block THEN batch',
        'WHEN true THEN batch',
      ],
      ['written down once for all', 'WHEN s.history_batch < head.block', 'WHEN s.history_batch = 0'],
      ['the balance after it', 's.balance - a.delta AS balance', 's.balance AS balance'],
      ['the place after it', 's.sequence_before AS sequence', 's.sequence AS sequence'],
      ['debits reserved after it', 's.pending_debit - a.reserved_debit AS', 's.pending_debit AS'],
      ['credits reserved after it', 's.pending_credit - a.reserved_credit AS', 's.pending_credit AS'],
      ['debits never reserved', 'pending_debit = s.pending_debit + a.reserved_debit,', ''],
      ['credits never reserved', 'pending_credit = s.pending_credit + a.reserved_credit,', ''],
      [
        'another place before the last batch',
        'sequence_before = s.sequence,',
        'sequence_before = s.sequence + 1,',
      ],
      ['another last batch', 'batch_no = batch, sequence_before', 'batch_no = s.batch_no, sequence_before'],
      ['no block begun', 'IF head.block_transfers >= ledger_block_transfers() THEN', 'IF false THEN'],
      ['blocks that nobody can look up', 'INSERT INTO ledger_block VALUES (batch);', ''],
      ['transfers of a block not counted', 'head.block_transfers + items', 'head.block_transfers'],
    ] as const
  ).map(
    ([change, guard, instead]) =>
      ['past balances can be read block by block', change, without(guard, instead)] as const,
  ),
];

describe('guards of the ledger', () => {
  test.each(Object.entries(promises))('T13: %s', async (name, promise) => {
    const ledger = await ledgerIn(`kept_${Object.keys(promises).indexOf(name)}`);
    expect(await promise(ledger)).toBe('kept');
    expect((await verifyLedger(ledger)).faults).toEqual([]);
  });

  test.each(mutants.map((mutant, index) => [...mutant, index] as const))(
    'T13: "%s" fails with %s',
    async (name, _, change, index) => {
      const ledger = await ledgerIn(`mutant_${index}`, change);
      expect(await promises[name](ledger)).not.toBe('kept');
    },
  );
});

test('T13: "twenty concurrent transfers on one account all count" fails without a head lock', async () => {
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
          const unlocked = text.replace('FROM ledger_chain_head FOR UPDATE', 'FROM ledger_chain_head');
          const result = await tx.query<never>(unlocked, values);
          // The first of the twenty, after the previous one, continues when the second has read the same
          // head.
          if (unlocked !== text && ++reads === 2) await anotherHasRead;
          if (reads === 3) goOn();
          return result;
        };
        return work({ query, copyIn: (statement) => tx.copyIn(statement) });
      }, options),
  };
  expect(await promises['twenty concurrent transfers on one account all count'](careless)).not.toBe('kept');
});

describe('verification', () => {
  /** The owner of the server can switch the triggers off. */
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
    ...[
      'leg = 1',
      'batch_sequence = 1',
      "kind = 'adjustment'",
      "operation = 'captured'",
      "cause = ''",
      "phase = 'pending'",
      "currency = 'USD'",
    ].map(
      (change) =>
        [
          `transfer: ${change}`,
          [`UPDATE ledger_transfer SET ${change} WHERE subject = 'o-3'`],
          ['batch'],
        ] as const,
    ),
    ['form of a seal', ['UPDATE ledger_batch SET form = 1 WHERE batch_no = 4'], ['batch']],
    [
      'time of a seal',
      ["UPDATE ledger_batch SET sealed_at = sealed_at + interval '1 day' WHERE batch_no = 4"],
      ['batch'],
    ],
    [
      'time of the chain head',
      ["UPDATE ledger_chain_head SET last_at = last_at - interval '1 day'"],
      ['chain'],
    ],
    [
      'sequence in the batch, with a seal of nothing',
      [
        "UPDATE ledger_transfer SET batch_sequence = 1 WHERE subject = 'o-3'",
        "UPDATE ledger_batch SET digest = '' WHERE batch_no = 4",
      ],
      ['batch', 'chain'],
    ],
    [
      'a time',
      ["UPDATE ledger_transfer SET posted_at = posted_at - interval '1 day' WHERE subject = 'o-3'"],
      ['batch'],
    ],
    ['the last posting, removed', ["DELETE FROM ledger_transfer WHERE subject = 'o-9'"], ['batch', 'head']],
    [
      'the last posting, removed with its seal and its balances set back',
      [
        "DELETE FROM ledger_batch WHERE batch_no = (SELECT batch_no FROM ledger_transfer WHERE subject = 'o-9')",
        "DELETE FROM ledger_transfer WHERE subject = 'o-9'",
        'UPDATE ledger_account_balance SET sequence = 9, batch_no = 9, sequence_before = 8, balance = balance - 100 * side',
      ],
      ['chain', 'block'],
    ],
    [
      'an amount, with matching balances, chain head and seal',
      [
        "UPDATE ledger_transfer SET amount = 101, debit_balance = debit_balance + 1, credit_balance = credit_balance - 1 WHERE subject = 'o-9'",
        'UPDATE ledger_account_balance SET balance = balance + side',
        `UPDATE ledger_batch b SET form = 1, digest = sha256(ledger_line(t)) FROM ledger_transfer t WHERE t.subject = 'o-9' AND b.batch_no = t.batch_no`,
      ],
      ['chain'],
    ],
    ...[
      ...[
        'sequence',
        'balance',
        'pending_debit',
        'pending_credit',
        'batch_no',
        'sequence_before',
        'history_batch',
        'side',
      ].map((column) => `UPDATE ledger_account_balance SET ${column} = ${column} + 1 WHERE account_no = 1`),
      'UPDATE ledger_account_balance SET overdraft_refused = true WHERE account_no = 1',
      "UPDATE ledger_account_balance SET currency = 'USD' WHERE account_no = 1",
      'DELETE FROM ledger_account_balance WHERE account_no = 1',
      "INSERT INTO ledger_account_balance VALUES (9, 0, 0, 0, 0, 0, 0, 0, 1, false, 'EUR')",
      ...['batch_no', 'sequence', 'balance', 'pending_debit', 'pending_credit'].map(
        (column) =>
          `UPDATE ledger_balance_history SET ${column} = ${column} + 1 WHERE account_no = 1 AND batch_no = 4`,
      ),
      'DELETE FROM ledger_balance_history WHERE account_no = 1 AND batch_no = 1',
      'INSERT INTO ledger_balance_history VALUES (1, 5, 4, 400, 0, 0)',
    ].map((statement) => [`line: ${statement}`, [statement], ['head']] as const),
    ...[
      'UPDATE ledger_block SET first_batch = 5 WHERE first_batch = 4',
      'DELETE FROM ledger_block WHERE first_batch = 1',
      'INSERT INTO ledger_block VALUES (5)',
      'UPDATE ledger_chain_head SET block = 9',
      'UPDATE ledger_chain_head SET block_transfers = 0',
    ].map((statement) => [`block: ${statement}`, [statement], ['block']] as const),
  ];

  test('I5: an unchanged ledger verifies, and its chain head changes with every posting', async () => {
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
      await inBlocksOf(ledger, 3);
      for (let n = 0; n < 10; n += 1) await ledger.transaction((tx) => post(tx, [capture(`o-${n}`)]));
      expect((await verifyLedger(ledger)).faults).toEqual([]);
      await forge(ledger, ...statements);
      const { faults } = await verifyLedger(ledger);
      expect([...new Set(faults.map(({ kind }) => kind))]).toEqual(expect.arrayContaining([...kinds]));
    },
  );

  test('I5: a removed end is detected if its chain head was published', async () => {
    const ledger = await ledgerIn('shortened');
    await ledger.transaction((tx) => post(tx, [capture('o-1')]));
    const { rows } = await ledger.query<{ chain: Buffer; last_at: Date }>(
      'SELECT chain, last_at FROM ledger_chain_head',
    );
    const before = await ledger.query<Record<string, bigint>>('SELECT * FROM ledger_account_balance');
    await ledger.transaction((tx) => post(tx, [capture('o-2')]));
    const { root } = await verifyLedger(ledger);
    await forge(
      ledger,
      'DELETE FROM ledger_transfer WHERE batch_no = 2',
      'DELETE FROM ledger_batch WHERE batch_no = 2',
      `UPDATE ledger_chain_head SET batch_no = 1, chain = '\\x${rows[0]!.chain.toString('hex')}', block_transfers = 1,
         last_at = (SELECT sealed_at FROM ledger_batch)`,
      ...before.rows.map(
        (row) =>
          `UPDATE ledger_account_balance SET sequence = 1, balance = ${row['balance']}, batch_no = 1, sequence_before = 0 WHERE account_no = ${row['account_no']}`,
      ),
    );
    expect((await verifyLedger(ledger)).faults).toEqual([]);
    const { faults } = await verifyLedger(ledger, new Map([[2n, new Set([root])]]));
    expect(faults.map(({ kind, where }) => [kind, where])).toEqual([['root', 'batch 2']]);
  });

  test('balances of an unforged ledger are the sums of its postings', async () => {
    const ledger = await ledgerIn('balances');
    await ledger.transaction((tx) => post(tx, [capture('o-1'), capture('o-2', 50), payout('p', 120)]));
    expect((await balanceOf(ledger, 'seller:DE:EUR')).posted.minor).toBe(30n);
  });
});

test("I5: a seal is valid in any encoding of the poster's connection", async () => {
  const ledger = await ledgerIn('latin');
  await ledger.transaction(async (tx) => {
    await tx.query("SET LOCAL client_encoding = 'LATIN1'");
    await post(tx, [capture('café')]);
  });
  await ledger.transaction((tx) => post(tx, [capture('café|1')]));
  expect((await verifyLedger(ledger)).faults).toEqual([]);
});
