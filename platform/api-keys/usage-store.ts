import { type MeteredFamily, meteredFamilies } from '#schemas/http/metered-families.js';
import type { Sql, SqlRow, SqlSession } from '../sql/sql.js';
import { apiKeyLimits } from './limits.js';
import type { UsageCount } from './usage-journal.js';

const dayMs = 86_400_000;
export const dayOf = (timeMs: number): number => Math.floor(timeMs / dayMs);
/** `YYYY-MM-DD` */
export const dayText = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);
export const monthStartOf = (timeMs: number): number => {
  const time = new Date(timeMs);
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), 1);
};
export const monthEndOf = (timeMs: number): number => {
  const time = new Date(timeMs);
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1);
};

const raise = `
WITH given AS (
  SELECT * FROM unnest($2::text[], $3::date[], $4::text[], $5::bigint[]) g (customer_id, day, family, requests)
), risen AS (
  SELECT g.*, g.requests - coalesce(s.requests, 0) AS added
  FROM given g
  LEFT JOIN usage_source_count s ON s.source_id = $1 AND s.customer_id = g.customer_id
    AND s.day = g.day AND s.family = g.family
), kept AS (
  INSERT INTO usage_source_count (source_id, customer_id, day, family, requests)
  SELECT $1, customer_id, day, family, requests FROM risen WHERE added > 0
  ON CONFLICT (source_id, customer_id, day, family) DO UPDATE SET requests = excluded.requests
)
INSERT INTO usage_day (customer_id, day, family, requests)
SELECT customer_id, day, family, added FROM risen WHERE added > 0 ORDER BY customer_id, day, family
ON CONFLICT (customer_id, day, family) DO UPDATE SET requests = usage_day.requests + excluded.requests`;

/** A journal, for the database. */
export interface UsageSource {
  readonly sourceId: string;
  /** Whether its file is still there. */
  exists(): boolean;
  /** If the database does not know it, it may have been forgotten. */
  readonly isOld?: boolean;
}

/** `gone`: added by others, whose file it was. `too old`: perhaps added before. Then nothing was added. */
export type UsageOutcome = 'added' | 'ended before' | 'gone' | 'too old';

/**
 * Adds what the counts of a journal have risen by since the last call. The same counts again add nothing,
 * from any process. `isLast`: the journal gets no more counts; later calls add nothing.
 *
 * The database forgets an ended journal only when its file is gone. So a journal that it does not know is
 * added only if its file is still there after its row was made: whoever read the file long ago adds nothing.
 */
export function addUsage(
  sql: Sql,
  source: UsageSource,
  counts: readonly UsageCount[],
  isLast: boolean,
): Promise<UsageOutcome> {
  const { sourceId } = source;
  return sql.transaction(async (tx) => {
    const { rowCount: made } = await tx.query(
      'INSERT INTO usage_source (source_id) VALUES ($1) ON CONFLICT DO NOTHING',
      [sourceId],
    );
    const { rows } = await tx.query<SqlRow & { ended_at: Date | null; is_stale: boolean }>(
      `SELECT ended_at, touched_at < now() - interval '1 hour' AS is_stale FROM usage_source
       WHERE source_id = $1 FOR UPDATE`,
      [sourceId],
    );
    if (rows[0]?.ended_at !== null) return 'ended before';
    if (made === 1 && (source.isOld === true || !source.exists())) {
      await tx.query('DELETE FROM usage_source WHERE source_id = $1', [sourceId]);
      return source.exists() ? 'too old' : 'gone';
    }
    if (counts.length > 0)
      await tx.query(raise, [
        sourceId,
        counts.map(({ customerId }) => customerId),
        counts.map(({ day }) => dayText(day)),
        counts.map(({ family }) => family),
        counts.map(({ requests }) => requests),
      ]);
    if (rows[0].is_stale)
      await tx.query('UPDATE usage_source SET touched_at = now() WHERE source_id = $1', [sourceId]);
    if (isLast) {
      await tx.query('DELETE FROM usage_source_count WHERE source_id = $1', [sourceId]);
      await tx.query('UPDATE usage_source SET ended_at = now(), touched_at = now() WHERE source_id = $1', [
        sourceId,
      ]);
    }
    return 'added';
  });
}

/** Call it when the file of an ended journal is gone: nobody can add its counts again. */
export async function forgetSource(sql: Sql, sourceId: string): Promise<void> {
  await sql.query('DELETE FROM usage_source WHERE source_id = $1 AND ended_at IS NOT NULL', [sourceId]);
}

/** Forgets journals whose files were lost, and those of processes killed before `forgetSource`. */
export async function forgetOldSources(sql: Sql): Promise<number> {
  const { sourceDaysMax, forgottenSourcesMax } = apiKeyLimits;
  const { rowCount } = await sql.query(
    `DELETE FROM usage_source WHERE source_id IN (
       SELECT source_id FROM usage_source WHERE touched_at < now() - make_interval(days => $1)
       ORDER BY touched_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [sourceDaysMax, forgottenSourcesMax],
  );
  return rowCount;
}

export type UsageByFamily = Readonly<Record<MeteredFamily, number>>;

/** Requests since the first of the month, of the customers that made some. */
export async function monthUsage(
  session: SqlSession,
  customerIds: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, UsageByFamily>> {
  const { rows } = await session.query<
    SqlRow & { customer_id: string; family: MeteredFamily; requests: bigint }
  >(
    `SELECT customer_id, family, sum(requests)::bigint AS requests FROM usage_day
     WHERE customer_id = ANY($1) AND day >= $2 AND day < $3 GROUP BY customer_id, family`,
    [customerIds, dayText(dayOf(monthStartOf(nowMs))), dayText(dayOf(monthEndOf(nowMs)))],
  );
  const usage = new Map<string, Record<MeteredFamily, number>>();
  for (const { customer_id: id, family, requests } of rows) {
    const known = usage.get(id) ?? noUsage();
    known[family] = Number(requests);
    usage.set(id, known);
  }
  return usage;
}

export const noUsage = (): Record<MeteredFamily, number> =>
  Object.fromEntries(meteredFamilies.map((family) => [family, 0])) as Record<MeteredFamily, number>;

export interface UsageOfDay {
  readonly customerId: string;
  readonly day: string;
  readonly family: MeteredFamily;
  readonly requests: number;
}

/** By customer, day and family; of one customer, or of all. Days are `YYYY-MM-DD`, both included. */
export async function usageBetween(
  session: SqlSession,
  from: string,
  to: string,
  customerId?: string,
): Promise<readonly UsageOfDay[]> {
  const { rows } = await session.query<
    SqlRow & { customer_id: string; day: string; family: MeteredFamily; requests: bigint }
  >(
    `SELECT customer_id, day, family, requests FROM usage_day
     WHERE day BETWEEN $1 AND $2 AND ($3::text IS NULL OR customer_id = $3)
     ORDER BY customer_id, day, family`,
    [from, to, customerId ?? null],
  );
  return rows.map(({ customer_id: id, day, family, requests }) => ({
    customerId: id,
    day,
    family,
    requests: Number(requests),
  }));
}
