import type { SqlSession } from '#platform/sql/sql.js';
import type { AuditedAction, AuditedOutcome } from '#schemas/hotel-actions.js';

/** An action of a member of staff. */
export interface StaffAction {
  readonly staffId: string;
  readonly action: AuditedAction;
  /** Reservation, hotel or user. */
  readonly subject: string;
  readonly reason: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/**
 * Writes the action into the audit list, performs it, and writes its outcome. The list is written first, so
 * that every action is in it; an entry without an outcome was interrupted.
 */
export async function audited<Outcome extends { readonly kind: AuditedOutcome }>(
  sql: SqlSession,
  now: Date,
  action: StaffAction,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const { rows } = await sql.query(
    'INSERT INTO staff_action (at, staff_id, action, subject, reason, detail) VALUES ($1, $2, $3, $4, $5, $6) RETURNING action_id',
    [now, action.staffId, action.action, action.subject, action.reason, JSON.stringify(action.detail ?? {})],
  );
  const end = (outcome: string) =>
    sql.query('UPDATE staff_action SET outcome = $2 WHERE action_id = $1', [
      rows[0]!['action_id'] as bigint,
      outcome,
    ]);
  const outcome = await work();
  await end(outcome.kind);
  return outcome;
}
