import { type SqlTransaction, sqlState } from '#platform/sql/sql.js';
import { AccountCache } from './account-cache.js';
import type { AccountId } from './accounts.js';
import { isBatch } from './batch-stamp.js';
import { callOf, canBeGuessed, posted, resolvesOne } from './call.js';
import { copyLegs } from './copy-legs.js';
import { lockChainHead, type Tip } from './lock-chain-head.js';
import { type Head, type Placement, placeTransfers } from './place-transfers.js';
import { headsOf } from './read-heads.js';
import { recordedLegsOf } from './recorded-legs.js';
import type { PostOutcome, Transfer } from './transfer.js';

/**
 * `at` is when it counts as posted, the database's clock when absent; the ledger's postings never go back in
 * time.
 */
export interface PostOptions {
  readonly at?: Date;
  /** For frequent posters: accounts in this cache are not read again. */
  readonly known?: AccountCache;
}

/**
 * Posts all transfers in the caller's SQL transaction, in their order, as one batch, or none of them. A
 * transfer that exists already is not posted again, so a call may be repeated at will; the same transfer
 * twice in one call counts once. Accounts that the chart knows are opened when they are first used. Locks the
 * ledger until the commit: keep what follows short.
 *
 * Throws for what only a programming error can send: more than `postingsMax` postings, an account that is not
 * in the chart, two currencies in one leg. Rejects as `query` does when the database is unavailable; the
 * outcome is then that of the caller's transaction.
 */
export async function post(
  tx: SqlTransaction,
  transfers: readonly Transfer[],
  { at, known = new AccountCache() }: PostOptions = {},
): Promise<PostOutcome> {
  const call = callOf(transfers, known);
  if (call.kind !== 'call') return call;
  const { wanted } = call;

  const held = lockChainHead(tx, at);
  // Runs while the server answers, on the assumption that nobody else has posted since.
  const guess = canBeGuessed(call)
    ? { last: known.batch, placement: placeTransfers(wanted, known.heads, []) }
    : undefined;
  const tip = await held;
  const heads = await headsOf(tx, wanted, known.at(tip.last));
  const guessed = guess !== undefined && isBatch(guess.last, tip.last) ? guess.placement : undefined;
  const posting = postPlaced(tx, tip, wanted, heads, guessed);
  // Runs while the server works; used if the assumption holds.
  const places = guessed?.kind === 'placed' ? known.placesOf(guessed.heads) : undefined;
  const placement = await posting.catch((error: unknown) => {
    known.forget();
    throw error;
  });
  if (placement.kind === 'refused') return placement;
  if (placement.legs.length > 0 && tip.isLater)
    known.learn({ no: tip.no, at: tip.at }, placement.heads, placement === guessed ? places : undefined);
  return posted(call, placement.replayed);
}

async function postPlaced(
  tx: SqlTransaction,
  tip: Tip,
  wanted: readonly Transfer[],
  heads: ReadonlyMap<AccountId, Head>,
  guessed: Placement | undefined,
): Promise<Placement> {
  return (await postAsNew(tx, tip, wanted, heads, guessed)) ?? (await postTheRest(tx, tip, wanted, heads));
}

/**
 * Nearly every transfer is new, so all are posted as new, and the key of the table rejects a repetition.
 * Then, or if a transfer must be refused, the result is undefined and nothing was posted.
 */
async function postAsNew(
  tx: SqlTransaction,
  tip: Tip,
  transfers: readonly Transfer[],
  heads: ReadonlyMap<AccountId, Head>,
  guessed: Placement | undefined,
): Promise<Placement | undefined> {
  if (transfers.some(resolvesOne)) return undefined;
  const placement = guessed ?? placeTransfers(transfers, heads, []);
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

/** With a read of the existing legs of their subjects. */
async function postTheRest(
  tx: SqlTransaction,
  tip: Tip,
  transfers: readonly Transfer[],
  heads: ReadonlyMap<AccountId, Head>,
): Promise<Placement> {
  const placement = placeTransfers(transfers, heads, await recordedLegsOf(tx, transfers));
  if (placement.kind === 'placed' && placement.legs.length > 0) await copyLegs(tx, tip, placement.legs);
  return placement;
}
