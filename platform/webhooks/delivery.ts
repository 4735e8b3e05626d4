import type { Sql, SqlRow, SqlTransaction } from '../sql/sql.js';
import { type SecretsRow, secretsAt, secretsIn } from './endpoint-secrets.js';
import { type DeliveryTimes, webhookLimits } from './limits.js';
import type { Posted } from './post-webhook.js';
import { makeDue } from './store-events.js';
import type { WebhookTables } from './webhook-tables.js';

/** A delivery that this process may make until its lease ends. */
export interface ClaimedDelivery {
  readonly endpointId: string;
  readonly eventNo: bigint;
  readonly eventId: string;
  readonly type: string;
  /** What it is about: deliveries of one subject keep their order. */
  readonly subject: string;
  readonly url: string;
  readonly body: string;
  /** The current one, and the previous one while it is valid. */
  readonly secrets: readonly string[];
  readonly attempts: number;
  readonly firstAttemptAt: Date;
  readonly leasedUntil: Date;
}

export interface DueEndpoint {
  readonly id: string;
  readonly isSlow: boolean;
}

/** Active endpoints with something due, in no order; the index is read once for each endpoint that waits. */
export async function dueEndpoints(t: WebhookTables, sql: Sql, now: Date): Promise<readonly DueEndpoint[]> {
  const { rows } = await sql.query<{ readonly endpoint_id: string; readonly is_slow: boolean }>(
    `WITH RECURSIVE waiting AS (
       (SELECT endpoint_id FROM ${t.delivery} WHERE state = 'waiting' ORDER BY endpoint_id LIMIT 1)
       UNION ALL
       SELECT (SELECT d.endpoint_id FROM ${t.delivery} d
         WHERE d.state = 'waiting' AND d.endpoint_id > w.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
       FROM waiting w WHERE w.endpoint_id IS NOT NULL
     )
     SELECT e.endpoint_id, e.is_slow FROM waiting JOIN ${t.endpoint} e USING (endpoint_id)
     WHERE e.state = 'active' AND ${t.isHere} AND EXISTS (SELECT FROM ${t.delivery} d
       WHERE d.endpoint_id = e.endpoint_id AND d.state = 'waiting' AND d.next_attempt_at <= $1)
     ORDER BY random() LIMIT $2`,
    [now, webhookLimits.dueEndpointsMax],
  );
  return rows.map((row) => ({ id: row.endpoint_id, isSlow: row.is_slow }));
}

/**
 * Takes what is due for an endpoint, within what may be in flight to it over all processes. Whoever dies
 * loses nothing: the lease ends, and the delivery is due again.
 */
export async function claimDeliveries(
  t: WebhookTables,
  sql: Sql,
  endpointId: string,
  most: number,
  { now, leaseMs }: { readonly now: Date; readonly leaseMs: number },
): Promise<readonly ClaimedDelivery[]> {
  const leasedUntil = new Date(now.getTime() + leaseMs);
  return sql.transaction(async (tx) => {
    const { rows: endpoints } = await tx.query<
      SqlRow & SecretsRow & { readonly url: string; readonly is_slow: boolean; readonly in_flight: bigint }
    >(
      `SELECT url, ${secretsAt('$2')}, is_slow,
         (SELECT count(*) FROM ${t.delivery} d
          WHERE d.endpoint_id = e.endpoint_id AND d.leased_until > $2) AS in_flight
       FROM ${t.endpoint} e WHERE endpoint_id = $1 AND state = 'active' AND ${t.isHere} FOR UPDATE SKIP LOCKED`,
      [endpointId, now],
    );
    const [endpoint] = endpoints;
    if (endpoint === undefined) return [];
    const { perEndpointMax, perSlowEndpointMax } = webhookLimits;
    const allowed = (endpoint.is_slow ? perSlowEndpointMax : perEndpointMax) - Number(endpoint.in_flight);
    const free = Math.min(most, allowed);
    if (free <= 0) return [];
    const { rows } = await tx.query<ClaimedRow>(
      `UPDATE ${t.delivery} d SET leased_until = $3, next_attempt_at = $3, attempts = d.attempts + 1,
         first_attempt_at = coalesce(d.first_attempt_at, $2)
       FROM (SELECT event_no FROM ${t.delivery} WHERE endpoint_id = $1 AND state = 'waiting'
         AND next_attempt_at <= $2 ORDER BY next_attempt_at, event_no LIMIT $4) due
       JOIN ${t.event} v USING (event_no)
       WHERE d.endpoint_id = $1 AND d.event_no = due.event_no
       RETURNING d.event_no, v.event_id, v.type, d.${t.subject} AS subject, v.body, d.attempts, d.first_attempt_at`,
      [endpointId, now, leasedUntil, free],
    );
    const { url } = endpoint;
    const secrets = secretsIn(endpoint);
    return rows.map((row) => ({
      endpointId,
      eventNo: row.event_no,
      eventId: row.event_id,
      type: row.type,
      subject: row.subject,
      url,
      body: row.body,
      secrets,
      attempts: row.attempts,
      firstAttemptAt: row.first_attempt_at,
      leasedUntil,
    }));
  });
}

