import type { SqlSession } from '#platform/sql/sql.js';
import { orderLimits } from '../settings/order-limits.js';

/** A payment or refund that failed for good or was stopped, and its later outcome. */
export interface DeadLetter {
  readonly id: number;
  readonly kind: 'payment' | 'refund';
  readonly subjectId: string;
  readonly cause: string;
  readonly attempts: number;
  readonly at: Date;
  /** False: it was closed from the start. */
  readonly needsPerson: boolean;
  readonly canRedrive: boolean;
  readonly redrivenAt: Date | undefined;
  readonly redrivenBy: string | undefined;
  /** The payment order in the place of the failed one. */
  readonly newOrderId: string | undefined;
}

interface Row extends Readonly<Record<string, unknown>> {
  readonly id: bigint;
  readonly kind: DeadLetter['kind'];
  readonly subject_id: string;
  readonly cause: string;
  readonly attempts: number;
  readonly at: Date;
  readonly needs_person: boolean;
  readonly can_redrive: boolean;
  readonly redriven_at: Date | null;
  readonly redriven_by: string | null;
  readonly new_order_id: string | null;
}

/**
 * Whether the letter `l` can be re-driven: a refund that the provider has not decided, or an order that its
 * caller did not cancel, that has no other in its place, and whose service does not retry by itself.
 */
export const canRedrive = `(l.redriven_at IS NULL AND CASE l.kind
  WHEN 'refund' THEN EXISTS (SELECT FROM payment_refunds r
    WHERE r.refund_id = l.subject_id AND r.refund_status IN ('NOT_STARTED', 'EXECUTING'))
  ELSE EXISTS (SELECT FROM payment_orders o JOIN payment_events e USING (checkout_id)
    WHERE o.payment_order_id = l.subject_id AND o.is_final AND payment_is_re_drivable(o.failure_code)
      AND e.finance_retries AND NOT EXISTS (SELECT FROM payment_orders f WHERE f.retry_of = l.subject_id))
  END)`;

const columns = `l.*, ${canRedrive} AS can_redrive, CASE l.kind WHEN 'payment' THEN
  (SELECT f.payment_order_id FROM payment_orders f WHERE f.retry_of = l.subject_id) END AS new_order_id`;

export interface DeadLetterPage {
  /** Newest first. */
  readonly letters: readonly DeadLetter[];
  /** What the next page comes `before`; absent when there is none. */
  readonly next: number | undefined;
}

/** One page. `open`: a person needs to act. The newest come first, because some stay open for ever. */
export async function listDeadLetters(
  session: SqlSession,
  which: 'open' | 'all',
  before?: number,
): Promise<DeadLetterPage> {
  const { rows } = await session.query<Row>(
    `SELECT ${columns} FROM payment_dead_letters l
     WHERE ${which === 'all' ? 'true' : 'l.needs_person AND l.redriven_at IS NULL'} AND ($1::bigint IS NULL OR l.id < $1)
     ORDER BY l.id DESC LIMIT ${orderLimits.deadLetterPageMax + 1}`,
    [before ?? null],
  );
  const letters = rows.slice(0, orderLimits.deadLetterPageMax).map(letterOf);
  return { letters, next: rows.length > letters.length ? letters.at(-1)?.id : undefined };
}

export async function readDeadLetter(session: SqlSession, id: number): Promise<DeadLetter | undefined> {
  const { rows } = await session.query<Row>(`SELECT ${columns} FROM payment_dead_letters l WHERE l.id = $1`, [
    id,
  ]);
  return rows[0] && letterOf(rows[0]);
}

const letterOf = (row: Row): DeadLetter => ({
  id: Number(row.id),
  kind: row.kind,
  subjectId: row.subject_id,
  cause: row.cause,
  attempts: row.attempts,
  at: row.at,
  needsPerson: row.needs_person,
  canRedrive: row.can_redrive,
  redrivenAt: row.redriven_at ?? undefined,
  redrivenBy: row.redriven_by ?? undefined,
  newOrderId: row.new_order_id ?? undefined,
});
