import { type Sql, type SqlSession, sqlState } from '#platform/sql/sql.js';
import { type Currency, parseCurrency } from '../money/currency.js';
import { type RecordedReview, type ReviewColumns, recordedReview } from '../second-person/recorded-review.js';
import { type SellersSeen, sellersOrNull } from '../sellers/sellers-seen.js';
import type { FeeTerms } from './application-fee.js';

/** `replaced`: other terms of the seller were approved. */
export type FeeState = 'awaiting_second' | 'active' | 'denied' | 'replaced';

export interface SellerFee extends FeeTerms {
  readonly feeNo: bigint;
  readonly sellerAccount: string;
  readonly currency: Currency;
  readonly state: FeeState;
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly reason: string;
  readonly review: RecordedReview | undefined;
}

interface By {
  readonly who: string;
  readonly reason: string;
  readonly now: Date;
}

/** A first person asks for the terms. `one is waiting`: others of the seller wait for a second person. */
export async function requestFee(
  sql: Sql,
  terms: Pick<SellerFee, 'sellerAccount' | 'currency' | 'basisPoints' | 'fixedMinor'>,
  { who, reason, now }: By,
): Promise<SellerFee | 'one is waiting'> {
  try {
    const { rows } = await sql.query<{ readonly fee_no: bigint }>(
      `INSERT INTO seller_fee
         (seller_account, currency, basis_points, fixed_minor, requested_by, reason, requested_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING fee_no`,
      [terms.sellerAccount, terms.currency, terms.basisPoints, terms.fixedMinor, who, reason, now],
    );
    return (await findFee(sql, rows[0]!.fee_no))!;
  } catch (error) {
    if (sqlState(error) === '23505') return 'one is waiting';
    throw error;
  }
}

export type FeeDecided =
  | { readonly kind: 'decided'; readonly fee: SellerFee }
  | { readonly kind: 'not_found' | 'not_waiting' | 'same_person' };

/** The second person decides. Approved terms are those of payments that are submitted afterwards. */
export async function reviewFee(
  sql: Sql,
  review: By & { readonly feeNo: bigint; readonly decision: 'approve' | 'deny' },
): Promise<FeeDecided> {
  const { feeNo, decision, who, reason, now } = review;
  return sql.transaction(async (tx) => {
    const fee = await findFee(tx, feeNo, 'FOR UPDATE');
    if (fee === undefined) return { kind: 'not_found' };
    if (fee.state !== 'awaiting_second') return { kind: 'not_waiting' };
    if (fee.requestedBy === who) return { kind: 'same_person' };
    if (decision === 'approve')
      await tx.query(
        `UPDATE seller_fee SET state = 'replaced'
         WHERE seller_account = $1 AND currency = $2 AND state = 'active'`,
        [fee.sellerAccount, fee.currency],
      );
    await tx.query(
      `UPDATE seller_fee SET state = $2, reviewed_by = $3, reviewed_at = $4, review_reason = $5
       WHERE fee_no = $1`,
      [feeNo, decision === 'approve' ? 'active' : 'denied', who, now, reason],
    );
    return { kind: 'decided', fee: (await findFee(tx, feeNo))! };
  });
}

async function findFee(
  session: SqlSession,
  feeNo: bigint,
  lock: 'FOR UPDATE' | '' = '',
): Promise<SellerFee | undefined> {
  const { rows } = await session.query<Row>(`SELECT * FROM seller_fee WHERE fee_no = $1 ${lock}`, [feeNo]);
  return rows[0] === undefined ? undefined : feeOfRow(rows[0]);
}

/** In the order of their numbers, those after `after`; of these sellers where they are given. */
export async function listFees(
  session: SqlSession,
  query: {
    readonly sellers: SellersSeen;
    readonly state?: FeeState;
    readonly after: bigint;
    readonly limit: number;
  },
): Promise<readonly SellerFee[]> {
  const { sellers, state, after, limit } = query;
  const { rows } = await session.query<Row>(
    `SELECT * FROM seller_fee WHERE fee_no > $1 AND ($2::text[] IS NULL OR seller_account = ANY ($2::text[]))
       AND ($3::text IS NULL OR state = $3) ORDER BY fee_no LIMIT $4`,
    [after, sellersOrNull(sellers), state ?? null, limit],
  );
  return rows.map(feeOfRow);
}

interface Row extends Readonly<Record<string, unknown>>, ReviewColumns {
  readonly fee_no: bigint;
  readonly seller_account: string;
  readonly currency: string;
  readonly basis_points: number;
  readonly fixed_minor: bigint;
  readonly state: FeeState;
  readonly requested_by: string;
  readonly requested_at: Date;
  readonly reason: string;
}

const feeOfRow = (row: Row): SellerFee => ({
  feeNo: row.fee_no,
  sellerAccount: row.seller_account,
  currency: parseCurrency(row.currency)!,
  basisPoints: row.basis_points,
  fixedMinor: row.fixed_minor,
  state: row.state,
  requestedBy: row.requested_by,
  requestedAt: row.requested_at,
  reason: row.reason,
  review: recordedReview(row),
});
