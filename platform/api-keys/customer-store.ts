import type { MeteredFamily } from '#schemas/http/metered-families.js';
import { type Sql, type SqlRow, type SqlSession, sqlState } from '../sql/sql.js';
import { hashOfSecret, makeKeyText, prefixOf, writeKeyText } from './key-text.js';
import { apiKeyLimits } from './limits.js';

export interface PlanTerms {
  readonly perSecond: number;
  readonly burst: number;
  /** Requests in a calendar month. */
  readonly perMonth: Readonly<Partial<Record<MeteredFamily, number>>>;
}

export interface Plan extends PlanTerms {
  readonly planId: string;
}

export interface CustomerRow {
  readonly customerId: string;
  readonly name: string;
  readonly planId: string;
  readonly createdAt: Date;
}

export interface ApiKey {
  readonly keyId: string;
  readonly prefix: string;
  readonly families: readonly MeteredFamily[];
  readonly label: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** What a request with a key needs. */
export interface FoundKey extends PlanTerms {
  readonly customerId: string;
  readonly secretHash: Uint8Array;
  readonly families: readonly MeteredFamily[];
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

const planColumns = `plan_id AS "planId", per_second AS "perSecond", burst, per_month AS "perMonth"`;
const customerColumns = `customer_id AS "customerId", name, plan_id AS "planId", created_at AS "createdAt"`;
const keyColumns = `key_id AS "keyId", prefix, families, label, created_at AS "createdAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt"`;

export async function putPlan(session: SqlSession, plan: Plan): Promise<void> {
  await session.query(
    `INSERT INTO customer_plan (plan_id, per_second, burst, per_month) VALUES ($1, $2, $3, $4)
     ON CONFLICT (plan_id) DO UPDATE SET per_second = excluded.per_second, burst = excluded.burst,
       per_month = excluded.per_month`,
    [plan.planId, plan.perSecond, plan.burst, JSON.stringify(plan.perMonth)],
  );
}

export const listPlans = async (session: SqlSession): Promise<readonly Plan[]> =>
  (await session.query<SqlRow & Plan>(`SELECT ${planColumns} FROM customer_plan ORDER BY plan_id`)).rows;

/** Undefined: there is no such plan. */
export async function putCustomer(
  session: SqlSession,
  { customerId, name, planId }: Omit<CustomerRow, 'createdAt'>,
  now: Date,
): Promise<CustomerRow | undefined> {
  try {
    const { rows } = await session.query<SqlRow & CustomerRow>(
      `INSERT INTO customer (customer_id, name, plan_id, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (customer_id) DO UPDATE SET name = excluded.name, plan_id = excluded.plan_id
       RETURNING ${customerColumns}`,
      [customerId, name, planId, now],
    );
    return rows[0];
  } catch (error) {
    const foreignKeyViolation = '23503';
    if (sqlState(error) === foreignKeyViolation) return undefined;
    throw error;
  }
}

export const listCustomers = async (
  session: SqlSession,
  after: string,
  limit: number,
): Promise<readonly CustomerRow[]> =>
  (
    await session.query<SqlRow & CustomerRow>(
      `SELECT ${customerColumns} FROM customer WHERE customer_id > $1 ORDER BY customer_id LIMIT $2`,
      [after, limit],
    )
  ).rows;

export async function findCustomer(
  session: SqlSession,
  customerId: string,
): Promise<(CustomerRow & PlanTerms) | undefined> {
  const { rows } = await session.query<SqlRow & CustomerRow & PlanTerms>(
    `SELECT ${customerColumns}, per_second AS "perSecond", burst, per_month AS "perMonth"
     FROM customer JOIN customer_plan USING (plan_id) WHERE customer_id = $1`,
    [customerId],
  );
  return rows[0];
}

export interface KeyRequest {
  readonly families: readonly MeteredFamily[];
  readonly label: string | undefined;
  readonly expiresAt: Date | undefined;
}

/** The whole key is in no other answer: the database has its hash only. */
export function makeKey(
  sql: Sql,
  customerId: string,
  { families, label, expiresAt }: KeyRequest,
  now: Date,
): Promise<{ readonly key: ApiKey; readonly secret: string } | 'no customer' | 'full'> {
  const text = makeKeyText();
  return sql.transaction(async (tx) => {
    const { rows: known } = await tx.query('SELECT FROM customer WHERE customer_id = $1 FOR NO KEY UPDATE', [
      customerId,
    ]);
    if (known.length === 0) return 'no customer';
    const { rows: counted } = await tx.query<SqlRow & { active: bigint }>(
      `SELECT count(*) AS active FROM api_key WHERE customer_id = $1 AND revoked_at IS NULL`,
      [customerId],
    );
    if (counted[0]!.active >= apiKeyLimits.activeKeysPerCustomerMax) return 'full';
    const { rows } = await tx.query<SqlRow & ApiKey>(
      `INSERT INTO api_key (key_id, customer_id, prefix, secret_hash, families, label, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${keyColumns}`,
      [
        text.keyId,
        customerId,
        prefixOf(text.keyId),
        hashOfSecret(text.secret),
        families,
        label ?? null,
        now,
        expiresAt ?? null,
      ],
    );
    return { key: rows[0]!, secret: writeKeyText(text) };
  });
}

export const listKeys = async (session: SqlSession, customerId: string): Promise<readonly ApiKey[]> =>
  (
    await session.query<SqlRow & ApiKey>(
      `SELECT ${keyColumns} FROM api_key WHERE customer_id = $1 ORDER BY created_at DESC, key_id`,
      [customerId],
    )
  ).rows;

/** Whether the customer has such a key; it is revoked then, from its first revocation on. */
export async function revokeKey(
  session: SqlSession,
  customerId: string,
  keyId: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await session.query(
    `UPDATE api_key SET revoked_at = coalesce(revoked_at, $3) WHERE customer_id = $1 AND key_id = $2`,
    [customerId, keyId, now],
  );
  return rowCount === 1;
}

export async function findKey(session: SqlSession, keyId: string): Promise<FoundKey | undefined> {
  const { rows } = await session.query<SqlRow & FoundKey>(
    `SELECT customer_id AS "customerId", secret_hash AS "secretHash", families, expires_at AS "expiresAt",
       revoked_at AS "revokedAt", per_second AS "perSecond", burst, per_month AS "perMonth"
     FROM api_key JOIN customer USING (customer_id) JOIN customer_plan USING (plan_id) WHERE key_id = $1`,
    [keyId],
  );
  return rows[0];
}

/** In the order of their ids, so that two processes do not wait for each other. */
export async function noteUse(sql: Sql, usedAt: ReadonlyMap<string, number>): Promise<void> {
  const used = [...usedAt].toSorted(([left], [right]) => (left < right ? -1 : 1));
  await sql.transaction(async (tx) => {
    for (const [keyId, atMs] of used)
      await tx.query(
        `UPDATE api_key SET last_used_at = $2 WHERE key_id = $1
         AND (last_used_at IS NULL OR last_used_at < $2)`,
        [keyId, new Date(atMs)],
      );
  });
}