interface ClaimedRow extends Readonly<Record<string, unknown>> {
  readonly event_no: bigint;
  readonly event_id: string;
  readonly type: string;
  readonly subject: string;
  readonly body: string;
  readonly attempts: number;
  readonly first_attempt_at: Date;
}

export interface Attempt {
  readonly posted: Posted;
  readonly startedAt: Date;
  readonly now: Date;
  /** 0 ≤ x < 1. */
  readonly random: number;
  readonly times: DeliveryTimes;
}

/** Records an attempt and what follows: done, again later, given up, or the end of the endpoint. */
export async function endAttempt(
  t: WebhookTables,
  sql: Sql,
  claimed: ClaimedDelivery,
  attempt: Attempt,
): Promise<void> {
  const { posted, startedAt, now, times } = attempt;
  const { endpointId, eventNo } = claimed;
  const durationMs = Math.max(0, now.getTime() - startedAt.getTime());
  const success = posted.status !== undefined && posted.status >= 200 && posted.status < 300;
  const isSlow = !success || durationMs > times.slowMs;
  await sql.transaction(async (tx) => {
    const { rows } = await tx.query<{ readonly succeeded_at: Date | null }>(
      `SELECT succeeded_at FROM ${t.endpoint} WHERE endpoint_id = $1 FOR UPDATE`,
      [endpointId],
    );
    // Its owner has deleted it meanwhile.
    if (rows[0] === undefined) return;
    await tx.query(
      `INSERT INTO ${t.attempt} (endpoint_id, event_id, type, at, status, failure, answer, duration_ms)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        ...[endpointId, claimed.eventId, claimed.type, startedAt, posted.status ?? null],
        ...[posted.failure ?? null, posted.answer, durationMs],
      ],
    );
    await tx.query(
      `UPDATE ${t.endpoint} SET is_slow = $2, succeeded_at = CASE WHEN $3 THEN $4 ELSE succeeded_at END
       WHERE endpoint_id = $1`,
      [endpointId, isSlow, success, now],
    );
    const againAt = success ? undefined : nextAttempt(claimed, attempt);
    let givenUp = false;
    if (againAt !== undefined) {
      await tx.query(
        `UPDATE ${t.delivery} SET next_attempt_at = $3, leased_until = NULL
         WHERE endpoint_id = $1 AND event_no = $2 AND leased_until = $4`,
        [endpointId, eventNo, againAt, claimed.leasedUntil],
      );
    } else {
      givenUp = (await endDelivery(t, tx, claimed, success ? 'delivered' : 'failed', now)) && !success;
    }
    if (posted.status === 410) await disable(t, tx, endpointId, 'it answered 410', now);
    else if (givenUp && !succeededSince(rows[0].succeeded_at, claimed))
      await disable(t, tx, endpointId, `no delivery succeeded in ${times.retryForMs / 3_600_000} hours`, now);
  });
}

/** Others of the endpoint succeed: only this event is given up. */
const succeededSince = (succeededAt: Date | null, { firstAttemptAt }: ClaimedDelivery): boolean =>
  succeededAt !== null && succeededAt > firstAttemptAt;

/** Undefined when its time is over. */
function nextAttempt(
  { attempts, firstAttemptAt }: ClaimedDelivery,
  { now, random, times: { retryAfterMs, retryForMs } }: Attempt,
): Date | undefined {
  const waitMs = retryAfterMs[Math.min(attempts, retryAfterMs.length) - 1]! * (1 + random / 10);
  const at = now.getTime() + waitMs;
  return at - firstAttemptAt.getTime() > retryForMs ? undefined : new Date(at);
}

/** False if the lease was over and another process has it: then it counts there. */
async function endDelivery(
  t: WebhookTables,
  tx: SqlTransaction,
  { endpointId, eventNo, subject, leasedUntil }: ClaimedDelivery,
  state: 'delivered' | 'failed',
  now: Date,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE ${t.delivery} SET state = $3, leased_until = NULL
     WHERE endpoint_id = $1 AND event_no = $2 AND state = 'waiting' AND leased_until = $4`,
    [endpointId, eventNo, state, leasedUntil],
  );
  if (rowCount === 0) return false;
  await tx.query(`UPDATE ${t.endpoint} SET waiting = waiting - 1 WHERE endpoint_id = $1`, [endpointId]);
  await makeDue(t, tx, [endpointId], [subject], now);
  return true;
}

async function disable(
  t: WebhookTables,
  tx: SqlTransaction,
  endpointId: string,
  reason: string,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE ${t.endpoint} SET state = 'disabled', disabled_reason = $2, changed_at = $3
     WHERE endpoint_id = $1 AND state = 'active'`,
    [endpointId, reason, now],
  );
}
