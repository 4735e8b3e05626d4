import { type MeteredFamily, meteredFamilies } from '#schemas/http/metered-families.js';
import type { HttpAnswer } from '../http/http-types.js';
import type { SqlRow, SqlSession } from '../sql/sql.js';
import type { CustomerRow, PlanTerms } from './customer-store.js';
import { dayOf, dayText, monthEndOf, monthStartOf, monthUsage, noUsage } from './usage-store.js';

interface KeysRow extends SqlRow {
  readonly customer_id: string;
  readonly active: bigint;
  readonly last_used: Date | null;
}

interface DayRow extends SqlRow {
  readonly customer_id: string;
  readonly day: string;
  readonly requests: bigint;
}

/** The customers with the most requests this month, and their requests of the last days that had any. */
export async function usageOverview(
  session: SqlSession,
  { limit, days }: { readonly limit: number; readonly days: number },
  nowMs: number,
): Promise<HttpAnswer> {
  const from = dayText(dayOf(nowMs) - days + 1);
  const to = dayText(dayOf(nowMs));
  const { rows: counted } = await session.query<SqlRow & { customers: bigint }>(
    'SELECT count(*) AS customers FROM customer',
  );
  const customers = await busiest(session, limit, nowMs);
  const ids = customers.map(({ customerId }) => customerId);
  const month = await monthUsage(session, ids, nowMs);
  const keys = await keysOf(session, ids, nowMs);
  const byDay = await daysOf(session, ids, from, to);
  return {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: {
      ...{ from, to },
      total: Number(counted[0]!.customers),
      customers: customers.map(({ customerId, name, planId, perMonth }) => {
        const { active, last_used: lastUsed } = keys.get(customerId) ?? { active: 0n, last_used: null };
        return {
          customerID: customerId,
          name,
          planID: planId,
          activeKeys: Number(active),
          ...(lastUsed === null ? {} : { lastUsedAt: lastUsed.toISOString() }),
          thisMonth: monthOf(month.get(customerId) ?? noUsage(), perMonth),
          days: byDay
            .filter((row) => row.customer_id === customerId)
            .map(({ day, requests }) => ({ day, requests: Number(requests) })),
        };
      }),
    },
  };
}

/** The families that were used or have a quota. */
export const monthOf = (
  used: Readonly<Record<MeteredFamily, number>>,
  perMonth: PlanTerms['perMonth'],
): readonly { readonly family: MeteredFamily; readonly requests: number; readonly quota?: number }[] =>
  meteredFamilies
    .filter((family) => used[family] > 0 || perMonth[family] !== undefined)
    .map((family) => ({
      family,
      requests: used[family],
      ...(perMonth[family] === undefined ? {} : { quota: perMonth[family] }),
    }));

async function busiest(
  session: SqlSession,
  limit: number,
  nowMs: number,
): Promise<readonly (CustomerRow & Pick<PlanTerms, 'perMonth'>)[]> {
  const { rows } = await session.query<SqlRow & CustomerRow & Pick<PlanTerms, 'perMonth'>>(
    `WITH month AS (
       SELECT customer_id, sum(requests) AS requests FROM usage_day
       WHERE day >= $2 AND day < $3 GROUP BY customer_id
     )
     SELECT customer_id AS "customerId", name, plan_id AS "planId", created_at AS "createdAt",
       per_month AS "perMonth"
     FROM customer JOIN customer_plan USING (plan_id) LEFT JOIN month USING (customer_id)
     ORDER BY coalesce(month.requests, 0) DESC, customer_id LIMIT $1`,
    [limit, dayText(dayOf(monthStartOf(nowMs))), dayText(dayOf(monthEndOf(nowMs)))],
  );
  return rows;
}

async function keysOf(
  session: SqlSession,
  ids: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, KeysRow>> {
  const { rows } = await session.query<KeysRow>(
    `SELECT customer_id, max(last_used_at) AS last_used,
       count(*) FILTER (WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)) AS active
     FROM api_key WHERE customer_id = ANY($1) GROUP BY customer_id`,
    [ids, new Date(nowMs)],
  );
  return new Map(rows.map((row) => [row.customer_id, row]));
}

async function daysOf(
  session: SqlSession,
  ids: readonly string[],
  from: string,
  to: string,
): Promise<readonly DayRow[]> {
  const { rows } = await session.query<DayRow>(
    `SELECT customer_id, day, sum(requests)::bigint AS requests FROM usage_day
     WHERE customer_id = ANY($1) AND day BETWEEN $2 AND $3 GROUP BY customer_id, day
     ORDER BY customer_id, day`,
    [ids, from, to],
  );
  return rows;
}
