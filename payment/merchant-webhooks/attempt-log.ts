import type { SqlSession } from '#platform/sql/sql.js';
import { merchantWebhookLimits } from './limits.js';

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
    `SELECT * FROM merchant_attempt WHERE endpoint_id = $1 AND ($2::bigint IS NULL OR attempt_no < $2)
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
export async function forgetOldEvents(session: SqlSession, nowMs: number): Promise<boolean> {
  const { keptMs, forgottenAtOnce: most } = merchantWebhookLimits;
  const before = new Date(nowMs - keptMs);
  const attempts = await session.query(
    `DELETE FROM merchant_attempt WHERE attempt_no IN (
       SELECT attempt_no FROM merchant_attempt WHERE at < $1 LIMIT $2)`,
    [before, most],
  );
  const events = await session.query(
    `DELETE FROM merchant_event WHERE event_no IN (
       SELECT v.event_no FROM merchant_event v WHERE v.created_at < $1 AND NOT EXISTS (
         SELECT FROM merchant_delivery d WHERE d.event_no = v.event_no AND d.state = 'waiting') LIMIT $2)`,
    [before, most],
  );
  return attempts.rowCount === most || events.rowCount === most;
}
