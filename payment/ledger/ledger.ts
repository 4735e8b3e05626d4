import type { SqlSession, SqlValue } from '#platform/sql/sql.js';
import type { AccountId } from './accounts.js';
import { textArray } from './array-literal.js';
import { checkTransfer, keyOf, withoutRepeats } from './check-transfers.js';
import { ledgerLimits } from './limits.js';
import { openAccounts } from './open-accounts.js';
import { type Head, type PlacedLeg, placeTransfers, type StandingLeg } from './place-transfers.js';
import type { PostOutcome, Transfer, TransferKind, TransferPhase } from './transfer.js';

/**
 * Posts all transfers in the caller's SQL transaction, in their order, as one batch, or none of them. A transfer that stands already is not
 * posted again, so a call may be repeated as often as one likes; the same transfer twice in one call counts once. Accounts that the
 * chart knows are opened when they are first used. Holds the ledger until the commit: keep what follows short.
 *
 * Throws for what only a fault of the program can send: more than `postingsMax` postings, an account that is not in the chart, two
 * currencies in one leg. Rejects as `query` does when the database is away; then nobody knows more than the caller's transaction does.
 * `at` is when it counts as posted, the database's clock when absent; the ledger's postings never go back in time.
 */
export async function post(tx: SqlSession, transfers: readonly Transfer[], at?: Date): Promise<PostOutcome> {
  const { distinct, conflicts } = withoutRepeats(transfers);
  if (conflicts.length > 0) return { kind: 'refused', refusals: conflicts };
  const wanted = [...distinct.values()];
  let postings = 0;
  for (const transfer of wanted) {
    checkTransfer(transfer);
    postings += transfer.legs.length * 2;
  }
  if (postings > ledgerLimits.postingsMax)
    throw new RangeError(`One call posts at most ${ledgerLimits.postingsMax} postings, not ${postings}.`);
  if (postings === 0) return { kind: 'posted', transfers: [] };

  // One after the other from here to the commit. What follows sees all that those before us have posted.
  await tx.query('SELECT FROM ledger_tip FOR UPDATE');
  const heads = await headsOf(tx, wanted);
  const placement = placeTransfers(wanted, heads, await standingOf(tx, wanted));
  if (placement.kind === 'refused') return placement;
  if (placement.legs.length > 0) await insert(tx, placement.legs, at);

  const seen = new Set<string>();
  return {
    kind: 'posted',
    transfers: transfers.map((transfer) => {
      const key = keyOf(transfer);
      const again = seen.has(key) || placement.replayed.has(distinct.get(key)!);
      seen.add(key);
      return again ? 'replayed' : 'posted';
    }),
  };
}

/** Of all accounts of the transfers; those that were never used are opened. */
async function headsOf(
  tx: SqlSession,
  transfers: readonly Transfer[],
): Promise<ReadonlyMap<AccountId, Head>> {
  const ids = new Set<AccountId>();
  for (const { legs } of transfers) for (const { debit, credit } of legs) ids.add(debit).add(credit);
  const heads = new Map<AccountId, Head>();
  await readHeads(tx, [...ids], heads);
  if (heads.size < ids.size) {
    const unknown = [...ids].filter((id) => !heads.has(id));
    await openAccounts(tx, unknown);
    await readHeads(tx, unknown, heads);
  }
  return heads;
}

/** One row of arrays, in the order of the ids: a driver takes far longer for a thousand rows. */
async function readHeads(
  tx: SqlSession,
  ids: readonly AccountId[],
  into: Map<AccountId, Head>,
): Promise<void> {
  const columns = [
    'account_no',
    'side',
    'overdraft_refused',
    'sequence',
    'balance',
    'pending_debit',
    'pending_credit',
  ];
  const { rows } = await tx.query<Record<string, string>>(
    `SELECT ${columns.map((name) => `array_agg(h.${name} ORDER BY u.n)::text AS ${name}`).join()}
     FROM unnest($1::text[]) WITH ORDINALITY u(id, n)
     LEFT JOIN LATERAL (SELECT * FROM ledger_head h WHERE h.id = u.id OFFSET 0) h ON true`,
    [textArray(ids)],
  );
  const [numbers, sides, refused, sequences, balances, debits, credits] = columns.map((name) =>
    rows[0]![name]!.slice(1, -1).split(','),
  ) as [string[], string[], string[], string[], string[], string[], string[]];
  for (const [n, id] of ids.entries()) {
    if (numbers[n] === 'NULL') continue;
    into.set(id, {
      accountNo: BigInt(numbers[n]!),
      side: BigInt(sides[n]!),
      overdraftRefused: refused[n] === 't',
      sequence: BigInt(sequences[n]!),
      balance: BigInt(balances[n]!),
      pendingDebit: BigInt(debits[n]!),
      pendingCredit: BigInt(credits[n]!),
    });
  }
}

