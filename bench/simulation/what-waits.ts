import type { Sql } from '#platform/sql/sql.js';

/** The work that the background of a process would find now. */
export interface Waiting {
  readonly due: boolean;
  readonly messages: boolean;
  readonly stays: boolean;
  readonly holds: boolean;
  readonly wallets: boolean;
  /** When the next order, refund or hold becomes due, in Unix milliseconds; infinite when nothing is open. */
  readonly nextMs: number;
}

/**
 * One statement in place of a poll by every loop of a process: an idle city costs next to nothing, and
 * pending work is found by the product's own statements or not at all.
 */
export async function whatWaits(sql: Sql, nowMs: number): Promise<Waiting> {
  const { rows } = await sql.query<Omit<Waiting, 'due' | 'holds' | 'nextMs'> & Record<'work' | 'hold', Date>>(
    `SELECT least((SELECT min(next_attempt_at) FROM payment_orders WHERE next_attempt_at IS NOT NULL),
         (SELECT min(next_attempt_at) FROM payment_refunds WHERE next_attempt_at IS NOT NULL)) AS work,
       (SELECT min(hold_expires_at) FROM reservation WHERE status = 'pending_payment') AS hold,
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
