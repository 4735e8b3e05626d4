import type { SqlSession } from '#platform/sql/sql.js';
import { accountOf, sellerAccount } from '../ledger/accounts.js';
import type { Transfer } from '../ledger/transfer.js';
import { type Currency, parseCurrency } from '../money/currency.js';
import type { Money } from '../money/money.js';
import { type RecordedReview, type ReviewColumns, recordedReview } from '../second-person/recorded-review.js';

/**
 * ```text
 * awaiting_second → created ⇄ sending → processing ⇄ unknown → paid → returned
 *        └───────────────────────┴──────────┴──────────┴────→ failed
 * ```
 * A requested payout waits for a second person; the monthly run begins at `created`. `unknown` and `sending`
 * go back to `created` only when the provider answers that it does not know the payout.
 */
export type PayoutState =
  | 'awaiting_second'
  | 'created'
  | 'sending'
  | 'processing'
  | 'unknown'
  | 'paid'
  | 'failed'
  | 'returned';

export interface Payout {
  readonly payoutId: string;
  readonly sellerAccount: string;
  readonly amount: Money;
  readonly period: string;
  readonly state: PayoutState;
  readonly providerReference: string | undefined;
  readonly failure: string | undefined;
  readonly attempts: number;
  readonly requestedBy: string;
  /** The reason of the request. */
  readonly reason: string;
  /** The second person's decision. */
  readonly review: RecordedReview | undefined;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

interface Row extends Readonly<Record<string, unknown>>, ReviewColumns {
  readonly payout_id: string;
  readonly seller_account: string;
  readonly currency: string;
  readonly amount_minor: bigint;
  readonly period: string;
  readonly state: PayoutState;
  readonly provider_reference: string | null;
  readonly failure: string | null;
  readonly attempts: number;
  readonly requested_by: string;
  readonly reason: string;
  readonly created_at: Date;
  readonly changed_at: Date;
}

export async function payoutOf(session: SqlSession, payoutId: string): Promise<Payout | undefined> {
  const { rows } = await session.query<Row>('SELECT * FROM payout WHERE payout_id = $1', [payoutId]);
  return rows[0] === undefined ? undefined : payoutOfRow(rows[0]);
}

/** In the order of their ids, those after `after`; of one state where one is given. */
export async function listPayouts(
  session: SqlSession,
  {
    after = '',
    limit,
    state,
  }: { readonly after?: string; readonly limit: number; readonly state?: PayoutState },
): Promise<readonly Payout[]> {
  const { rows } = await session.query<Row>(
    `SELECT * FROM payout WHERE payout_id > $1 AND ($3::text IS NULL OR state = $3)
     ORDER BY payout_id LIMIT $2`,
    [after, limit, state ?? null],
  );
  return rows.map(payoutOfRow);
}

/** In the order in which they were created. */
export async function payoutsById(session: SqlSession, ids: readonly string[]): Promise<readonly Payout[]> {
  const { rows } = await session.query<Row>(
    'SELECT * FROM payout WHERE payout_id = ANY ($1::text[]) ORDER BY created_at, payout_id',
    [ids],
  );
  return rows.map(payoutOfRow);
}

/** Locks the payout until the transaction ends. */
export async function lockPayout(tx: SqlSession, payoutId: string): Promise<Payout | undefined> {
  const { rows } = await tx.query<Row>('SELECT * FROM payout WHERE payout_id = $1 FOR UPDATE', [payoutId]);
  return rows[0] === undefined ? undefined : payoutOfRow(rows[0]);
}

type PayoutMoney = Pick<Payout, 'payoutId' | 'sellerAccount' | 'amount'>;

/**
 * The money belongs to the seller until the provider has paid; the reservation prevents spending it twice.
 */
export function reservationOf(payout: PayoutMoney): Transfer {
  return { ...transferOf(payout, 'send'), phase: 'pending' };
}

export function paymentOf(payout: PayoutMoney): Transfer {
  return { ...transferOf(payout, 'paid'), phase: 'post', resolves: 'send' };
}

/** The reversing entry of a pay-out that failed. */
export function releaseOf(payout: PayoutMoney): Transfer {
  return { ...transferOf(payout, 'failed'), phase: 'void', resolves: 'send' };
}

/** The counter-entry of a pay-out that came back. */
export function returnOf(payout: PayoutMoney): Transfer {
  const { currency } = payout.amount;
  const legs = [
    {
      debit: accountOf('cash-bank', currency),
      credit: sellerAccount(payout.sellerAccount, currency),
      amount: payout.amount,
    },
  ];
  return { ...transferOf(payout, 'returned'), legs };
}

function transferOf({ payoutId, sellerAccount: seller, amount }: PayoutMoney, operation: string): Transfer {
  const { currency } = amount;
  const leg = {
    debit: sellerAccount(seller, currency),
    credit: accountOf('cash-bank', currency),
    amount,
    needsFunds: true,
  };
  return { subject: payoutId, operation, kind: 'payout', legs: [leg] };
}

function payoutOfRow(row: Row): Payout {
  const currency = parseCurrency(row.currency) as Currency;
  return {
    payoutId: row.payout_id,
    sellerAccount: row.seller_account,
    amount: { minor: row.amount_minor, currency },
    period: row.period,
    state: row.state,
    providerReference: row.provider_reference ?? undefined,
    failure: row.failure ?? undefined,
    attempts: row.attempts,
    requestedBy: row.requested_by,
    reason: row.reason,
    review: recordedReview(row),
    createdAt: row.created_at,
    changedAt: row.changed_at,
  };
}
