import { type SqlSession, type SqlTransaction, sqlState } from '#platform/sql/sql.js';
import type { AccountId } from './accounts.js';
import { textArray } from './array-literal.js';
import { checkTransfer, keyOf, withoutRepeats } from './check-transfers.js';
import { type BatchStamp, copyLegs } from './copy-legs.js';
import { KnownHeads } from './known-heads.js';
import { ledgerLimits } from './limits.js';
import { type Head, type Placement, placeTransfers, type StandingLeg } from './place-transfers.js';
import { headsOf } from './read-heads.js';
import type { PostOutcome, Transfer, TransferKind, TransferPhase } from './transfer.js';

/** `at` is when it counts as posted, the database's clock when absent; the ledger's postings never go back in time. */
export interface PostOptions {
  readonly at?: Date;
  /** Who posts often keeps one: accounts that it knows are not read again. */
  readonly known?: KnownHeads;
}

/**
 * Posts all transfers in the caller's SQL transaction, in their order, as one batch, or none of them. A transfer that stands already is not
 * posted again, so a call may be repeated as often as one likes; the same transfer twice in one call counts once. Accounts that the
 * chart knows are opened when they are first used. Holds the ledger until the commit: keep what follows short.
 *
 * Throws for what only a fault of the program can send: more than `postingsMax` postings, an account that is not in the chart, two
 * currencies in one leg. Rejects as `query` does when the database is away; then nobody knows more than the caller's transaction does.
 */
export async function post(
  tx: SqlTransaction,
  transfers: readonly Transfer[],
  { at, known = new KnownHeads() }: PostOptions = {},
): Promise<PostOutcome> {
  const { distinct: wanted, conflicts } = withoutRepeats(transfers);
  if (conflicts.length > 0) return { kind: 'refused', refusals: conflicts };
  let postings = 0;
  const unknown = new Set<AccountId>();
  const isKnown = (id: AccountId): boolean => {
    if (known.has(id)) return true;
    unknown.add(id);
    return false;
  };
  for (const transfer of wanted) {
    checkTransfer(transfer, isKnown);
    postings += transfer.legs.length * 2;
  }
  if (postings > ledgerLimits.postingsMax)
    throw new RangeError(`One call posts at most ${ledgerLimits.postingsMax} postings, not ${postings}.`);
  if (postings === 0) return { kind: 'posted', transfers: [] };

  const tip = await holdTip(tx, at);
  const heads = await headsOf(tx, wanted, known.at(tip.last), unknown);
  const placement = await postPlaced(tx, tip, wanted, heads).catch((error: unknown) => {
    known.forget();
    throw error;
  });
  if (placement.kind === 'refused') return placement;
  if (placement.legs.length > 0 && tip.isLater) known.learn(`${tip.no} ${tip.at}`, placement.heads);

  if (wanted.length === transfers.length && placement.replayed.size === 0)
    return { kind: 'posted', transfers: transfers.map(() => 'posted') };
  const replayed = new Set(Array.from(placement.replayed, keyOf));
  return {
    kind: 'posted',
    transfers: transfers.map((transfer) => {
      const key = keyOf(transfer);
      if (replayed.has(key)) return 'replayed';
      replayed.add(key);
      return 'posted';
    }),
  };
}

async function postPlaced(
  tx: SqlTransaction,
  tip: Tip,
  wanted: readonly Transfer[],
  heads: ReadonlyMap<AccountId, Head>,
): Promise<Placement> {
  return (await postAsNew(tx, tip, wanted, heads)) ?? (await postTheRest(tx, tip, wanted, heads));
}

/** Number and time of the batch that comes next. */
interface Tip extends BatchStamp {
  /** Number and time of the batch before it. */
  readonly last: string;
  /**
   * The next one is later than all before it, by the database's clock and while everybody waits: a batch of this number that
   * somebody else posts, should ours be rolled back, has another time.
   */
  readonly isLater: boolean;
}

/** One after the other from here to the commit. What follows sees all that those before us have posted. */
async function holdTip(tx: SqlSession, at: Date | undefined): Promise<Tip> {
  const { rows } = await tx.query<{ no: bigint; at: Buffer; last_at: Buffer }>(
    `SELECT batch_no + 1 AS no, timestamptz_send(greatest(coalesce($1::timestamptz, clock_timestamp()), last_at)) AS at,
       timestamptz_send(last_at) AS last_at
     FROM ledger_tip FOR UPDATE`,
    [at ?? null],
  );
  const { no } = rows[0]!;
  const nextAt = rows[0]!.at.readBigInt64BE();
  const lastAt = rows[0]!.last_at.readBigInt64BE();
  return { no, at: nextAt, last: `${no - 1n} ${lastAt}`, isLater: at === undefined && nextAt !== lastAt };
}

/**
 * Nearly every transfer is new, so they are posted as if all were, and the key of the table says when one is not: then, and when something
 * speaks against them, undefined and nothing has happened.
 */
async function postAsNew(
  tx: SqlTransaction,
  tip: Tip,
  transfers: readonly Transfer[],
  heads: ReadonlyMap<AccountId, Head>,
): Promise<Placement | undefined> {
  if (transfers.some(({ resolves }) => resolves !== undefined)) return undefined;
  const placement = placeTransfers(transfers, heads, []);
  if (placement.kind === 'refused') return undefined;
  try {
    await copyLegs(tx, tip, placement.legs, 'before_posting');
    return placement;
  } catch (error) {
    if (sqlState(error) !== '23505') throw error;
    await tx.query('ROLLBACK TO SAVEPOINT before_posting');
    return undefined;
  }
}

/** With a look at what stands of their subjects. */
async function postTheRest(
  tx: SqlTransaction,
  tip: Tip,
  transfers: readonly Transfer[],
  heads: ReadonlyMap<AccountId, Head>,
): Promise<Placement> {
  const placement = placeTransfers(transfers, heads, await standingOf(tx, transfers));
  if (placement.kind === 'placed' && placement.legs.length > 0) await copyLegs(tx, tip, placement.legs);
  return placement;
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
  return rows.map(({ resolves, debit_account, credit_account, ...row }) => ({
    ...row,
    resolves: resolves ?? undefined,
    debitNo: Number(debit_account),
    creditNo: Number(credit_account),
  }));
}
