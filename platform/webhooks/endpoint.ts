import { randomBytes } from 'node:crypto';
import { type Sql, type SqlSession, sqlState } from '../sql/sql.js';
import { webhookLimits } from './limits.js';
import type { WebhookTables } from './webhook-tables.js';

/** Where events of a merchant or a hotel are sent. */
export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly state: 'active' | 'disabled';
  readonly disabledReason: string | undefined;
  readonly waiting: bigint;
  readonly oldSecretUntil: Date | undefined;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

export interface EndpointSettings {
  readonly url: string;
  readonly eventTypes: readonly string[];
}

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** The secret is in this answer and in no other. `full`: the owner has as many as one may have. */
export async function createEndpoint(
  t: WebhookTables,
  sql: Sql,
  owner: string,
  { url, eventTypes }: EndpointSettings,
  now: Date,
): Promise<{ readonly endpoint: Endpoint; readonly secret: string } | 'full' | 'known url'> {
  const id = `we_${randomBytes(12).toString('hex')}`;
  const secret = newSecret();
  try {
    return await sql.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`endpoints of ${owner}`]);
      const known = await listEndpoints(t, tx, owner);
      if (known.length >= webhookLimits.endpointsPerOwnerMax) return 'full';
      await tx.query(
        `INSERT INTO ${t.endpoint} (endpoint_id, ${t.owner}, url, event_types, secret, created_at, changed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6)`,
        [id, owner, url, eventTypes, secret, now],
      );
      return { endpoint: (await readEndpoint(t, tx, owner, id))!, secret };
    });
  } catch (error) {
    if (sqlState(error) !== '23505') throw error;
    return 'known url';
  }
}

export async function listEndpoints(
  t: WebhookTables,
  session: SqlSession,
  owner: string,
): Promise<readonly Endpoint[]> {
  const { rows } = await session.query<Row>(
    `SELECT * FROM ${t.endpoint} WHERE ${t.owner} = $1 ORDER BY created_at, endpoint_id`,
    [owner],
  );
  return rows.map(endpointOf);
}

/** Undefined for an endpoint of another owner, too. */
export async function readEndpoint(
  t: WebhookTables,
  session: SqlSession,
  owner: string,
  id: string,
): Promise<Endpoint | undefined> {
  const { rows } = await session.query<Row>(
    `SELECT * FROM ${t.endpoint} WHERE ${t.owner} = $1 AND endpoint_id = $2`,
    [owner, id],
  );
  return rows[0] === undefined ? undefined : endpointOf(rows[0]);
}

/** What waits when an endpoint becomes active again is sent now, and has the full time for its retries. */
export async function changeEndpoint(
  t: WebhookTables,
  sql: Sql,
  owner: string,
  id: string,
  { url, eventTypes, state }: EndpointSettings & Pick<Endpoint, 'state'>,
  now: Date,
): Promise<Endpoint | 'not found' | 'known url'> {
  try {
    return await sql.transaction(async (tx) => {
      const { rows } = await tx.query<{ readonly state: Endpoint['state'] }>(
        `SELECT state FROM ${t.endpoint} WHERE ${t.owner} = $1 AND endpoint_id = $2 FOR UPDATE`,
        [owner, id],
      );
      if (rows[0] === undefined) return 'not found';
      await tx.query(
        `UPDATE ${t.endpoint} SET url = $2, event_types = $3, state = $4, changed_at = $5,
           disabled_reason = CASE WHEN $4 = 'active' THEN NULL WHEN state = 'active' THEN $6::text
             ELSE disabled_reason END
         WHERE endpoint_id = $1`,
        [id, url, eventTypes, state, now, t.disabledByOwner],
      );
      if (state === 'active' && rows[0].state === 'disabled')
        await tx.query(
          `UPDATE ${t.delivery} SET first_attempt_at = NULL, attempts = 0, next_attempt_at = $2
           WHERE endpoint_id = $1 AND state = 'waiting' AND next_attempt_at < 'infinity'`,
          [id, now],
        );
      return (await readEndpoint(t, tx, owner, id))!;
    });
  } catch (error) {
    if (sqlState(error) !== '23505') throw error;
    return 'known url';
  }
}

/** What waits for it is dropped with it. */
export async function deleteEndpoint(
  t: WebhookTables,
  session: SqlSession,
  owner: string,
  id: string,
): Promise<boolean> {
  const { rowCount } = await session.query(
    `DELETE FROM ${t.endpoint} WHERE ${t.owner} = $1 AND endpoint_id = $2`,
    [owner, id],
  );
  return rowCount === 1;
}

/** Both secrets sign for `oldSecretMs`. A third one would be the third at a time: it replaces the oldest. */
export async function rotateSecret(
  t: WebhookTables,
  session: SqlSession,
  owner: string,
  id: string,
  { now, oldSecretMs }: { readonly now: Date; readonly oldSecretMs: number },
): Promise<{ readonly secret: string; readonly oldSecretUntil: Date } | undefined> {
  const secret = newSecret();
  const oldSecretUntil = new Date(now.getTime() + oldSecretMs);
  const { rowCount } = await session.query(
    `UPDATE ${t.endpoint} SET old_secret = secret, secret = $3, old_secret_until = $4, changed_at = $5
     WHERE ${t.owner} = $1 AND endpoint_id = $2`,
    [owner, id, secret, oldSecretUntil, now],
  );
  return rowCount === 1 ? { secret, oldSecretUntil } : undefined;
}

interface Row extends Readonly<Record<string, unknown>> {
  readonly endpoint_id: string;
  readonly url: string;
  readonly event_types: readonly string[];
  readonly state: Endpoint['state'];
  readonly disabled_reason: string | null;
  readonly waiting: bigint;
  readonly old_secret_until: Date | null;
  readonly created_at: Date;
  readonly changed_at: Date;
}

const endpointOf = (row: Row): Endpoint => ({
  id: row.endpoint_id,
  url: row.url,
  eventTypes: row.event_types,
  state: row.state,
  disabledReason: row.disabled_reason ?? undefined,
  waiting: row.waiting,
  oldSecretUntil: row.old_secret_until ?? undefined,
  createdAt: row.created_at,
  changedAt: row.changed_at,
});
