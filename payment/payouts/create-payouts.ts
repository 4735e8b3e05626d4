import { createHash } from 'node:crypto';
import type { Sql, SqlSession, SqlTransaction } from '#platform/sql/sql.js';
import { sellerAccount } from '../ledger/accounts.js';
import { post } from '../ledger/ledger.js';
import type { Currency } from '../money/currency.js';
import type { Money } from '../money/money.js';
import { payoutLimits } from './limits.js';
import { type Payout, payoutOf, reservationOf } from './payout.js';

export type CreatedPayout =
  | { readonly kind: 'created' | 'existing'; readonly payout: Payout }
  /** The same id with another seller or amount, or the id of something else in the ledger. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'insufficient' };

interface Wanted {
  readonly payoutId: string;
  readonly sellerAccount: string;
  readonly amount: Money;
  readonly period: string;
}

/**
 * Stores one payout that a staff member requests and reserves the money; a second person decides whether it
 * is sent. The same id again returns the existing payout.
 */
export async function createPayout(
  tx: SqlTransaction,
  wanted: Omit<Wanted, 'period'> & {
    readonly requestedBy: string;
    readonly reason: string;
    readonly now: Date;
  },
): Promise<CreatedPayout> {
  const { payoutId, sellerAccount: seller, amount, now } = wanted;
  // No month has this name; otherwise the run of that month would count this payout as its own.
  const period = `asked:${payoutId}`;
  const inserted = await insertPayouts(tx, [{ ...wanted, period }], { ...wanted, needsSecond: true });
  const payout = await payoutOf(tx, payoutId);
  if (inserted.length === 0 || payout === undefined) {
    const same =
      payout?.sellerAccount === seller &&
      payout.amount.minor === amount.minor &&
      payout.amount.currency === amount.currency;
    return same ? { kind: 'existing', payout } : { kind: 'conflict' };
  }
  const outcome = await post(tx, [reservationOf(payout)], { at: now });
  if (outcome.kind === 'posted' && outcome.transfers[0] === 'posted') return { kind: 'created', payout };
  await tx.query('DELETE FROM payout WHERE payout_id = $1', [payoutId]);
  const overdrawn = outcome.kind === 'refused' && outcome.refusals[0]?.reason === 'overdrawn';
  return { kind: overdrawn ? 'insufficient' : 'conflict' };
}

/**
 * The monthly run: one payout of the full available amount for every seller with at least `minimum` and
 * without a schedule. If it
 * runs twice, or is killed half-way and runs again, each seller has one payout for the period. Returns the
 * number of payouts that this call created.
 */
export async function createPayoutsOfPeriod(
  sql: Sql,
  run: { readonly period: string; readonly minimum: Money; readonly requestedBy: string; readonly now: Date },
): Promise<number> {
  let created = 0;
  for (let after = ''; ; ) {
    const page = await sql.transaction((tx) => createPage(tx, run, after));
    created += page.created;
    if (page.last === undefined) return created;
    after = page.last;
  }
}

async function createPage(
  tx: SqlTransaction,
  run: Parameters<typeof createPayoutsOfPeriod>[1],
  after: string,
): Promise<{ readonly created: number; readonly last: string | undefined }> {
  const { currency } = run.minimum;
  const { rows } = await tx.query<{ id: string; seller: string; available: bigint }>(
    `SELECT h.id, substr(h.id, 8, length(h.id) - 11) AS seller, -h.balance - h.pending_debit AS available
     FROM ledger_trial_balance h
     WHERE h.id LIKE 'seller:%' AND h.currency = $1 AND h.id COLLATE "C" > $2 AND -h.balance - h.pending_debit >= $3
       AND NOT EXISTS (SELECT FROM payout p WHERE p.seller_account = substr(h.id, 8, length(h.id) - 11)
         AND p.currency = h.currency AND p.period = $4)
       AND NOT EXISTS (SELECT FROM payout_schedule s WHERE s.seller_account = substr(h.id, 8, length(h.id) - 11)
         AND s.currency = h.currency AND s.state = 'active')
     ORDER BY h.id COLLATE "C" LIMIT $5`,
    [
      currency,
      after,
      run.minimum.minor > 0n ? run.minimum.minor : 1n,
      run.period,
      payoutLimits.createdAtOnceMax,
    ],
  );
  const wanted = rows.map(
    ({ seller, available }): Wanted => ({
      payoutId: payoutIdOf(run.period, seller, currency),
      sellerAccount: seller,
      amount: { minor: available, currency },
      period: run.period,
    }),
  );
  const inserted = new Set(await insertPayouts(tx, wanted, { ...run, reason: '', needsSecond: false }));
  let open = wanted.filter(({ payoutId }) => inserted.has(payoutId));
  // A refund may have been posted since we read. Sellers with less now are left to the next run of the same
  // period.
  while (open.length > 0) {
    const outcome = await post(tx, open.map(reservationOf), { at: run.now });
    if (outcome.kind === 'posted') break;
    const refused = new Set(outcome.refusals.map(({ subject }) => subject));
    await tx.query('DELETE FROM payout WHERE payout_id = ANY ($1)', [[...refused]]);
    open = open.filter(({ payoutId }) => !refused.has(payoutId));
  }
  return {
    created: open.length,
    last: rows.length < payoutLimits.createdAtOnceMax ? undefined : rows.at(-1)!.id,
  };
}

/** Those that are new, by their ids. */
export async function insertPayouts(
  tx: SqlSession,
  wanted: readonly Wanted[],
  request: {
    readonly requestedBy: string;
    readonly reason: string;
    readonly now: Date;
    readonly needsSecond: boolean;
  },
): Promise<readonly string[]> {
  const { requestedBy, reason, now, needsSecond } = request;
  const { rows } = await tx.query<{ payout_id: string }>(
    `INSERT INTO payout (payout_id, seller_account, currency, amount_minor, period, requested_by,
       created_at, changed_at, reason, needs_second, state, next_attempt_at)
     SELECT u.*, $6, $7, $7, $8, $9, CASE WHEN $9 THEN 'awaiting_second' ELSE 'created' END,
       CASE WHEN NOT $9 THEN $7::timestamptz END
     FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[]) u
     ON CONFLICT DO NOTHING RETURNING payout_id`,
    [
      wanted.map(({ payoutId }) => payoutId),
      wanted.map(({ sellerAccount: seller }) => seller),
      wanted.map(({ amount }) => amount.currency),
      wanted.map(({ amount }) => amount.minor),
      wanted.map(({ period }) => period),
      requestedBy,
      now,
      reason,
      needsSecond,
    ],
  );
  return rows.map(({ payout_id }) => payout_id);
}

/**
 * Derived from the run, so that the provider recognises a payout that we repeat after a loss of our database.
 */
export function payoutIdOf(period: string, seller: string, currency: Currency): string {
  const digest = createHash('sha256')
    .update(`${period}\n${sellerAccount(seller, currency)}`)
    .digest('hex');
  return `payout-${period}-${digest.slice(0, 32)}`;
}
