import type { Sql, SqlSession } from '#platform/sql/sql.js';
import { orderLimits } from '../settings/order-limits.js';

/** A payment or refund that was stopped, and its later outcome. */
export interface DeadLetter {
  readonly id: number;
  readonly kind: 'payment' | 'refund';
  readonly subjectId: string;
  readonly cause: string;
  readonly attempts: number;
  readonly at: Date;
  readonly redrivenAt: Date | undefined;
  readonly redrivenBy: string | undefined;
}

interface Row extends Readonly<Record<string, unknown>> {
  readonly id: bigint;
  readonly kind: DeadLetter['kind'];
  readonly subject_id: string;
  readonly cause: string;
  readonly attempts: number;
  readonly at: Date;
  readonly redriven_at: Date | null;
  readonly redriven_by: string | null;
}

export interface DeadLetterPage {
  /** Newest first. */
  readonly letters: readonly DeadLetter[];
  /** What the next page comes `before`; absent when there is none. */
  readonly next: number | undefined;
}

/** One page; letters of payments stay open for ever, so the newest come first. */
export async function listDeadLetters(
  session: SqlSession,
  which: 'open' | 'all',
  before?: number,
): Promise<DeadLetterPage> {
  const { rows } = await session.query<Row>(
    `SELECT * FROM payment_dead_letters WHERE ($1 OR redriven_at IS NULL) AND ($2::bigint IS NULL OR id < $2)
     ORDER BY id DESC LIMIT ${orderLimits.deadLetterPageMax + 1}`,
    [which === 'all', before ?? null],
  );
  const letters = rows.slice(0, orderLimits.deadLetterPageMax).map(letterOf);
  return { letters, next: rows.length > letters.length ? letters.at(-1)?.id : undefined };
}

export async function readDeadLetter(session: SqlSession, id: number): Promise<DeadLetter | undefined> {
  const { rows } = await session.query<Row>('SELECT * FROM payment_dead_letters WHERE id = $1', [id]);
  return rows[0] && letterOf(rows[0]);
}

export type Redriven =
  | 'redriven'
  | 'unknown'
  | 'redriven before'
  /** A payment order that failed is final; what the buyer still wants to pay is a new order. */
  | 'final';

/**
 * Puts a refund back to work: it is requested from the provider again with the same nonce, so that a refund
 * that did arrive is not made twice. A refund that the provider refused is final as well, and its amount is
 * free for a new refund.
 */
export async function redriveDeadLetter(sql: Sql, id: number, by: string, nowMs: number): Promise<Redriven> {
  return sql.transaction(async (tx) => {
    const { rows } = await tx.query<Row>('SELECT * FROM payment_dead_letters WHERE id = $1 FOR UPDATE', [id]);
    const [row] = rows;
    if (row === undefined) return 'unknown';
    if (row.redriven_at !== null) return 'redriven before';
    if (row.kind === 'payment') return 'final';
    const now = new Date(nowMs);
    const { rowCount } = await tx.query(
      `UPDATE payment_refunds SET attempts = 0, next_attempt_at = $2, changed_at = $2
       WHERE refund_id = $1 AND refund_status IN ('NOT_STARTED', 'EXECUTING')`,
      [row.subject_id, now],
    );
    if (rowCount === 0) return 'final';
    await tx.query('UPDATE payment_dead_letters SET redriven_at = $2, redriven_by = $3 WHERE id = $1', [
      id,
      now,
      by,
    ]);
    return 'redriven';
  });
}

function letterOf(row: Row): DeadLetter {
  return {
    id: Number(row.id),
    kind: row.kind,
    subjectId: row.subject_id,
    cause: row.cause,
    attempts: row.attempts,
    at: row.at,
    redrivenAt: row.redriven_at ?? undefined,
    redrivenBy: row.redriven_by ?? undefined,
  };
}
