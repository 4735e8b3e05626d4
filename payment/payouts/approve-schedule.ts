import { type Sql, type SqlTransaction, sqlState } from '#platform/sql/sql.js';
import { nextPayDay } from './payout-calendar.js';
import { dayIn, findSchedule, type PayoutSchedule, type ScheduleTerms } from './payout-schedule.js';

export type ScheduleRequested =
  | { readonly kind: 'requested'; readonly schedule: PayoutSchedule }
  /** Another schedule of the seller in this currency waits for a second person. */
  | { readonly kind: 'one is waiting' }
  | { readonly kind: 'unknown time zone' };

/** A first person asks for a schedule; it pays nothing until another one approves it. */
export async function requestSchedule(
  sql: Sql,
  terms: ScheduleTerms,
  by: { readonly who: string; readonly why: string; readonly now: Date },
): Promise<ScheduleRequested> {
  if ((await dayIn(sql, terms.timeZone, by.now)) === undefined) return { kind: 'unknown time zone' };
  const { days, minimum } = terms;
  try {
    const { rows } = await sql.query<{ readonly schedule_no: bigint }>(
      `INSERT INTO payout_schedule (seller_account, currency, interval, weekday, month_day, time_zone,
         minimum_minor, delay_days, requested_by, reason, requested_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING schedule_no`,
      [
        terms.sellerAccount,
        minimum.currency,
        days.interval,
        days.interval === 'weekly' ? days.weekday : null,
        days.interval === 'monthly' ? days.monthDay : null,
        terms.timeZone,
        minimum.minor,
        terms.delayDays,
        by.who,
        by.why,
        by.now,
      ],
    );
    return { kind: 'requested', schedule: (await findSchedule(sql, rows[0]!.schedule_no))! };
  } catch (error) {
    if (sqlState(error) === '23505') return { kind: 'one is waiting' };
    throw error;
  }
}

export type ScheduleDecided =
  | { readonly kind: 'decided'; readonly schedule: PayoutSchedule }
  | { readonly kind: 'not_found' | 'not_waiting' | 'same_person' };

/**
 * The second person decides. An approved schedule replaces the one before, and pays from the next of its days
 * after today on.
 */
export async function reviewSchedule(
  sql: Sql,
  review: {
    readonly scheduleNo: bigint;
    readonly decision: 'approve' | 'deny';
    readonly reason: string;
    readonly who: string;
    readonly now: Date;
  },
): Promise<ScheduleDecided> {
  const { scheduleNo, decision, reason, who, now } = review;
  return sql.transaction(async (tx) => {
    const schedule = await findSchedule(tx, scheduleNo, 'for update');
    if (schedule === undefined) return { kind: 'not_found' };
    if (schedule.state !== 'awaiting_second') return { kind: 'not_waiting' };
    if (schedule.requestedBy === who) return { kind: 'same_person' };
    const isApproved = decision === 'approve';
    if (isApproved)
      await tx.query(
        `UPDATE payout_schedule SET state = 'replaced', next_run_at = NULL, ended_by = $3, ended_at = $4,
           end_reason = $5 WHERE seller_account = $1 AND currency = $2 AND state = 'active'`,
        [schedule.sellerAccount, schedule.minimum.currency, who, now, reason],
      );
    const nextRunAt = isApproved ? await firstRunAfter(tx, schedule, now) : null;
    await tx.query(
      `UPDATE payout_schedule SET state = $2, reviewed_by = $3, reviewed_at = $4, review_reason = $5,
         next_run_at = $6 WHERE schedule_no = $1`,
      [scheduleNo, isApproved ? 'active' : 'denied', who, now, reason, nextRunAt],
    );
    return { kind: 'decided', schedule: (await findSchedule(tx, scheduleNo))! };
  });
}

/** Alone: it stops money, and moves none. */
export async function stopSchedule(
  sql: Sql,
  { scheduleNo, who, reason, now }: { scheduleNo: bigint; who: string; reason: string; now: Date },
): Promise<'stopped' | 'not_found' | 'not_active'> {
  const { rowCount } = await sql.query(
    `UPDATE payout_schedule SET state = 'stopped', next_run_at = NULL, ended_by = $2, ended_at = $3, end_reason = $4
     WHERE schedule_no = $1 AND state IN ('active', 'awaiting_second')`,
    [scheduleNo, who, now, reason],
  );
  if (rowCount === 1) return 'stopped';
  return (await findSchedule(sql, scheduleNo)) === undefined ? 'not_found' : 'not_active';
}

async function firstRunAfter(
  tx: SqlTransaction,
  { days, timeZone }: PayoutSchedule,
  now: Date,
): Promise<Date | null> {
  if (days.interval === 'manual') return null;
  const today = (await dayIn(tx, timeZone, now))!;
  return beginningOf(tx, nextPayDay(days, today), timeZone);
}

/** The first moment of a day, also where a change of clocks has no midnight. */
export async function beginningOf(tx: SqlTransaction, day: string, timeZone: string): Promise<Date> {
  const { rows } = await tx.query<{ readonly at: Date }>('SELECT $1::date::timestamp AT TIME ZONE $2 AS at', [
    day,
    timeZone,
  ]);
  return rows[0]!.at;
}
