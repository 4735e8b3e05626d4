import type { SqlSession } from '#platform/sql/sql.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import { reconciliationLimits } from './limits.js';

export interface Deadline {
  readonly now: Date;
  /** The files of a period are due this long after its end. */
  readonly dueAfterMs: number;
}

/**
 * What ended then or before is due now: without a file it is overdue, and a file that comes now is late. One
 * bound for both, so that a day is never late without having been overdue.
 */
export const dueBefore = ({ now, dueAfterMs }: Deadline): Date => new Date(now.getTime() - dueAfterMs);

/**
 * Days (UTC, `2026-11-20`) between `since` and `now` that the files of the provider do not cover although
 * they were due. For the caller to raise an alert about.
 */
export async function overdueSettlements(
  session: SqlSession,
  due: Deadline & { readonly provider: string; readonly since: Date },
): Promise<readonly string[]> {
  const { rows } = await session.query<{ day: string }>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day
     FROM generate_series(date_trunc('day', $2::timestamptz AT TIME ZONE 'UTC'),
       $3::timestamptz AT TIME ZONE 'UTC' - interval '1 day', interval '1 day') day
     WHERE NOT coalesce((SELECT range_agg(tstzrange(f.period_from, f.period_to)) FROM settlement_file f WHERE f.provider = $1)
       @> tstzrange(day AT TIME ZONE 'UTC', (day + interval '1 day') AT TIME ZONE 'UTC'), false)
     ORDER BY day`,
    [due.provider, due.since, dueBefore(due)],
  );
  return rows.map(({ day }) => day);
}

const dayMs = 86_400_000;

/**
 * The figures for alerts: how many days of the last weeks are overdue, of all providers since they first
 * captured money or sent a file, and how many files were refused within a day.
 */
export async function reportSettlements(
  session: SqlSession,
  metrics: Pick<Metrics, 'gauge'>,
  { now, dueAfterMs }: Deadline,
): Promise<void> {
  const { periodDaysMax } = reconciliationLimits;
  const { rows } = await session.query<{ provider: string; since: Date }>(
    `SELECT provider, greatest(min(since), $1) AS since
     FROM (SELECT provider, period_from AS since FROM settlement_file
       UNION ALL SELECT provider, at FROM provider_first_capture) s GROUP BY provider`,
    [new Date(now.getTime() - periodDaysMax * dayMs)],
  );
  let days = 0;
  for (const { provider, since } of rows)
    days += (await overdueSettlements(session, { provider, since, dueAfterMs, now })).length;
  metrics.gauge('settlement_files_overdue', 'Days with an overdue settlement file.').set(days);
  const { rows: refused } = await session.query<{ n: bigint }>(
    'SELECT count(*) AS n FROM settlement_refusal WHERE at > $1',
    [new Date(now.getTime() - dayMs)],
  );
  metrics
    .gauge('settlement_files_refused', 'Settlement files that were refused within the last 24 hours.')
    .set(Number(refused[0]!.n));
}
