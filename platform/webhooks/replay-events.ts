import type { Sql, SqlSession } from '../sql/sql.js';
import { webhookLimits } from './limits.js';
import { addWaiting, lockEndpoints } from './store-events.js';
import type { WebhookTables } from './webhook-tables.js';

/** One event, or all that happened in a half-open time. */
export type ReplayRequest = { readonly eventId: string } | { readonly from: Date; readonly to: Date };

export interface Replayed {
  readonly events: number;
  /** Where the rest of the time begins, if it has more than `replayMax` events or the queue is full. */
  readonly continueFrom: Date | undefined;
}

/**
 * Sends stored events of the types of an endpoint again, in their order for each subject; those that wait
 * anyway are not doubled. Undefined if the owner has no such endpoint, or no such event.
 */
export async function replayEvents(
  t: WebhookTables,
  sql: Sql,
  owner: string,
  endpointId: string,
  request: ReplayRequest,
  now: Date,
): Promise<Replayed | undefined> {
  const { replayMax, waitingMax } = webhookLimits;
  const [condition, values] =
    'eventId' in request
      ? ['v.event_id = $5', [request.eventId]]
      : ['v.occurred_at >= $5 AND v.occurred_at < $6', [request.from, request.to]];
  return sql.transaction(async (tx) => {
    await lockEndpoints(t, tx, [owner]);
    const { rows: known } = await tx.query<{ readonly waiting: bigint }>(
      `SELECT waiting FROM ${t.endpoint} WHERE ${t.owner} = $1 AND endpoint_id = $2`,
      [owner, endpointId],
    );
    if (known[0] === undefined) return undefined;
    const most = Math.max(0, Math.min(replayMax, waitingMax - Number(known[0].waiting)));
    const { rows: found } = await tx.query<{ readonly at: Date }>(
      `SELECT v.occurred_at AS at FROM ${t.event} v JOIN ${t.endpoint} e ON e.endpoint_id = $2
       WHERE v.${t.owner} = $1 AND (v.type = ANY (e.event_types) OR $3) AND ${condition}
       ORDER BY v.occurred_at, v.event_no OFFSET $4 LIMIT 1`,
      [owner, endpointId, 'eventId' in request, most, ...values],
    );
    const { rows } = await tx.query<{ readonly endpoint_id: string; readonly subject: string }>(
      `WITH chosen AS (
         SELECT v.event_no, v.${t.subject} FROM ${t.event} v JOIN ${t.endpoint} e ON e.endpoint_id = $2
         WHERE v.${t.owner} = $1 AND (v.type = ANY (e.event_types) OR $3) AND ${condition}
         ORDER BY v.occurred_at, v.event_no LIMIT $4)
       INSERT INTO ${t.delivery} AS d (endpoint_id, event_no, ${t.subject}, state, next_attempt_at)
       SELECT $2, event_no, ${t.subject}, 'waiting', 'infinity' FROM chosen
       ON CONFLICT (endpoint_id, event_no) DO UPDATE SET state = 'waiting', next_attempt_at = 'infinity',
         attempts = 0, first_attempt_at = NULL, leased_until = NULL WHERE d.state <> 'waiting'
       RETURNING endpoint_id, ${t.subject} AS subject`,
      [owner, endpointId, 'eventId' in request, most, ...values],
    );
    await addWaiting(t, tx, rows, now);
    if ('eventId' in request && rows.length === 0 && !(await isKnown(t, tx, owner, request.eventId)))
      return undefined;
    return { events: rows.length, continueFrom: found[0]?.at };
  });
}

async function isKnown(
  t: WebhookTables,
  session: SqlSession,
  owner: string,
  eventId: string,
): Promise<boolean> {
  const { rows } = await session.query(`SELECT 1 FROM ${t.event} WHERE ${t.owner} = $1 AND event_id = $2`, [
    owner,
    eventId,
  ]);
  return rows.length > 0;
}
