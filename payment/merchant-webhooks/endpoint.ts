import { randomBytes } from 'node:crypto';
import { type Sql, type SqlSession, sqlState } from '#platform/sql/sql.js';
import type { MerchantEventType } from '#schemas/http/merchant-webhooks.js';
import { merchantWebhookLimits } from './limits.js';

/** Where events of a merchant are sent. */
export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly eventTypes: readonly MerchantEventType[];
  readonly state: 'active' | 'disabled';
  readonly disabledReason: string | undefined;
  readonly waiting: bigint;
  readonly oldSecretUntil: Date | undefined;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

export interface EndpointSettings {
  readonly url: string;
  readonly eventTypes: readonly MerchantEventType[];
}

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** The secret is in this answer and in no other. `full`: the merchant has as many as one may have. */
export async function createEndpoint(
  sql: Sql,
  merchantId: string,
  { url, eventTypes }: EndpointSettings,
  now: Date,
): Promise<{ readonly endpoint: Endpoint; readonly secret: string } | 'full' | 'known url'> {
  const id = `we_${randomBytes(12).toString('hex')}`;
  const secret = newSecret();
  try {
    return await sql.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`endpoints of ${merchantId}`]);
      const known = await listEndpoints(tx, merchantId);
      if (known.length >= merchantWebhookLimits.endpointsPerMerchantMax) return 'full';
      await tx.query(
        `INSERT INTO merchant_endpoint (endpoint_id, merchant_id, url, event_types, secret, created_at, changed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6)`,
        [id, merchantId, url, eventTypes, secret, now],
      );
      return { endpoint: (await readEndpoint(tx, merchantId, id))!, secret };
    });
  } catch (error) {
    if (sqlState(error) !== '23505') throw error;
    return 'known url';
  }
}

export async function listEndpoints(session: SqlSession, merchantId: string): Promise<readonly Endpoint[]> {
  const { rows } = await session.query<Row>(
    'SELECT * FROM merchant_endpoint WHERE merchant_id = $1 ORDER BY created_at, endpoint_id',
    [merchantId],
  );
  return rows.map(endpointOf);
}

/** Undefined for an endpoint of another merchant, too. */
export async function readEndpoint(
  session: SqlSession,
  merchantId: string,
  id: string,
): Promise<Endpoint | undefined> {
  const { rows } = await session.query<Row>(
    'SELECT * FROM merchant_endpoint WHERE merchant_id = $1 AND endpoint_id = $2',
    [merchantId, id],
  );
  return rows[0] === undefined ? undefined : endpointOf(rows[0]);
}

/** What waits when an endpoint becomes active again is sent now, and has the full time for its retries. */
export async function changeEndpoint(
  sql: Sql,
  merchantId: string,
  id: string,
  { url, eventTypes, state }: EndpointSettings & Pick<Endpoint, 'state'>,
  now: Date,
): Promise<Endpoint | 'not found' | 'known url'> {
  try {
    return await sql.transaction(async (tx) => {
      const { rows } = await tx.query<{ readonly state: Endpoint['state'] }>(
        'SELECT state FROM merchant_endpoint WHERE merchant_id = $1 AND endpoint_id = $2 FOR UPDATE',
        [merchantId, id],
      );
      if (rows[0] === undefined) return 'not found';
      await tx.query(
        `UPDATE merchant_endpoint SET url = $2, event_types = $3, state = $4, changed_at = $5,
           disabled_reason = CASE WHEN $4 = 'active' THEN NULL WHEN state = 'active' THEN 'by the merchant'
             ELSE disabled_reason END
         WHERE endpoint_id = $1`,
        [id, url, eventTypes, state, now],
      );
      if (state === 'active' && rows[0].state === 'disabled')
        await tx.query(
          `UPDATE merchant_delivery SET first_attempt_at = NULL, attempts = 0, next_attempt_at = $2
           WHERE endpoint_id = $1 AND state = 'waiting' AND next_attempt_at < 'infinity'`,
          [id, now],
        );
      return (await readEndpoint(tx, merchantId, id))!;
    });
  } catch (error) {
    if (sqlState(error) !== '23505') throw error;
    return 'known url';
  }
}

/** What waits for it is dropped with it. */
export async function deleteEndpoint(session: SqlSession, merchantId: string, id: string): Promise<boolean> {
  const { rowCount } = await session.query(
    'DELETE FROM merchant_endpoint WHERE merchant_id = $1 AND endpoint_id = $2',
    [merchantId, id],
  );
  return rowCount === 1;
}

/** Both secrets sign for `oldSecretMs`. A third one would be the third at a time: it replaces the oldest. */
export async function rotateSecret(
  session: SqlSession,
  merchantId: string,
  id: string,
  now: Date,
): Promise<{ readonly secret: string; readonly oldSecretUntil: Date } | undefined> {
  const secret = newSecret();
  const oldSecretUntil = new Date(now.getTime() + merchantWebhookLimits.oldSecretMs);
  const { rowCount } = await session.query(
    `UPDATE merchant_endpoint SET old_secret = secret, secret = $3, old_secret_until = $4, changed_at = $5
     WHERE merchant_id = $1 AND endpoint_id = $2`,
    [merchantId, id, secret, oldSecretUntil, now],
  );
  return rowCount === 1 ? { secret, oldSecretUntil } : undefined;
}

interface Row extends Readonly<Record<string, unknown>> {
  readonly endpoint_id: string;
  readonly url: string;
  readonly event_types: readonly MerchantEventType[];
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
