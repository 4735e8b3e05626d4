import type { SqlTransaction } from '../sql/sql.js';
import { webhookLimits } from './limits.js';
import type { WebhookTables } from './webhook-tables.js';

export interface NewEvent {
  /** Unique; an event that is stored already has no further effect. */
  readonly id: string;
  readonly owner: string;
  readonly subject: string;
  readonly type: string;
  /** The bytes that are signed and sent, each time the same. */
  readonly body: string;
  readonly occurredAt: Date;
}

/**
 * Stores events and the deliveries that follow, in the caller's transaction, which has locked the endpoints
 * of the owners. Resolves with the number of deliveries.
 */
export async function storeEvents(
  t: WebhookTables,
  tx: SqlTransaction,
  events: readonly NewEvent[],
  now: Date,
): Promise<number> {
  const { rows: stored } = await tx.query<{ readonly event_no: bigint }>(
    `INSERT INTO ${t.event} (event_id, ${t.owner}, ${t.subject}, type, body, occurred_at, created_at)
     SELECT u.id, u.owner, u.subject, u.type, u.body, u.at, $7
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
       WITH ORDINALITY u(id, owner, subject, type, body, at, n)
     ORDER BY n ON CONFLICT (event_id) DO NOTHING RETURNING event_no`,
    [
      events.map(({ id }) => id),
      events.map(({ owner }) => owner),
      events.map(({ subject }) => subject),
      events.map(({ type }) => type),
      events.map(({ body }) => body),
      events.map(({ occurredAt }) => occurredAt),
      now,
    ],
  );
  if (stored.length === 0) return 0;
  const { rows } = await tx.query<{ readonly endpoint_id: string; readonly subject: string }>(
    `INSERT INTO ${t.delivery} (endpoint_id, event_no, ${t.subject}, state, next_attempt_at)
     SELECT e.endpoint_id, v.event_no, v.${t.subject}, 'waiting', 'infinity'
     FROM ${t.event} v JOIN ${t.endpoint} e USING (${t.owner})
     WHERE v.event_no = ANY ($1::bigint[]) AND e.state = 'active' AND v.type = ANY (e.event_types)
       AND e.waiting < $2
     RETURNING endpoint_id, ${t.subject} AS subject`,
    [stored.map(({ event_no }) => event_no), webhookLimits.waitingMax],
  );
  await addWaiting(t, tx, rows, now);
  return rows.length;
}

/** Deliveries that end meanwhile wait for these rows, so each sees the other's rows of one subject. */
export async function lockEndpoints(
  t: WebhookTables,
  tx: SqlTransaction,
  owners: readonly string[],
): Promise<void> {
  await tx.query(
    `SELECT 1 FROM ${t.endpoint} WHERE ${t.owner} = ANY ($1::text[]) ORDER BY endpoint_id FOR UPDATE`,
    [[...new Set(owners)]],
  );
}

/** New deliveries are counted, and those that no earlier one of their subject precedes become due. */
export async function addWaiting(
  t: WebhookTables,
  tx: SqlTransaction,
  added: ReadonlyArray<{ readonly endpoint_id: string; readonly subject: string }>,
  now: Date,
): Promise<void> {
  if (added.length === 0) return;
  const endpoints = added.map((row) => row.endpoint_id);
  await tx.query(
    `UPDATE ${t.endpoint} e SET waiting = waiting + u.n
     FROM (SELECT id, count(*) AS n FROM unnest($1::text[]) id GROUP BY id) u WHERE e.endpoint_id = u.id`,
    [endpoints],
  );
  await makeDue(
    t,
    tx,
    endpoints,
    added.map((row) => row.subject),
    now,
  );
}

/** Of each subject at each endpoint, the earliest event that waits is due, if it was held back. */
export async function makeDue(
  t: WebhookTables,
  tx: SqlTransaction,
  endpointIds: readonly string[],
  subjects: readonly string[],
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE ${t.delivery} d SET next_attempt_at = $3
     FROM (SELECT DISTINCT endpoint, subject FROM unnest($1::text[], $2::text[]) x(endpoint, subject)) u
     CROSS JOIN LATERAL (SELECT w.event_no FROM ${t.delivery} w
       WHERE w.endpoint_id = u.endpoint AND w.${t.subject} = u.subject AND w.state = 'waiting'
       ORDER BY w.event_no LIMIT 1) first
     WHERE d.endpoint_id = u.endpoint AND d.event_no = first.event_no AND d.next_attempt_at = 'infinity'`,
    [endpointIds, subjects, now],
  );
}
