import { type SqlSession, sqlState } from '#platform/sql/sql.js';
import { type Currency, parseCurrency } from '../money/currency.js';
import type { Money } from '../money/money.js';
import { type RecordedReview, type ReviewColumns, recordedReview } from '../second-person/recorded-review.js';
import { type SellersSeen, sellersOrNull } from '../sellers/sellers-seen.js';
import type { PayoutDays } from './payout-calendar.js';

/** `replaced`: another schedule of the seller was approved. */
export type ScheduleState = 'awaiting_second' | 'active' | 'denied' | 'replaced' | 'stopped';

/** What two people approve. */
export interface ScheduleTerms {
  readonly sellerAccount: string;
  /** `manual`: the seller is paid only by payouts that somebody requests. */
  readonly days: PayoutDays | { readonly interval: 'manual' };
  /** IANA. Days begin and end there. */
  readonly timeZone: string;
  /** Less than this is not paid. */
  readonly minimum: Money;
  /** Only what the account held at the beginning of the day of payment and of so many days before is paid. */
  readonly delayDays: number;
}

export interface PayoutSchedule extends ScheduleTerms {
  readonly scheduleNo: bigint;
  readonly state: ScheduleState;
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly reason: string;
  readonly review: RecordedReview | undefined;
  readonly nextRunAt: Date | undefined;
  readonly lastPeriod: string | undefined;
  readonly lastOutcome: 'paid' | 'below_minimum' | undefined;
}

export async function findSchedule(
  session: SqlSession,
  scheduleNo: bigint,
  lock: 'for update' | 'unlocked' = 'unlocked',
): Promise<PayoutSchedule | undefined> {
  const { rows } = await session.query<Row>(
    `SELECT * FROM payout_schedule WHERE schedule_no = $1 ${lock === 'for update' ? 'FOR UPDATE' : ''}`,
    [scheduleNo],
  );
  return rows[0] === undefined ? undefined : scheduleOf(rows[0]);
}

/** In the order of their numbers, those after `after`; of these sellers where they are given. */
export async function listSchedules(
  session: SqlSession,
  query: {
    readonly sellers: SellersSeen;
    readonly state?: ScheduleState;
    readonly after: bigint;
    readonly limit: number;
  },
): Promise<readonly PayoutSchedule[]> {
  const { sellers, state, after, limit } = query;
  const { rows } = await session.query<Row>(
    `SELECT * FROM payout_schedule WHERE schedule_no > $1 AND ($2::text[] IS NULL OR seller_account = ANY ($2::text[]))
       AND ($3::text IS NULL OR state = $3) ORDER BY schedule_no LIMIT $4`,
    [after, sellersOrNull(sellers), state ?? null, limit],
  );
  return rows.map(scheduleOf);
}

/** The day at a moment in a zone; undefined for a zone that the database does not know. */
export async function dayIn(session: SqlSession, timeZone: string, at: Date): Promise<string | undefined> {
  try {
    const { rows } = await session.query<{ readonly day: string }>(
      'SELECT ($1::timestamptz AT TIME ZONE $2)::date::text AS day',
      [at, timeZone],
    );
    return rows[0]!.day;
  } catch (error) {
    if (sqlState(error) === '22023') return undefined;
    throw error;
  }
}

interface Row extends Readonly<Record<string, unknown>>, ReviewColumns {
  readonly schedule_no: bigint;
  readonly seller_account: string;
  readonly currency: string;
  readonly interval: 'daily' | 'weekly' | 'monthly' | 'manual';
  readonly weekday: number | null;
  readonly month_day: number | null;
  readonly time_zone: string;
  readonly minimum_minor: bigint;
  readonly delay_days: number;
  readonly state: ScheduleState;
  readonly requested_by: string;
  readonly requested_at: Date;
  readonly reason: string;
  readonly next_run_at: Date | null;
  readonly last_period: string | null;
  readonly last_outcome: 'paid' | 'below_minimum' | null;
}

function daysOf({ interval, weekday, month_day: monthDay }: Row): ScheduleTerms['days'] {
  switch (interval) {
    case 'daily':
    case 'manual':
      return { interval };
    case 'weekly':
      return { interval, weekday: weekday! };
    case 'monthly':
      return { interval, monthDay: monthDay! };
  }
}

function scheduleOf(row: Row): PayoutSchedule {
  return {
    scheduleNo: row.schedule_no,
    sellerAccount: row.seller_account,
    days: daysOf(row),
    timeZone: row.time_zone,
    minimum: { minor: row.minimum_minor, currency: parseCurrency(row.currency) as Currency },
    delayDays: row.delay_days,
    state: row.state,
    requestedBy: row.requested_by,
    requestedAt: row.requested_at,
    reason: row.reason,
    review: recordedReview(row),
    nextRunAt: row.next_run_at ?? undefined,
    lastPeriod: row.last_period ?? undefined,
    lastOutcome: row.last_outcome ?? undefined,
  };
}
