import type { Sql } from '#platform/sql/sql.js';

/** The work that the background jobs of a process would find now. */
export interface PendingWork {
  readonly due: boolean;
  readonly messages: boolean;
  readonly stays: boolean;
  readonly holds: boolean;
  readonly wallets: boolean;
  /**
   * When the next order, refund, hold or supplement becomes due, in Unix milliseconds; infinite when nothing
   * is open.
   */
  readonly nextMs: number;
}

/**
 * One statement instead of a poll by every loop of a process, so that an idle city costs almost nothing. The
 * product's own statements then find the work.
 */
export async function pendingWork(sql: Sql, nowMs: number): Promise<PendingWork> {
  const { rows } = await sql.query<
    Omit<PendingWork, 'due' | 'holds' | 'nextMs'> & Record<'work' | 'hold', Date>
  >(
    `SELECT least((SELECT min(next_attempt_at) FROM payment_orders WHERE next_attempt_at IS NOT NULL),
         (SELECT min(next_attempt_at) FROM payment_refunds WHERE next_attempt_at IS NOT NULL)) AS work,
       least((SELECT min(hold_expires_at) FROM reservation WHERE status = 'pending_payment'),
         (SELECT min(supplement_expires_at) FROM reservation WHERE supplement_minor > 0)) AS hold,
       EXISTS (SELECT FROM payment_outbox WHERE sent_at IS NULL) AS messages,
       EXISTS (SELECT FROM hotel_outbox) AS stays,
       EXISTS (SELECT FROM ledger_trial_balance h LEFT JOIN wallet w USING (account_no)
         WHERE h.id LIKE 'seller:%' AND h.sequence > coalesce(w.sequence, 0)) AS wallets`,
  );
  const { work, hold, ...waiting } = rows[0]!;
  const workMs = work?.getTime() ?? Number.POSITIVE_INFINITY;
  const holdMs = hold?.getTime() ?? Number.POSITIVE_INFINITY;
  return {
    ...waiting,
    due: workMs <= nowMs,
    holds: holdMs <= nowMs,
    nextMs: Math.min(workMs, holdMs),
  };
}
