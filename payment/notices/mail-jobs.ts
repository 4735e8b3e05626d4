import type { SqlSession } from '#platform/sql/sql.js';
import type { PaymentNotice } from '#schemas/messages.js';

/** Writes the job to mail the buyer, once for each notice; false when it is there already. */
export async function addMailJob(tx: SqlSession, notice: PaymentNotice): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO payment_mail_jobs (event_id, payment_order_id, caller, subject, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (event_id) DO NOTHING`,
    [notice.eventId, notice.paymentOrderId, notice.caller, notice.detail, new Date(notice.occurredMs)],
  );
  return rowCount === 1;
}
