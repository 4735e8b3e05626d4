import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import type { ReceiptFailure } from '#schemas/receipt-failures.js';
import { receiptLimits } from './limits.js';

/** A receipt that this process may send until its lease ends. */
export interface ReceiptJob extends SqlRow {
  readonly reservation_id: string;
  readonly payment_id: string;
  readonly attempts: number;
}

/** Nothing is locked while the mail server works. Whoever dies loses nothing: the lease ends. */
export async function takeReceipts(sql: SqlSession, now: Date): Promise<readonly ReceiptJob[]> {
  const { rows } = await sql.query<ReceiptJob>(
    `WITH due AS (
       SELECT reservation_id, payment_id FROM receipt_mail
       WHERE state = 'waiting' AND next_attempt_at <= $1 AND hotel_is_open(hotel_id)
       ORDER BY next_attempt_at LIMIT ${receiptLimits.lettersAtOnce} FOR UPDATE SKIP LOCKED)
     UPDATE receipt_mail m SET attempts = m.attempts + 1, next_attempt_at = $2 FROM due
     WHERE (m.reservation_id, m.payment_id) = (due.reservation_id, due.payment_id)
     RETURNING m.reservation_id, m.payment_id, m.attempts`,
    [now, new Date(now.getTime() + receiptLimits.leaseMs)],
  );
  return rows;
}

export const markSent = (sql: SqlSession, job: ReceiptJob, now: Date) =>
  set(sql, job, `state = 'sent', failure = NULL, sent_at = $3`, [now]);

export const tryAgainAt = (sql: SqlSession, job: ReceiptJob, at: Date, failure: string) =>
  set(sql, job, 'next_attempt_at = $3, failure = $4', [at, failure]);

export const giveUp = (sql: SqlSession, job: ReceiptJob, failure: ReceiptFailure) =>
  set(sql, job, `state = 'failed', failure = $3`, [failure]);

async function set(
  sql: SqlSession,
  { reservation_id, payment_id }: ReceiptJob,
  what: string,
  values: ReadonlyArray<Date | string>,
): Promise<void> {
  await sql.query(
    `UPDATE receipt_mail SET ${what} WHERE reservation_id = $1 AND payment_id = $2 AND state = 'waiting'`,
    [reservation_id, payment_id, ...values],
  );
}

/** Answers how many. Without a mail server, letters end only here. */
export async function giveUpOldReceipts(sql: SqlSession, now: Date): Promise<number> {
  const reason: ReceiptFailure = 'it waited too long';
  const { rowCount } = await sql.query(
    `UPDATE receipt_mail SET state = 'failed', failure = $2
     WHERE state = 'waiting' AND queued_at <= $1 AND hotel_is_open(hotel_id)`,
    [new Date(now.getTime() - receiptLimits.waitsMs), reason],
  );
  return rowCount;
}

/**
 * Sends the receipts of a reservation whose guest has another address now: those that failed, and those of
 * payments before there was a guest. What was sent is not sent again.
 */
export async function queueReceiptsAgain(tx: SqlSession, reservationId: string): Promise<void> {
  await tx.query(
    `INSERT INTO receipt_mail AS m (hotel_id, reservation_id, payment_id)
     SELECT r.hotel_id, p.reservation_id, p.payment_id
     FROM stay_payment p JOIN reservation r USING (reservation_id) WHERE p.reservation_id = $1
     ON CONFLICT (reservation_id, payment_id) DO UPDATE SET state = 'waiting', failure = NULL, attempts = 0,
       next_attempt_at = EXCLUDED.next_attempt_at, queued_at = EXCLUDED.queued_at WHERE m.state = 'failed'`,
    [reservationId],
  );
}

/** Receipts of a reservation by e-mail, as staff see them. */
export interface ReceiptState {
  readonly state: 'waiting' | 'sent' | 'failed';
  readonly failure: string | null;
  readonly attempts: number;
  readonly sentAt: Date | null;
}

/** Oldest first. */
export async function receiptsOf(sql: SqlSession, reservationId: string): Promise<readonly ReceiptState[]> {
  const { rows } = await sql.query<SqlRow & Omit<ReceiptState, 'sentAt'> & { readonly sent_at: Date | null }>(
    'SELECT state, failure, attempts, sent_at FROM receipt_mail WHERE reservation_id = $1 ORDER BY queued_at, payment_id',
    [reservationId],
  );
  return rows.map(({ state, failure, attempts, sent_at: sentAt }) => ({ state, failure, attempts, sentAt }));
}

/** How many wait and how many have failed, of the hotels of this server. */
export async function countReceipts(
  sql: SqlSession,
): Promise<{ readonly waiting: number; readonly failed: number }> {
  const { rows } = await sql.query<SqlRow & { readonly waiting: bigint; readonly failed: bigint }>(
    `SELECT (SELECT count(*) FROM receipt_mail WHERE state = 'waiting') AS waiting,
       (SELECT count(*) FROM receipt_mail WHERE state = 'failed') AS failed`,
  );
  return { waiting: Number(rows[0]!.waiting), failed: Number(rows[0]!.failed) };
}