/** All legs of the subjects: what may be there already, and what is pending. */
async function standingOf(tx: SqlSession, transfers: readonly Transfer[]): Promise<readonly StandingLeg[]> {
  const subjects = new Set(transfers.map(({ subject }) => subject));
  const { rows } = await tx.query<{
    subject: string;
    operation: string;
    leg: number;
    kind: TransferKind;
    phase: TransferPhase;
    resolves: string | null;
    debit_account: bigint;
    credit_account: bigint;
    amount: bigint;
  }>(
    // OFFSET keeps the planner from reading the whole table for a few hundred subjects of it.
    `SELECT t.subject, t.operation, t.leg, t.kind, t.phase, t.resolves, t.debit_account, t.credit_account, t.amount
     FROM unnest($1::text[]) u(subject) CROSS JOIN LATERAL (SELECT * FROM ledger_transfer t WHERE t.subject = u.subject OFFSET 0) t`,
    [textArray([...subjects])],
  );
  return rows.map(({ resolves, debit_account: debitNo, credit_account: creditNo, ...row }) => ({
    ...row,
    resolves: resolves ?? undefined,
    debitNo,
    creditNo,
  }));
}

async function insert(tx: SqlSession, legs: readonly PlacedLeg[], at: Date | undefined): Promise<void> {
  const values: SqlValue[] = [at ?? null];
  const numbers = (of: (leg: PlacedLeg) => number | bigint): string =>
    `$${values.push(`{${legs.map(of).join()}}`)}::bigint[]`;
  const texts = (of: (leg: PlacedLeg) => string): string =>
    `$${values.push(textArray(legs.map(of)))}::text[]`;
  // What all legs have in common, as most of it is in most calls, is sent once.
  const shared = new Map<string, string>();
  const arrays = new Map<string, string>();
  const either = (
    name: string,
    type: string,
    of: (leg: PlacedLeg) => string | bigint | number | undefined,
  ) => {
    const first = of(legs[0]!);
    if (legs.every((leg) => of(leg) === first)) shared.set(name, `$${values.push(first ?? null)}::${type}`);
    else arrays.set(name, `$${values.push(legs.map((leg) => of(leg) ?? null))}::${type}[]`);
  };
  const legOf = ({ transfer, leg }: PlacedLeg) => transfer.legs[leg]!;
  arrays.set(
    'debit_account',
    numbers(({ debitNo }) => debitNo),
  );
  arrays.set(
    'debit_sequence',
    numbers(({ debitSequence }) => debitSequence),
  );
  arrays.set(
    'debit_balance',
    numbers(({ debitBalance }) => debitBalance),
  );
  arrays.set(
    'credit_account',
    numbers(({ creditNo }) => creditNo),
  );
  arrays.set(
    'credit_sequence',
    numbers(({ creditSequence }) => creditSequence),
  );
  arrays.set(
    'credit_balance',
    numbers(({ creditBalance }) => creditBalance),
  );
  arrays.set(
    'amount',
    numbers((leg) => legOf(leg).amount.minor),
  );
  arrays.set(
    'subject',
    texts(({ transfer }) => transfer.subject),
  );
  either('operation', 'text', ({ transfer }) => transfer.operation);
  either('released', 'bigint', ({ released }) => released);
  either('leg', 'smallint', ({ leg }) => leg);
  either('currency', 'text', (leg) => legOf(leg).amount.currency);
  either('kind', 'text', (leg) => legOf(leg).kind ?? leg.transfer.kind);
  either('phase', 'text', ({ transfer }) => transfer.phase ?? 'posted');
  either('resolves', 'text', ({ transfer }) => transfer.resolves);
  either('cause', 'text', ({ transfer }) => transfer.cause);
  await tx.query(
    `WITH next AS MATERIALIZED (
       SELECT batch_no + 1 AS batch_no, greatest(coalesce($1::timestamptz, clock_timestamp()), last_at) AS at FROM ledger_tip)
     INSERT INTO ledger_transfer (batch_no, posted_at, ${[...arrays.keys(), ...shared.keys()].join()})
     SELECT (SELECT batch_no FROM next), (SELECT at FROM next), ${['u.*', ...shared.values()].join()}
     FROM unnest(${[...arrays.values()].join()}) u`,
    values,
  );
}
