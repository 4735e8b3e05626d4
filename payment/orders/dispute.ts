import type { SqlSession } from '#platform/sql/sql.js';
import type { PspDispute } from '../psp/psp-event.js';
import { isForeign } from './apply-payment.js';
import { type ChangeContext, changeOrder } from './change-order.js';
import { type Order, readOrder } from './order.js';

export interface Dispute {
  readonly id: string;
  readonly amountMinor: bigint;
  readonly status: 'OPENED' | 'WON' | 'LOST';
  readonly openedMs: number;
  readonly closedMs: number | undefined;
  /** Until when it can be answered, if the provider says so. */
  readonly dueMs: number | undefined;
}

export async function readDisputes(session: SqlSession, paymentOrderId: string): Promise<readonly Dispute[]> {
  const { rows } = await session.query<{
    readonly dispute_id: string;
    readonly amount_minor: bigint;
    readonly dispute_status: Dispute['status'];
    readonly opened_at: Date;
    readonly closed_at: Date | null;
    readonly evidence_due_at: Date | null;
  }>('SELECT * FROM payment_disputes WHERE payment_order_id = $1 ORDER BY opened_at, dispute_id', [
    paymentOrderId,
  ]);
  return rows.map((row) => ({
    id: row.dispute_id,
    amountMinor: row.amount_minor,
    status: row.dispute_status,
    openedMs: row.opened_at.getTime(),
    closedMs: row.closed_at?.getTime(),
    dueMs: row.evidence_due_at?.getTime(),
  }));
}

/** The event is about a charge that is not known yet: nothing is done, and it must be delivered again. */
export class CameTooEarly extends Error {
  override readonly name = 'CameTooEarly';
}

/**
 * The buyer's bank takes the money back for a while (`opened`), and then for good (`lost`) or not (`won`).
 * Events may arrive in any order: an end that arrives first also opens the dispute, and an opening that
 * arrives later is stale. A dispute ends with the amount with which it was opened, whatever its end states;
 * otherwise the rest would stay disputed for ever. Throws `CameTooEarly` before the charge is known.
 */
export async function applyDispute(
  tx: SqlSession,
  { id, nonce, status, amountMinor, currency, dueMs, saidMs, reason }: PspDispute,
  provider: string,
  context: ChangeContext,
): Promise<string> {
  let order: Order | undefined = await readOrder(tx, nonce, 'for update');
  if (order === undefined) return 'unknown order';
  if (isForeign(order, provider)) return 'another provider';
  if (order.capturedMinor === 0n) throw new CameTooEarly(`The charge of ${order.id} is not recorded yet.`);
  if (currency !== order.currency || amountMinor > order.capturedMinor) return 'impossible';
  const at = new Date(context.nowMs);
  const due = dueMs === undefined ? null : new Date(dueMs);
  const saidAt = saidMs === undefined ? null : new Date(saidMs);
  const { rowCount: opened } = await tx.query(
    `INSERT INTO payment_disputes (dispute_id, payment_order_id, amount_minor, currency, dispute_status, opened_at,
       evidence_due_at, evidence_due_said_at, reason)
     VALUES ($1, $2, $3, $4, 'OPENED', $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
    [id, order.id, amountMinor, order.currency, at, due, saidAt, reason ?? null],
  );
  if (opened === 1) {
    order = await changeOrder(
      tx,
      order,
      { set: {}, cause: 'dispute_opened', event: { kind: 'disputeOpened', amountMinor, subjectId: id } },
      context,
    );
  }
  if (order === undefined) return 'stale';
  if (status === 'opened')
    return opened === 1 || (await changeDeadline(tx, order.id, id, due, saidAt)) ? 'applied' : 'stale';
  const { rows } = await tx.query<{ readonly amount_minor: bigint }>(
    `UPDATE payment_disputes SET dispute_status = $2, closed_at = $3
     WHERE dispute_id = $1 AND dispute_status = 'OPENED' AND payment_order_id = $4 RETURNING amount_minor`,
    [id, status.toUpperCase(), at, order.id],
  );
  const [closed] = rows;
  if (closed === undefined) return 'stale';
  const kind = status === 'won' ? 'disputeWon' : 'disputeLost';
  const event = { kind, amountMinor: closed.amount_minor, subjectId: id } as const;
  await changeOrder(tx, order, { set: {}, cause: `dispute_${status}`, event }, context);
  return 'applied';
}

/**
 * Providers move deadlines; what they said last is true, whatever arrives last. A deadline that was missed
 * and moved ahead can be missed again.
 */
async function changeDeadline(
  tx: SqlSession,
  orderId: string,
  id: string,
  due: Date | null,
  saidAt: Date | null,
): Promise<boolean> {
  if (due === null) return false;
  const { rowCount } = await tx.query(
    `UPDATE payment_disputes SET evidence_due_at = $3,
       evidence_due_said_at = coalesce($4::timestamptz, evidence_due_said_at),
       missed_at = CASE WHEN $3 > evidence_due_at THEN NULL ELSE missed_at END
     WHERE dispute_id = $1 AND payment_order_id = $2 AND dispute_status = 'OPENED'
       AND coalesce($4::timestamptz >= evidence_due_said_at, true)
       AND (evidence_due_at IS DISTINCT FROM $3 OR $4::timestamptz > evidence_due_said_at)`,
    [id, orderId, due, saidAt],
  );
  return rowCount === 1;
}
