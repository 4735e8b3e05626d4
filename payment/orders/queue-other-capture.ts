import type { SqlSession } from '#platform/sql/sql.js';
import { parseCurrency } from '../money/currency.js';
import type { Order } from './order.js';

/** The class in `reconciliation/finding.ts`: its cause is known. */
const known = 2;

/**
 * The provider captured another amount than was asked, or another currency: a person sees it in the finance
 * queue, once for each order. An amount is refunded by itself; money in another currency is not on our books,
 * so the provider must return it.
 */
export async function queueOtherCapture(
  tx: SqlSession,
  order: Pick<Order, 'id' | 'sellerAccount' | 'currency' | 'amountMinor'>,
  captured: { readonly capturedMinor: bigint; readonly currency: string },
  now: Date,
): Promise<void> {
  const currency = parseCurrency(captured.currency) ?? order.currency;
  await tx.query(
    `INSERT INTO reconciliation_finding (kind, class, payment_order_id, operation, seller_account, currency,
       psp_minor, our_minor, our_currency, found_at, changed_at)
     VALUES ('capture_differs', $1, $2, 'capture:other', $3, $4, $5, $6, $7, $8, $8) ON CONFLICT DO NOTHING`,
    [
      known,
      order.id,
      order.sellerAccount,
      currency,
      captured.capturedMinor,
      order.amountMinor,
      currency === order.currency ? null : order.currency,
      now,
    ],
  );
}
