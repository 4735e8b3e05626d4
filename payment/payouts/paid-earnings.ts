import type { SqlSession } from '#platform/sql/sql.js';
import type { Currency } from '../money/currency.js';

/**
 * Part of what a seller has earned: of the running total of all postings but those of payouts, from `above`
 * on to `upTo`, in minor units.
 */
export interface Earnings {
  readonly above: bigint;
  readonly upTo: bigint;
}

/** A payout and its postings on the account of the seller, by their sequence on it. */
export interface PayoutOnAccount {
  readonly payoutId: string;
  readonly amountMinor: bigint;
  readonly accountNo: bigint;
  readonly sent: bigint;
  readonly paid: bigint | undefined;
  /** It failed and its reservation was cancelled. */
  readonly failed: bigint | undefined;
  /** It was paid and came back. */
  readonly returned: bigint | undefined;
}

/** All payouts to a seller in a currency, in the order in which they reserved their money. */
export async function payoutsOnAccount(
  session: SqlSession,
  seller: string,
  currency: Currency,
): Promise<readonly PayoutOnAccount[]> {
  const resolution = (operation: string, side: 'debit' | 'credit') => `(
    SELECT t.${side}_sequence FROM ledger_transfer t
    WHERE t.subject = p.payout_id AND t.operation = '${operation}' AND t.leg = 0) AS ${operation}`;
  const { rows } = await session.query<{
    readonly payout_id: string;
    readonly amount_minor: bigint;
    readonly account_no: bigint;
    readonly sent: bigint;
    readonly paid: bigint | null;
    readonly failed: bigint | null;
    readonly returned: bigint | null;
  }>(
    `SELECT p.payout_id, p.amount_minor, s.debit_account AS account_no, s.debit_sequence AS sent,
       ${resolution('paid', 'debit')}, ${resolution('failed', 'debit')}, ${resolution('returned', 'credit')}
     FROM payout p CROSS JOIN LATERAL (SELECT * FROM ledger_transfer t
       WHERE t.subject = p.payout_id AND t.operation = 'send' AND t.leg = 0 OFFSET 0) s
     WHERE p.seller_account = $1 AND p.currency = $2 ORDER BY s.debit_sequence`,
    [seller, currency],
  );
  return rows.map((row) => ({
    payoutId: row.payout_id,
    amountMinor: row.amount_minor,
    accountNo: row.account_no,
    sent: row.sent,
    paid: row.paid ?? undefined,
    failed: row.failed ?? undefined,
    returned: row.returned ?? undefined,
  }));
}

/**
 * The running total after the posting `sequence`, which left `balanceMinor` owed to the seller: what payouts
 * took is added again, what came back is not counted twice.
 */
export const earnedMinor = (
  payouts: readonly PayoutOnAccount[],
  { sequence, balanceMinor }: { readonly sequence: bigint; readonly balanceMinor: bigint },
): bigint =>
  payouts.reduce((total, { amountMinor, paid, returned }) => {
    const has = (posting: bigint | undefined) => posting !== undefined && posting <= sequence;
    return total + (has(paid) ? amountMinor : 0n) - (has(returned) ? amountMinor : 0n);
  }, balanceMinor);

/**
 * What each payout took, by its id: the first earnings that no other payout holds. What a payout takes is
 * free again when it fails or comes back, for the next one.
 *
 * ```text
 * earned   0 ──── A 10 ──── B 20 ── C 30
 * payouts  └ 1: 15 ────┘└ 2: 15 ──────┘    B is in both
 * ```
 */
export function earningsOf(payouts: readonly PayoutOnAccount[]): ReadonlyMap<string, readonly Earnings[]> {
  const taken = new Map<string, readonly Earnings[]>();
  const held = new Map<string, readonly Earnings[]>();
  const moments = payouts
    .flatMap((payout) => [
      { payout, at: payout.sent, takes: true },
      ...[payout.failed, payout.returned].flatMap((at) =>
        at === undefined ? [] : [{ payout, at, takes: false }],
      ),
    ])
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));
  for (const { payout, takes } of moments) {
    const { payoutId, amountMinor } = payout;
    if (!takes) {
      held.delete(payoutId);
      continue;
    }
    const parts = firstFree([...held.values()].flat(), amountMinor);
    taken.set(payoutId, parts);
    held.set(payoutId, parts);
  }
  return taken;
}

function firstFree(held: readonly Earnings[], amountMinor: bigint): readonly Earnings[] {
  const parts: Earnings[] = [];
  let above = 0n;
  let left = amountMinor;
  for (const next of held.toSorted((a, b) => (a.above < b.above ? -1 : 1))) {
    const upTo = next.above < above + left ? next.above : above + left;
    if (upTo > above) parts.push({ above, upTo });
    if (upTo > above) left -= upTo - above;
    if (left === 0n) return parts;
    above = next.upTo;
  }
  return [...parts, { above, upTo: above + left }];
}

/** A posting on the account of a seller that is of no payout, from the seller's side. */
export interface EarningPosting {
  readonly sequence: bigint;
  readonly subject: string;
  readonly operation: string;
  readonly amountMinor: bigint;
  readonly balanceMinor: bigint;
}

/** By how much one operation moved the running total: a capture less its fee. */
export interface EarningMove {
  readonly subject: string;
  /** Of its last posting. */
  readonly sequence: bigint;
  readonly from: bigint;
  readonly to: bigint;
}

/** The postings of one operation follow each other: they are legs of one transfer. In any order. */
export function earningMoves(
  payouts: readonly PayoutOnAccount[],
  postings: readonly EarningPosting[],
): readonly EarningMove[] {
  const moves = new Map<string, EarningMove>();
  for (const posting of postings.toSorted((a, b) => (a.sequence < b.sequence ? -1 : 1))) {
    const { subject, operation, sequence, amountMinor } = posting;
    const key = JSON.stringify([subject, operation]);
    const to = earnedMinor(payouts, posting);
    moves.set(key, { subject, sequence, from: moves.get(key)?.from ?? to - amountMinor, to });
  }
  return [...moves.values()];
}

/** Whether what led the running total from one value to another, up or down, moved these earnings. */
export function isPartOf(parts: readonly Earnings[], from: bigint, to: bigint): boolean {
  const [low, high] = from < to ? [from, to] : [to, from];
  return low < high && parts.some(({ above, upTo }) => low < upTo && high > above);
}
