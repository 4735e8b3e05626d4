import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import {
  getPayoutSchedules,
  type PayoutScheduleBody,
  postPayoutSchedule,
  postPayoutScheduleReview,
  postPayoutScheduleStop,
} from '#schemas/http/payout-schedules.js';
import { parseCurrency } from '../money/currency.js';
import { formatMoney, parseMoney } from '../money/money.js';
import type { PaymentService } from '../payment-service.js';
import { requestSchedule, reviewSchedule, stopSchedule } from '../payouts/approve-schedule.js';
import { listSchedules, type PayoutSchedule, type ScheduleTerms } from '../payouts/payout-schedule.js';
import { catchUnavailable } from './catch-unavailable.js';
import * as messages from './messages.js';
import { nextPage, pageOfSellers } from './page-of-sellers.js';
import { paymentProblems } from './payment-problems.js';
import { reviewJson, reviewRefused } from './second-review.js';

const badBody = (pointer: string, message: string): HttpAnswer =>
  problem(problems.invalid, messages.badFields, { errors: [{ pointer, message }] });

/**
 * One person with the scope `payouts` asks for a schedule, another one with `finance` approves it, and either
 * stops it.
 */
export const payoutScheduleRoutes = ({ sql, submit }: PaymentService): readonly Route[] => {
  const now = (): Date => new Date(submit.nowMs());
  return [
    route(postPayoutSchedule, ({ body, identity }) =>
      catchUnavailable(async () => {
        const terms = termsOf(body);
        if ('status' in terms) return terms;
        const by = { who: identity.userId, why: body.reason, now: now() };
        const outcome = await requestSchedule(sql, terms, by);
        switch (outcome.kind) {
          case 'requested':
            return { status: 202, body: scheduleJson(outcome.schedule) };
          case 'one is waiting':
            return problem(paymentProblems.scheduleWaiting);
          case 'unknown time zone':
            return badBody('/time_zone', messages.noTimeZone);
        }
      }),
    ),
    route(postPayoutScheduleReview, ({ params, body, identity }) =>
      catchUnavailable(async () => {
        const scheduleNo = BigInt(params.schedule_no);
        const review = { ...body, scheduleNo, who: identity.userId, now: now() };
        const outcome = await reviewSchedule(sql, review);
        if (outcome.kind !== 'decided') return reviewRefused(outcome.kind, messages.noSchedule);
        return { status: 200, body: scheduleJson(outcome.schedule) };
      }),
    ),
    route(postPayoutScheduleStop, ({ params, body, identity }) =>
      catchUnavailable(async () => {
        const stop = { scheduleNo: BigInt(params.schedule_no), who: identity.userId, reason: body.reason };
        const outcome = await stopSchedule(sql, { ...stop, now: now() });
        if (outcome === 'stopped') return { status: 204 };
        return outcome === 'not_found'
          ? problem(problems.notFound, messages.noSchedule)
          : problem(paymentProblems.scheduleEnded);
      }),
    ),
    route(getPayoutSchedules, ({ query, identity }) =>
      catchUnavailable(async () => {
        const page = await pageOfSellers(sql, identity, ['finance', 'payouts'], query);
        const found = await listSchedules(sql, page);
        const next = nextPage(found, page.limit, ({ scheduleNo }) => scheduleNo);
        return { status: 200, body: { schedules: found.map(scheduleJson), next } };
      }),
    ),
  ];
};

interface TermsBody {
  readonly seller_account: string;
  readonly currency: string;
  readonly interval: 'daily' | 'weekly' | 'monthly' | 'manual';
  readonly weekday?: number;
  readonly month_day?: number;
  readonly time_zone: string;
  readonly minimum?: string;
  readonly delay_days?: number;
}

/** The terms, or what is wrong with them. A day that the interval does not use is refused, not ignored. */
function termsOf(body: TermsBody): ScheduleTerms | HttpAnswer {
  const { interval, weekday, month_day: monthDay, minimum: least } = body;
  if ((weekday !== undefined) !== (interval === 'weekly')) return badBody('/weekday', messages.ofWeekly);
  if ((monthDay !== undefined) !== (interval === 'monthly')) return badBody('/month_day', messages.ofMonthly);
  const currency = parseCurrency(body.currency);
  if (currency === undefined) return badBody('/currency', messages.noCurrency);
  const minimum = least === undefined ? { minor: 0n, currency } : parsedMinimum(least, body.currency);
  if (typeof minimum === 'string') return badBody('/minimum', minimum);
  return {
    sellerAccount: body.seller_account,
    days:
      interval === 'weekly'
        ? { interval, weekday: weekday! }
        : interval === 'monthly'
          ? { interval, monthDay: monthDay! }
          : { interval },
    timeZone: body.time_zone,
    minimum,
    delayDays: body.delay_days ?? 0,
  };
}

function parsedMinimum(text: string, currency: string) {
  const parsed = parseMoney(text, currency);
  return parsed.kind === 'money' ? parsed.money : parsed.reason;
}

const scheduleJson = (schedule: PayoutSchedule): PayoutScheduleBody => {
  const { days, minimum, review } = schedule;
  return {
    schedule_no: Number(schedule.scheduleNo),
    seller_account: schedule.sellerAccount,
    currency: minimum.currency,
    interval: days.interval,
    weekday: days.interval === 'weekly' ? days.weekday : null,
    month_day: days.interval === 'monthly' ? days.monthDay : null,
    time_zone: schedule.timeZone,
    minimum: formatMoney(minimum),
    delay_days: schedule.delayDays,
    schedule_status: schedule.state,
    requested_by: schedule.requestedBy,
    requested_at: schedule.requestedAt.toISOString(),
    reason: schedule.reason,
    ...reviewJson(review),
    next_run_at: schedule.nextRunAt?.toISOString() ?? null,
    last_period: schedule.lastPeriod ?? null,
    last_outcome: schedule.lastOutcome ?? null,
  };
};
