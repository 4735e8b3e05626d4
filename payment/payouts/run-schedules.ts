import type { Sql, SqlTransaction } from '#platform/sql/sql.js';
import { sellerAccount } from '../ledger/accounts.js';
import { post } from '../ledger/ledger.js';
import { beginningOf } from './approve-schedule.js';
import { insertPayouts, payoutIdOf } from './create-payouts.js';
import { payoutLimits } from './limits.js';
import { reservationOf } from './payout.js';
import { lastPayDay, nextPayDay } from './payout-calendar.js';
import { dayIn, findSchedule, type PayoutSchedule } from './payout-schedule.js';

/**
 * Pays the sellers whose day has come: for each schedule that is due, one payout and the time of the next, in
 * one transaction. A process that is killed leaves the schedule due or done; of two processes one takes it,
 * and the payout of a day is unique for the seller. After a pause only the last day that was missed is paid,
 * because a payout takes the whole balance. Resolves with whether a payout was created.
 */
export async function runSchedules(sql: Sql, now: Date): Promise<boolean> {
  const { rows } = await sql.query<{ readonly schedule_no: bigint }>(
    `SELECT schedule_no FROM payout_schedule WHERE next_run_at <= $1 ORDER BY next_run_at, schedule_no LIMIT $2`,
    [now, payoutLimits.schedulesAtOnceMax],
  );
  let paid = false;
  const failures: unknown[] = [];
  for (const { schedule_no: scheduleNo } of rows) {
    try {
      const outcome = await sql.transaction((tx) => runOne(tx, scheduleNo, now));
      paid ||= outcome === 'paid';
    } catch (error) {
      // The others are paid all the same.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return paid;
}

async function runOne(
  tx: SqlTransaction,
  scheduleNo: bigint,
  now: Date,
): Promise<'not due' | 'paid' | 'below_minimum'> {
  const { rows } = await tx.query(
    `SELECT 1 FROM payout_schedule WHERE schedule_no = $1 AND next_run_at <= $2 FOR UPDATE SKIP LOCKED`,
    [scheduleNo, now],
  );
  if (rows.length === 0) return 'not due';
  const schedule = (await findSchedule(tx, scheduleNo))!;
  const { days, timeZone } = schedule;
  if (days.interval === 'manual') throw new Error('A manual schedule is never due.');
  const payDay = lastPayDay(days, (await dayIn(tx, timeZone, now))!);
  const outcome = await pay(tx, schedule, payDay, now);
  const next = await beginningOf(tx, nextPayDay(days, payDay), timeZone);
  await tx.query(
    `UPDATE payout_schedule SET next_run_at = $2, last_period = $3, last_outcome = $4 WHERE schedule_no = $1`,
    [scheduleNo, next, periodOf(payDay), outcome],
  );
  return outcome;
}

/** No month and no requested payout has this name. */
const periodOf = (payDay: string): string => `day:${payDay}`;

async function pay(
  tx: SqlTransaction,
  schedule: PayoutSchedule,
  payDay: string,
  now: Date,
): Promise<'paid' | 'below_minimum'> {
  const { sellerAccount: seller, minimum, scheduleNo } = schedule;
  const { currency } = minimum;
  const payable = await payableMinor(tx, schedule, payDay);
  if (payable <= 0n || payable < minimum.minor) return 'below_minimum';
  const period = periodOf(payDay);
  const payoutId = payoutIdOf(period, seller, currency);
  const wanted = { payoutId, sellerAccount: seller, amount: { minor: payable, currency }, period };
  const request = { requestedBy: `schedule ${scheduleNo}`, reason: '', now, needsSecond: false };
  const inserted = await insertPayouts(tx, [wanted], request);
  // Another schedule of the seller, which this one replaced, has paid this day.
  if (inserted.length === 0) return 'paid';
  const outcome = await post(tx, [reservationOf(wanted)], { at: now });
  // A refund was posted since we read: nothing is kept, and the next round reads again.
  if (outcome.kind === 'refused') throw new Error(`The ledger refused it: ${outcome.refusals[0]!.detail}`);
  return 'paid';
}

/**
 * What may be paid: what is available now, and no more than the account held at the beginning of the day of
 * payment and of each of the days of the delay before it.
 */
async function payableMinor(
  tx: SqlTransaction,
  { sellerAccount: seller, minimum, delayDays, timeZone }: PayoutSchedule,
  payDay: string,
): Promise<bigint> {
  const { rows } = await tx.query<{ readonly payable: bigint }>(
    `SELECT least(-s.balance - s.pending_debit, (
         SELECT min(-coalesce(b.balance, 0)) FROM generate_series(0, $3::integer) days
         LEFT JOIN LATERAL ledger_balance_at(a.account_no, ($2::date - days)::timestamp AT TIME ZONE $4) b ON true
       )) AS payable
     FROM ledger_account a JOIN ledger_account_balance s USING (account_no) WHERE a.id = $1`,
    [sellerAccount(seller, minimum.currency), payDay, delayDays, timeZone],
  );
  return rows[0]?.payable ?? 0n;
}
