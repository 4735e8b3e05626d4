import fc from 'fast-check';
import { expect } from 'vitest';
import { AccountCache } from '#payment/ledger/account-cache.js';
import { post } from '#payment/ledger/ledger.js';
import { postInOneRoundTrip } from '#payment/ledger/post-in-one-round-trip.js';
import type { Leg, PostOutcome, Transfer, TransferPhase } from '#payment/ledger/transfer.js';
import { parseCurrency } from '#payment/money/currency.js';
import type { Sql } from '#platform/sql/sql.js';
import { PlainLedger, type Sums } from './plain-ledger.js';

export const [euro, dollar] = [parseCurrency('EUR')!, parseCurrency('USD')!];
const currency = fc.constantFrom(euro, euro, euro, dollar);
const minor = fc.oneof({ weight: 9, arbitrary: fc.bigInt({ min: 1n, max: 60n }) }, fc.constant(10n ** 15n));

/** Between any two of a few accounts, one of which may never be overdrawn. */
const leg: fc.Arbitrary<Leg> = fc
  .record({
    currency,
    minor,
    sides: fc.constantFrom(
      ['cash-psp', 'seller:A'],
      ['cash-psp', 'seller:A'],
      ['cash-psp', 'seller:B'],
      ['seller:A', 'cash-bank'],
      ['seller:B', 'cash-bank'],
      ['seller:A', 'seller:B'],
      ['disputed', 'cash-psp'],
      ['cash-psp', 'disputed'],
      ['seller:B', 'disputed'],
    ),
    needsFunds: fc.boolean(),
  })
  .map(({ currency: unit, minor: amount, sides, needsFunds }) => ({
    debit: `${sides[0]}:${unit}`,
    credit: `${sides[1]}:${unit}`,
    amount: { minor: amount, currency: unit },
    needsFunds,
  }));

export const wish = fc.record({
  subject: fc.integer({ min: 0, max: 400 }),
  legs: fc.array(leg, { minLength: 1, maxLength: 3 }),
  what: fc.constantFrom('move', 'move', 'move', 'reserve', 'reserve', 'end', 'end', 'again'),
  phase: fc.constantFrom<TransferPhase>('post', 'void'),
  part: fc.constantFrom('all', 'all', 'less', 'fewer legs', 'more'),
});
type Wish = typeof wish extends fc.Arbitrary<infer Value> ? Value : never;

export const step = fc.record({
  calls: fc.array(fc.array(wish, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 2 }),
  poster: fc.integer({ min: 0, max: 2 }),
  way: fc.constantFrom('alone', 'alone', 'alone', 'together', 'rolled back', 'savepoint', 'alone by others'),
  advances: fc.constantFrom(undefined, undefined, [], ['A']),
});

/**
 * Makes transfers from wishes: some new, some repeated, some that resolve what is reserved, validly or not.
 */
export class Traffic {
  #before: Transfer[] = [];
  #reserved: Transfer[] = [];

  transferOf({ subject, legs, what, phase, part }: Wish): Transfer {
    const transfer = this.#make({ subject, legs, what, phase, part });
    this.#before.push(transfer);
    if (transfer.phase === 'pending') this.#reserved.push(transfer);
    return transfer;
  }

  #make({ subject, legs, what, phase, part }: Wish): Transfer {
    const old = this.#before.at(-1 - (subject % 7));
    if (what === 'again' && old !== undefined) return old;
    const reserved = this.#reserved.at(-1 - (subject % 3));
    if (what === 'end' && reserved !== undefined)
      return {
        ...reserved,
        operation: `end-${subject % 2}`,
        phase,
        resolves: 'move',
        legs: partOf(reserved.legs, part),
      };
    const common = { subject: `s-${subject}`, operation: 'move', kind: 'adjustment', legs } as const;
    return what === 'reserve' ? { ...common, phase: 'pending' } : common;
  }
}

function partOf(legs: readonly Leg[], part: Wish['part']): readonly Leg[] {
  const times = (n: bigint, d: bigint) =>
    legs.map((one) => ({ ...one, amount: { ...one.amount, minor: limited((one.amount.minor * n) / d) } }));
  if (part === 'less') return times(1n, 2n);
  if (part === 'more') return times(2n, 1n);
  return part === 'fewer legs' ? legs.slice(0, 1) : legs;
}

const most = 10n ** 15n;
const limited = (amount: bigint): bigint => (amount > most ? most : amount || 1n);

interface Moment {
  /** The last batch before the following postings, which may be several batches. */
  readonly before: bigint;
  readonly batch: bigint;
  readonly sealedAt: string;
  readonly sums: ReadonlyMap<string, Sums>;
}

/** A ledger, and next to it one that only adds up. */
export class Pair {
  readonly plain = new PlainLedger();
  readonly moments: Moment[] = [];
  readonly ledger: Sql;
  readonly #posters = [new AccountCache(), new AccountCache(), new AccountCache()];

  constructor(ledger: Sql) {
    this.ledger = ledger;
  }

  async run({ calls, poster, way }: { calls: readonly Transfer[][]; poster: number; way: string }) {
    const known = this.#posters[poster]!;
    if (way === 'alone' || way === 'alone by others') {
      for (const [n, call] of calls.entries()) {
        const by = this.#posters[(poster + (way === 'alone' ? 0 : n)) % 3]!;
        await this.#expect(call, await postInOneRoundTrip(this.ledger, call, by));
      }
      return;
    }
    const rolledBack = new Error('the caller failed');
    const outcomes: PostOutcome[] = [];
    await this.ledger
      .transaction(async (tx) => {
        outcomes.length = 0;
        if (way === 'savepoint') {
          await tx.query('SAVEPOINT mine');
          await post(tx, calls[0]!, { known });
          await tx.query('ROLLBACK TO SAVEPOINT mine');
        }
        for (const call of calls) outcomes.push(await post(tx, call, { known }));
        if (way === 'rolled back') throw rolledBack;
      })
      .catch((error: unknown) => {
        if (error !== rolledBack) throw error;
      });
    if (way === 'rolled back') return;
    for (const [n, call] of calls.entries()) this.#hold(call, outcomes[n]!);
    await this.#remember();
  }

