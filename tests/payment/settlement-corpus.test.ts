import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyLedger } from '#payment/ledger/verify-ledger.js';
import { parseCurrency } from '#payment/money/currency.js';
import { approve, decide, type FinanceDeps, listFindings } from '#payment/reconciliation/finance-queue.js';
import { reconcileSettlement } from '#payment/reconciliation/reconcile.js';
import { paymentDefaults } from '#payment/settings/settings.js';
import type { Sql } from '#platform/sql/sql.js';
import {
  type Doctoring,
  doctorings,
  type Honest,
  honestDay,
  type Line,
  other,
  payoutOf,
  returnOf,
  sumOf,
  textOf,
  withReturned,
} from './doctored-file.js';
import { openLedgerDatabase } from './ledger-database.js';
import { dayMs, fileOf } from './settlement-order.js';

let sql: Sql;
let dispose: () => Promise<void>;
beforeAll(async () => {
  ({ sql, dispose } = await openLedgerDatabase());
});
afterAll(async () => {
  expect((await verifyLedger(sql)).faults).toEqual([]);
  await dispose?.();
});

/** With two, no and three decimals. */
const currencies = ['EUR', 'JPY', 'KWD'].map((code) => parseCurrency(code)!);
let files = 0;
const { secondPersonAboveMinor } = paymentDefaults;

/** What we say that the provider holds, and what differences hold of it. */
async function books(currency: string): Promise<number> {
  const { rows } = await sql.query<{ sum: string }>(
    'SELECT coalesce(sum(balance), 0) AS sum FROM ledger_trial_balance WHERE id = ANY ($1)',
    [[`cash-psp:${currency}`, `settlement-difference:${currency}`]],
  );
  return Number(rows[0]!.sum);
}

/** A person accepts every proposal and dismisses the rest; another one agrees. */
async function acceptAll(deps: FinanceDeps): Promise<void> {
  for (const { findingNo, proposal } of await listFindings(sql, { limit: 200 })) {
    const [entry, converted] = proposal;
    const decided = await decide(deps, {
      findingNo,
      who: 'ann',
      why: 'as proposed',
      ...(entry === undefined ? {} : { entry }),
      ...(converted === undefined ? {} : { converted }),
    });
    if (decided.kind === 'awaiting_second') await approve(deps, decided.decisionNo, 'bob');
    else if (decided.kind !== 'applied') throw new Error(`${decided.kind} of finding ${findingNo}`);
  }
}

type Case = Pick<Doctoring, 'lines' | 'ours' | 'pays'>;

/** A file of a day that no other file looks back to: the findings, and what the books moved after them. */
async function settle(currency: (typeof currencies)[number], { lines, ours, pays }: Case) {
  files += 1;
  const run = files;
  const day = new Date(Date.UTC(2000, 0, 1) + run * 10 * dayMs);
  // A provider that pays out has done so before, so that a payout is expected.
  const provider = pays === true ? `psp-${run}` : 'psp';
  const yesterday = new Date(day.getTime() - dayMs);
  const earlier = pays === true ? await honestDay(sql, `file-${run}-before`, currency, yesterday) : undefined;
  if (earlier !== undefined) {
    const all = [...Object.values(earlier), payoutOf(earlier)];
    expect((await reconciled(`file-${run}-before`, yesterday, all, provider)).found).toEqual([]);
  }
  const others = other({ currency });
  const before = { ours: await books(currency), others: await books(others) };
  const honest = await honestDay(sql, `file-${run}`, currency, day);
  await ours?.(sql, honest);
  const { found, now } = await reconciled(`file-${run}`, day, lines(honest, earlier), provider);
  await acceptAll({ sql, now: () => now, secondPersonAboveMinor });
  return {
    found,
    moved: (await books(currency)) - before.ours,
    converted: (await books(others)) - before.others,
    honest: pays === true ? 0 : sumOf(Object.values(honest)),
  };
}

async function reconciled(fileId: string, day: Date, lines: readonly Line[], provider: string) {
  const bytes = fileOf(fileId, day, lines.map(textOf), provider);
  const now = new Date(day.getTime() + dayMs + 3_600_000);
  const outcome = await reconcileSettlement(sql, {
    source: 'corpus',
    bytes: (async function* () {
      yield bytes;
    })(),
    now,
  });
  if (outcome.kind !== 'reconciled') throw new Error(outcome.detail);
  const found = Object.entries(outcome.report.found).flatMap(([kind, n]) => Array<string>(n).fill(kind));
  return { found, now };
}

/** Doctored files; `npm run prove settlement-corpus` takes 1,000. */
const wanted = Number(process.env['SETTLEMENT_FILES'] ?? 250);
const filesOf = Math.ceil(wanted / (Object.keys(doctorings).length * currencies.length));

test.each(Object.entries(doctorings))(
  'P-101, P-102: in files with %s nothing else is found, and accepted proposals book what the provider moved',
  async (_, { found, moved, converted = 0, ...how }) => {
    for (let file = 0; file < filesOf; file += 1)
      for (const currency of currencies) {
        const settled = await settle(currency, how);
        expect([currency, ...settled.found.toSorted()]).toEqual([currency, ...found]);
        if (moved !== undefined)
          expect([currency, settled.moved - settled.honest, settled.converted]).toEqual([
            currency,
            moved,
            converted,
          ]);
      }
  },
);

test('a payout that came back in one file does not come back in a later one', async () => {
  files += 1;
  const run = files;
  const currency = currencies[0]!;
  const days = [0, 1, 2].map((at) => new Date(Date.UTC(2000, 0, 1 + at) + run * 10 * dayMs));
  const found: string[][] = [];
  let first: Honest | undefined;
  let now = days[0]!;
  for (const day of days) {
    const id = `file-${run}-${found.length}`;
    const honest = await honestDay(sql, id, currency, day);
    const back = first === undefined ? [] : [{ ...returnOf(first), at: payoutOf(honest).at }];
    first ??= honest;
    const outcome = await reconciled(id, day, withReturned(honest, back), `psp-${run}`);
    found.push(outcome.found);
    now = outcome.now;
  }
  expect(found).toEqual([[], [], ['missing_internally']]);
  const { rows } = await sql.query<{ n: bigint }>(
    `SELECT count(*) AS n FROM ledger_transfer WHERE subject = $1 AND operation LIKE 'payout-returned:%'`,
    [payoutOf(first!).order],
  );
  expect(rows[0]!.n).toBe(1n);
  // What is open would be accepted among the findings of another file.
  await acceptAll({ sql, now: () => now, secondPersonAboveMinor });
});

test('P-100: in honest files nothing is found', async () => {
  for (let file = 0; file < 10 * filesOf; file += 1)
    for (const currency of currencies) {
      const settled = await settle(currency, { lines: Object.values });
      expect(settled).toEqual({ found: [], moved: settled.honest, converted: 0, honest: settled.honest });
      if (file % 5 > 0) continue;
      const lines = (honest: Honest) => [...Object.values(honest), payoutOf(honest)];
      expect(await settle(currency, { lines, pays: true })).toMatchObject({ found: [], moved: 0 });
    }
});
