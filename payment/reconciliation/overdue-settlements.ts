import type { SqlSession } from '#platform/sql/sql.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import { reconciliationLimits } from './limits.js';

/**
 * Days (UTC, `2026-11-20`) between `since` and `now` that the files of the provider do not cover although
 * they were due: a day's files are due `dueAfterMs` after the day has ended. For the caller to raise an alert
 * about.
 */
export async function overdueSettlements(
  session: SqlSession,
  due: { readonly provider: string; readonly since: Date; readonly dueAfterMs: number; readonly now: Date },
): Promise<readonly string[]> {
  const { rows } = await session.query<{ day: string }>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day
     FROM generate_series(date_trunc('day', $2::timestamptz AT TIME ZONE 'UTC'),
       $3::timestamptz AT TIME ZONE 'UTC' - interval '1 day', interval '1 day') day
     WHERE NOT coalesce((SELECT range_agg(tstzrange(f.period_from, f.period_to)) FROM settlement_file f WHERE f.provider = $1)
       @> tstzrange(day AT TIME ZONE 'UTC', (day + interval '1 day') AT TIME ZONE 'UTC'), false)
     ORDER BY day`,
    [due.provider, due.since, new Date(due.now.getTime() - due.dueAfterMs)],
  );
  return rows.map(({ day }) => day);
}

/**
 * How many days of the last weeks are overdue, of all providers that ever sent a file, as the figure for
 * alerts.
 */
export async function reportOverdueSettlements(
  session: SqlSession,
  metrics: Pick<Metrics, 'gauge'>,
  now: Date,
): Promise<void> {
  const { periodDaysMax, dueAfterMs } = reconciliationLimits;
  const { rows } = await session.query<{ provider: string; since: Date }>(
    `SELECT provider, greatest(min(period_from), $1) AS since FROM settlement_file GROUP BY provider`,
    [new Date(now.getTime() - periodDaysMax * 86_400_000)],
  );
  let days = 0;
  for (const { provider, since } of rows)
    days += (await overdueSettlements(session, { provider, since, dueAfterMs, now })).length;
  metrics.gauge('settlement_files_overdue', 'Days with an overdue settlement file.').set(days);
}