  async #expect(call: readonly Transfer[], outcome: PostOutcome): Promise<void> {
    this.#hold(call, outcome);
    await this.#remember();
  }

  #hold(call: readonly Transfer[], outcome: PostOutcome): void {
    const said = outcome.kind === 'posted' ? outcome.transfers : 'refused';
    expect({ call, said }).toEqual({ call, said: this.plain.post(call) });
  }

  async #remember(): Promise<void> {
    const { rows } = await this.ledger.query<{ batch_no: bigint; at: string }>(
      'SELECT batch_no, last_at::text AS at FROM ledger_chain_head',
    );
    const { batch_no: batch, at: sealedAt } = rows[0]!;
    const before = this.moments.at(-1)?.batch ?? 0n;
    if (batch > 0n) this.moments.push({ before, batch, sealedAt, sums: this.plain.sums });
  }
}

const zero: Sums = { balance: 0n, pendingDebit: 0n, pendingCredit: 0n, postings: 0n };

export async function expectSums({ ledger, plain }: Pair): Promise<void> {
  const { rows } = await ledger.query<{
    id: string;
    balance: bigint;
    pending_debit: bigint;
    pending_credit: bigint;
    sequence: bigint;
  }>('SELECT id, balance, pending_debit, pending_credit, sequence FROM ledger_trial_balance');
  const found = new Map(
    rows.map((row): [string, Sums] => [
      row.id,
      {
        balance: row.balance,
        pendingDebit: row.pending_debit,
        pendingCredit: row.pending_credit,
        postings: row.sequence,
      },
    ]),
  );
  for (const [id, sums] of plain.sums) expect([id, found.get(id)]).toEqual([id, sums]);
  for (const [id, sums] of found) expect([id, sums]).toEqual([id, plain.sums.get(id) ?? zero]);
}

/**
 * All balances at that time and the later postings, for a reader that knows any batch up to the next one of
 * the account.
 */
export async function expectPast(
  { ledger, plain, moments }: Pair,
  moment: Moment,
  pick: number,
): Promise<void> {
  const last = moments.findLast(({ sealedAt }) => sealedAt === moment.sealedAt)!;
  const stood = await ledger.query<{ id: string; sequence: bigint; balance: bigint }>(
    'SELECT a.id, b.* FROM ledger_account a, ledger_balance_at(a.account_no, $1::timestamptz) b',
    [moment.sealedAt],
  );
  for (const { id, sequence, balance } of stood.rows) {
    const sums = last.sums.get(id) ?? zero;
    expect([id, moment, sequence, balance]).toEqual([id, moment, sums.postings, sums.balance]);
  }
  const accounts = [...plain.sums.keys()];
  const knows = accounts.map((id) => {
    const { postings } = last.sums.get(id) ?? zero;
    const moved = moments.find(({ sums }) => (sums.get(id) ?? zero).postings > postings);
    const top = moved?.before ?? moments.at(-1)!.batch;
    return { id, postings, batch: pick % 3 === 0 ? 0n : BigInt(pick) % (top + 1n) };
  });
  const since = await ledger.query<{ id: string; delta: bigint; reserved_debit: bigint; sequence: bigint }>(
    `SELECT a.id, s.* FROM ledger_since((SELECT array_agg(a.account_no ORDER BY u.n) FROM unnest($1::text[]) WITH ORDINALITY u(id, n)
       JOIN ledger_account a USING (id)), $2::bigint[], $3::bigint[]) s JOIN ledger_account a USING (account_no)`,
    [accounts, knows.map(({ postings }) => postings), knows.map(({ batch }) => batch)],
  );
  const told = new Map(since.rows.map((row) => [row.id, row]));
  for (const know of knows) {
    const [now, then] = [plain.sums.get(know.id)!, last.sums.get(know.id) ?? zero];
    const row = told.get(know.id);
    expect([know, row?.delta ?? 0n, row?.reserved_debit ?? 0n]).toEqual([
      know,
      now.balance - then.balance,
      now.pendingDebit - then.pendingDebit,
    ]);
    expect(row !== undefined).toBe(now.postings > then.postings);
    if (row !== undefined) expect(row.sequence).toBe(now.postings);
  }
}

/** Each wallet equals the postings up to its last update, and none is reported as wrong. */
export async function expectWallets({ ledger, moments }: Pair): Promise<void> {
  const { rows } = await ledger.query<{ id: string; balance: bigint; reserved: bigint; sequence: bigint }>(
    'SELECT a.id, w.balance, w.reserved, w.sequence FROM wallet w JOIN ledger_account a USING (account_no)',
  );
  for (const { id, ...wallet } of rows) {
    const then = moments.find(({ sums }) => sums.get(id)?.postings === wallet.sequence)?.sums.get(id) ?? zero;
    expect([id, wallet]).toEqual([
      id,
      { balance: -then.balance, reserved: then.pendingDebit, sequence: then.postings },
    ]);
  }
  expect((await ledger.query('SELECT FROM wallet_wrong()')).rowCount).toBe(0);
}
