import type { SqlSession } from '#platform/sql/sql.js';
import { type ChangeContext, changeOrder } from './change-order.js';
import { type Order, readOrder } from './order.js';

export interface Dispute {
  readonly id: string;
  readonly amountMinor: bigint;
  readonly status: 'OPENED' | 'WON' | 'LOST';
  readonly openedMs: number;
  readonly closedMs: number | undefined;
}

export async function readDisputes(session: SqlSession, paymentOrderId: string): Promise<readonly Dispute[]> {
  const { rows } = await session.query<{
    readonly dispute_id: string;
    readonly amount_minor: bigint;
    readonly dispute_status: Dispute['status'];
    readonly opened_at: Date;
    readonly closed_at: Date | null;
  }>('SELECT * FROM payment_disputes WHERE payment_order_id = $1 ORDER BY opened_at, dispute_id', [
    paymentOrderId,
  ]);
  return rows.map((row) => ({
    id: row.dispute_id,
    amountMinor: row.amount_minor,
    status: row.dispute_status,
    openedMs: row.opened_at.getTime(),
    closedMs: row.closed_at?.getTime(),
  }));
}

/**
 * The buyer's bank takes the money back for a while (`opened`), and then for good (`lost`) or not (`won`). News may come in any order: an
 * end that comes first opens the dispute as well, and an opening that comes later is old.
 */
export async function applyDispute(
  tx: SqlSession,
  news: string,
  data: Readonly<Record<string, unknown>>,
  context: ChangeContext,
): Promise<string> {
  const { dispute_id: id, payment_nonce: nonce, amount_minor: amount, currency } = data;
  if (news !== 'opened' && news !== 'won' && news !== 'lost') return 'of no interest';
  if (typeof id !== 'string' || !/^[\w.:-]{1,64}$/.test(id) || typeof nonce !== 'string') return 'unreadable';
  if (typeof amount !== 'string' || !/^[1-9]\d{0,17}$/.test(amount)) return 'unreadable';
  const amountMinor = BigInt(amount);
  let order: Order | undefined = await readOrder(tx, nonce, 'for update');
  if (order === undefined) return 'unknown order';
  if (currency !== order.currency || amountMinor > order.capturedMinor) return 'impossible';
  const at = new Date(context.nowMs);
  const { rowCount: opened } = await tx.query(
    `INSERT INTO payment_disputes (dispute_id, payment_order_id, amount_minor, currency, dispute_status, opened_at)
     VALUES ($1, $2, $3, $4, 'OPENED', $5) ON CONFLICT DO NOTHING`,
    [id, order.id, amountMinor, order.currency, at],
  );
  const told = { amountMinor, subjectId: id };
  if (opened === 1) {
    order = await changeOrder(
      tx,
      order,
      { set: {}, cause: 'dispute_opened', tell: { kind: 'disputeOpened', ...told } },
      context,
    );
  }
  if (news === 'opened' || order === undefined) return opened === 1 ? 'applied' : 'stale';
  const { rowCount: closed } = await tx.query(
    `UPDATE payment_disputes SET dispute_status = $2, closed_at = $3
     WHERE dispute_id = $1 AND dispute_status = 'OPENED' AND payment_order_id = $4`,
    [id, news.toUpperCase(), at, order.id],
  );
  if (closed === 0) return 'stale';
  const kind = news === 'won' ? 'disputeWon' : 'disputeLost';
  await changeOrder(tx, order, { set: {}, cause: `dispute_${news}`, tell: { kind, ...told } }, context);
  return 'applied';
}
