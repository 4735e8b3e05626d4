import type { AccountCache } from './account-cache.js';
import type { AccountId } from './accounts.js';
import { checkTransfer, keyOf, withoutRepeats } from './check-transfers.js';
import { ledgerLimits } from './limits.js';
import type { PostOutcome, Transfer } from './transfer.js';

/** A caller's transfers, checked. */
export interface Call {
  readonly kind: 'call';
  readonly transfers: readonly Transfer[];
  /** Each of them once. */
  readonly wanted: readonly Transfer[];
  /** The poster knows all of their accounts. */
  readonly areKnown: boolean;
}

/**
 * The call, or its outcome if that needs no read of the ledger. Throws for what only a programming error can
 * send.
 */
export function callOf(transfers: readonly Transfer[], known: AccountCache): Call | PostOutcome {
  const { distinct: wanted, conflicts } = withoutRepeats(transfers);
  if (conflicts.length > 0) return { kind: 'refused', refusals: conflicts };
  let postings = 0;
  let areKnown = true;
  const isKnown = (id: AccountId): boolean => {
    const has = known.has(id);
    areKnown &&= has;
    return has;
  };
  for (const transfer of wanted) {
    checkTransfer(transfer, isKnown);
    postings += transfer.legs.length * 2;
  }
  if (postings > ledgerLimits.postingsMax)
    throw new RangeError(`One call posts at most ${ledgerLimits.postingsMax} postings, not ${postings}.`);
  if (postings === 0) return { kind: 'posted', transfers: [] };
  return { kind: 'call', transfers, wanted, areKnown };
}

/** It needs the legs of its subject, which must be read first. */
export const resolvesOne = ({ resolves }: Transfer): boolean => resolves !== undefined;

/** Whether the poster's cache suffices to post it. */
export const canBeGuessed = ({ wanted, areKnown }: Call): boolean => areKnown && !wanted.some(resolvesOne);

/** All requested transfers are recorded; `before` lists those that were recorded earlier. */
export function posted({ transfers, wanted }: Call, before: ReadonlySet<Transfer>): PostOutcome {
  if (wanted.length === transfers.length && before.size === 0)
    return { kind: 'posted', transfers: transfers.map(() => 'posted') };
  const replayed = new Set(Array.from(before, keyOf));
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
