import type { SqlSession } from '../sql/sql.js';
import { webhookLimits } from './limits.js';
import type { WebhookTables } from './webhook-tables.js';

/** One attempt to deliver an event to an endpoint. */
export interface LoggedAttempt {
  readonly attemptNo: bigint;
  readonly eventId: string;
  readonly type: string;
  readonly at: Date;
  readonly status: number | undefined;
  readonly failure: string | undefined;
  readonly answer: string;
  readonly durationMs: number;
}

/** Newest first. */
export async function listAttempts(
  t: WebhookTables,
  session: SqlSession,
  endpointId: string,
  { before, limit }: { readonly before: bigint | undefined; readonly limit: number },
): Promise<readonly LoggedAttempt[]> {
  const { rows } = await session.query<{
    readonly attempt_no: bigint;
    readonly event_id: string;
    readonly type: string;
    readonly at: Date;
    readonly status: number | null;
    readonly failure: string | null;
    readonly answer: string;
    readonly duration_ms: number;
  }>(
    `SELECT * FROM ${t.attempt} WHERE endpoint_id = $1 AND ($2::bigint IS NULL OR attempt_no < $2)
     ORDER BY attempt_no DESC LIMIT $3`,
    [endpointId, before ?? null, limit],
  );
  return rows.map((row) => ({
    attemptNo: row.attempt_no,
    eventId: row.event_id,
    type: row.type,
    at: row.at,
    status: row.status ?? undefined,
    failure: row.failure ?? undefined,
    answer: row.answer,
    durationMs: row.duration_ms,
  }));
}

/**
 * Deletes what is older than `keptMs`: attempts, and events that wait for nobody. Resolves with whether
 * there is more.
 */
export async function forgetOldEvents(
  t: WebhookTables,
  session: SqlSession,
  nowMs: number,
  keptMs: number,
): Promise<boolean> {
  const { forgottenAtOnce: most } = webhookLimits;
  const before = new Date(nowMs - keptMs);
  const attempts = await session.query(
    `DELETE FROM ${t.attempt} WHERE attempt_no IN (
       SELECT attempt_no FROM ${t.attempt} WHERE at < $1 LIMIT $2)`,
    [before, most],
  );
  const events = await session.query(
    `DELETE FROM ${t.event} WHERE event_no IN (
       SELECT v.event_no FROM ${t.event} v WHERE v.created_at < $1 AND NOT EXISTS (
         SELECT FROM ${t.delivery} d WHERE d.event_no = v.event_no AND d.state = 'waiting') LIMIT $2)`,
    [before, most],
  );
  return attempts.rowCount === most || events.rowCount === most;
}
