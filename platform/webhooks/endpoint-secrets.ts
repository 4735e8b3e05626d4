import type { SqlRow, SqlSession } from '../sql/sql.js';
import type { WebhookTables } from './webhook-tables.js';

/** SQL: columns of an endpoint with the secrets that sign for it at a time. */
export const secretsAt = (at: string): string =>
  `secret, CASE WHEN old_secret_until > ${at} THEN old_secret END AS old_secret`;

export interface SecretsRow {
  readonly secret: string;
  readonly old_secret: string | null;
}

/** The current one, and the previous one while it is valid. */
export const secretsIn = ({ secret, old_secret: old }: SecretsRow): readonly string[] =>
  old === null ? [secret] : [secret, old];

/** The secrets that sign for an endpoint now; none if there is no such endpoint. */
export async function secretsOf(
  t: WebhookTables,
  session: SqlSession,
  owner: string,
  id: string,
  now: Date,
): Promise<readonly string[]> {
  const { rows } = await session.query<SqlRow & SecretsRow>(
    `SELECT ${secretsAt('$3')} FROM ${t.endpoint} WHERE ${t.owner} = $1 AND endpoint_id = $2`,
    [owner, id, now],
  );
  return rows.flatMap(secretsIn);
}
