import type { SqlSession } from '#platform/sql/sql.js';
import type { Order } from '../orders/order.js';
import { findingClasses } from './finding.js';

/**
 * A failed refund waits in the finance queue until a person resolves it, once however often it is refused. No
 * file shows it and no money moved, so no entry is proposed.
 */
export async function queueRefusedRefund(
  tx: SqlSession,
  order: Pick<Order, 'id' | 'sellerAccount' | 'currency'>,
  { refundId, amountMinor }: { readonly refundId: string; readonly amountMinor: bigint },
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO reconciliation_finding (kind, class, payment_order_id, operation, seller_account, currency,
       our_minor, found_at, changed_at)
     VALUES ('refund_refused', $1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT DO NOTHING`,
    [
      findingClasses.refund_refused,
      order.id,
      `refund:${refundId}`,
      order.sellerAccount,
      order.currency,
      amountMinor,
      now,
    ],
  );
}
