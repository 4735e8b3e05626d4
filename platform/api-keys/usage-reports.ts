import type { HttpAnswer } from '../http/http-types.js';
import { problem, problems } from '../http/problem.js';
import type { SqlSession } from '../sql/sql.js';
import type { CustomerRow, PlanTerms } from './customer-store.js';
import { apiKeyLimits } from './limits.js';
import * as messages from './messages.js';
import { monthOf } from './usage-overview.js';
import { dayOf, dayText, monthStartOf, monthUsage, noUsage, usageBetween } from './usage-store.js';

export interface UsageRange {
  readonly from?: string;
  readonly to?: string;
}

/** First and last day; an answer if the range is none. */
function daysOf(
  query: UsageRange,
  nowMs: number,
): { readonly from: string; readonly to: string } | HttpAnswer {
  const from = query.from ?? dayText(dayOf(monthStartOf(nowMs)));
  const to = query.to ?? dayText(dayOf(nowMs));
  const days = dayOf(Date.parse(to)) - dayOf(Date.parse(from));
  if (days >= 0 && days < apiKeyLimits.reportDaysMax) return { from, to };
  const errors = [{ pointer: '/query/to', message: messages.wrongRange(apiKeyLimits.reportDaysMax) }];
  return problem(problems.invalid, undefined, { errors });
}

export async function usageAnswer(
  session: SqlSession,
  customer: CustomerRow & PlanTerms,
  query: UsageRange,
  nowMs: number,
): Promise<HttpAnswer> {
  const range = daysOf(query, nowMs);
  if ('status' in range) return range;
  const { customerId, planId, perMonth } = customer;
  const days = await usageBetween(session, range.from, range.to, customerId);
  const month = (await monthUsage(session, [customerId], nowMs)).get(customerId) ?? noUsage();
  return {
    status: 200,
    body: {
      customerID: customerId,
      planID: planId,
      ...range,
      thisMonth: monthOf(month, perMonth),
      days: days.map(({ day, family, requests }) => ({ day, family, requests })),
    },
  };
}

/** Ids, days and families hold nothing that CSV would have to quote. */
export async function usageCsv(
  session: SqlSession,
  query: UsageRange,
  nowMs: number,
  customerId?: string,
): Promise<HttpAnswer> {
  const range = daysOf(query, nowMs);
  if ('status' in range) return range;
  const rows = await usageBetween(session, range.from, range.to, customerId);
  const lines = rows.map((row) => [row.customerId, row.day, row.family, row.requests].join(','));
  return {
    status: 200,
    body: `${['customer,day,family,requests', ...lines].join('\r\n')}\r\n`,
    contentType: 'text/csv; charset=utf-8',
    headers: { 'content-disposition': 'attachment; filename="usage.csv"' },
  };
}
