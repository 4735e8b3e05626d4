import { type Sql, sqlState } from '#platform/sql/sql.js';
import type { AccountCache } from './account-cache.js';
import { type Call, callOf, canBeGuessed, posted } from './call.js';
import { copyAfter } from './copy-legs.js';
import { post } from './ledger.js';
import { placeTransfers } from './place-transfers.js';
import type { PostOutcome, Transfer } from './transfer.js';

const none: ReadonlySet<Transfer> = new Set();

/**
 * Like `post`, in a transaction of its own: one round trip to the database as long as no other process has
 * posted and the transfers are new and on accounts in `known`; otherwise it does what `post` does.
 */
export async function postInOneRoundTrip(
  sql: Sql,
  transfers: readonly Transfer[],
  known: AccountCache,
): Promise<PostOutcome> {
  const call = callOf(transfers, known);
  if (call.kind !== 'call') return call;
  if (canBeGuessed(call) && (await postGuessed(sql, call, known))) return posted(call, none);
  return sql.transaction((tx) => post(tx, transfers, { known }));
}

/** False if nothing was posted. */
async function postGuessed(sql: Sql, { wanted }: Call, known: AccountCache): Promise<boolean> {
  const last = known.batch;
  if (last === undefined || !known.isAlone) return false;
  const placement = placeTransfers(wanted, known.heads, []);
  if (placement.kind === 'refused') return false;
  const { legs, heads } = placement;
  const copied = copyAfter(sql, last, legs);
  // While the server works.
  const places = known.placesOf(heads);
  try {
    await copied;
  } catch (error) {
    if (sqlState(error) === 'ML006') known.meet();
    // An existing transfer does not mean that the cache is wrong.
    else if (sqlState(error) !== '23505') known.forget();
    if (sqlState(error) === undefined) throw error;
    return false;
  }
  // If the cache changed meanwhile, its newer content stays.
  if (known.batch === last) known.learn({ no: last.no + 1n, at: undefined }, heads, places);
  return true;
}
