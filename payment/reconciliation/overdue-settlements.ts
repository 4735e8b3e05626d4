import type { SqlSession } from '#platform/sql/sql.js';

/**
 * Days (UTC, `2026-11-20`) between `since` and `now` for which no file of the provider has come although it was due: a day's file is due
 * `dueAfterMs` after the day has ended. For the caller to raise an alert about.
 */
export async function overdueSettlements(
  session: SqlSession,
  due: { readonly provider: string; readonly since: Date; readonly dueAfterMs: number; readonly now: Date },
): Promise<readonly string[]> {
  const { rows } = await session.query<{ day: string }>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day
     FROM generate_series(date_trunc('day', $2::timestamptz AT TIME ZONE 'UTC'),
       $3::timestamptz AT TIME ZONE 'UTC' - interval '1 day', interval '1 day') day
     WHERE NOT EXISTS (SELECT FROM settlement_file f WHERE f.provider = $1 AND f.period_from <= day AT TIME ZONE 'UTC'
       AND f.period_to >= (day + interval '1 day') AT TIME ZONE 'UTC')
     ORDER BY day`,
    [due.provider, due.since, new Date(due.now.getTime() - due.dueAfterMs)],
  );
  return rows.map(({ day }) => day);
}
