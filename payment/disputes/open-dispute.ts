import type { SqlSession, SqlTransaction } from '#platform/sql/sql.js';
import { type SellersSeen, sellersOrNull } from '../sellers/sellers-seen.js';

export type NotAnswerable =
  /** It does not exist, or it is about the payment of another seller. */
  | 'not found'
  /** It is won or lost. */
  | 'closed'
  | 'deadline passed';

export interface OpenDispute {
  readonly id: string;
  readonly paymentOrderId: string;
}

/**
 * Locks a dispute that can be answered until the transaction ends. Between the deadline and the next message
 * of the provider nothing can be added.
 */
export async function lockOpenDispute(
  tx: SqlTransaction,
  { disputeId, sellers, now }: { disputeId: string; sellers: SellersSeen; now: Date },
): Promise<OpenDispute | NotAnswerable> {
  const { rows } = await tx.query<{
    readonly payment_order_id: string;
    readonly dispute_status: string;
    readonly evidence_due_at: Date | null;
  }>(
    `SELECT d.payment_order_id, d.dispute_status, d.evidence_due_at
     FROM payment_disputes d JOIN payment_orders o USING (payment_order_id)
     WHERE d.dispute_id = $1 AND ($2::text[] IS NULL OR o.seller_account = ANY ($2::text[])) FOR UPDATE OF d`,
    [disputeId, sellersOrNull(sellers)],
  );
  const [row] = rows;
  if (row === undefined) return 'not found';
  if (row.dispute_status !== 'OPENED') return 'closed';
  if (row.evidence_due_at !== null && row.evidence_due_at <= now) return 'deadline passed';
  return { id: disputeId, paymentOrderId: row.payment_order_id };
}

/** Whether an answer is on its way or was received; a refused one may be followed by another. */
export async function isAnswered(session: SqlSession, disputeId: string): Promise<boolean> {
  const { rows } = await session.query(
    `SELECT 1 FROM dispute_answer WHERE dispute_id = $1 AND state <> 'refused'`,
    [disputeId],
  );
  return rows.length > 0;
}
