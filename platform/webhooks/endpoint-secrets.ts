import type { SqlSession } from '../sql/sql.js';
import type { WebhookTables } from './webhook-tables.js';

/** The secrets that sign for an endpoint now: the current one, and the previous one while it is valid. */
export async function secretsOf(
  t: WebhookTables,
  session: SqlSession,
  owner: string,
  id: string,
  now: Date,
): Promise<readonly string[]> {
  const { rows } = await session.query<{ readonly secret: string; readonly old_secret: string | null }>(
    `SELECT secret, CASE WHEN old_secret_until > $3 THEN old_secret END AS old_secret
     FROM ${t.endpoint} WHERE ${t.owner} = $1 AND endpoint_id = $2`,
    [owner, id, now],
  );
  return rows.flatMap(({ secret, old_secret: old }) => (old === null ? [secret] : [secret, old]));
}
