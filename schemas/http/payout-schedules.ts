import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';
import { pageByNumber, requestedAndReviewed, SecondReview } from './second-review.js';

const closed = { additionalProperties: false } as const;
const OrNull = <S extends ReturnType<typeof Type.String>>(schema: S) => Type.Union([schema, Type.Null()]);
const Instant = Type.String({ description: 'RFC 3339' });
const json = { maxBytes: 4_096, contentTypes: ['application/json'] } as const;
const path = '/v1/payout-schedules';
const byNo = Type.Object({ schedule_no: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });
const Interval = oneOf(['daily', 'weekly', 'monthly', 'manual'] as const);
const State = oneOf(['awaiting_second', 'active', 'denied', 'replaced', 'stopped'] as const);
const Weekday = Type.Integer({ minimum: 1, maximum: 7 });
const MonthDay = Type.Integer({ minimum: 1, maximum: 31 });

const Schedule = Type.Object({
  schedule_no: Type.Integer(),
  seller_account: Type.String(),
  currency: Type.String(),
  interval: Interval,
  weekday: Type.Union([Weekday, Type.Null()]),
  month_day: Type.Union([MonthDay, Type.Null()]),
  time_zone: Type.String(),
  minimum: Type.String(),
  delay_days: Type.Integer(),
  schedule_status: State,
  ...requestedAndReviewed,
  next_run_at: OrNull(Instant),
  last_period: OrNull(Type.String({ description: '`day:2026-11-27`, as `period` of its payout.' })),
  last_outcome: Type.Union([oneOf(['paid', 'below_minimum'] as const), Type.Null()]),
});
export type PayoutScheduleBody = Static<typeof Schedule>;

export const postPayoutSchedule = {
  operationId: 'postPayoutSchedule',
  method: 'POST',
  path,
  listener: 'internal',
  scopes: ['payouts'],
  tag: 'payouts',
  summary: 'Request that a seller is paid by itself',
  description:
    'Nothing is paid until a second person approves the schedule with `review`; its payouts need nobody ' +
    'else. On each of its days, at the beginning of the day in `time_zone`, one payout is created: of what ' +
    'the account held then and at the beginning of each of the `delay_days` days before, and never more ' +
    'than what is available. An approved schedule replaces the one before. `manual`: only requested ' +
    'payouts.',
  body: {
    ...json,
    schema: Type.Object(
      {
        seller_account: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9 ._/-]+$' }),
        currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
        interval: Interval,
        weekday: Type.Optional({ ...Weekday, description: 'Of `weekly`; 1 is Monday.' }),
        month_day: Type.Optional({
          ...MonthDay,
          description: 'Of `monthly`; in a shorter month, its last day.',
        }),
        time_zone: Type.String({
          minLength: 1,
          maxLength: 64,
          pattern: '^[A-Za-z_]+(?:/[A-Za-z0-9_+-]+){0,2}$',
          description: 'IANA, for example `Europe/Malta`.',
        }),
        minimum: Type.Optional(
          Type.String({ minLength: 1, maxLength: 32, description: 'Less is not paid. Default: any amount.' }),
        ),
        delay_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 90, description: 'Default 0.' })),
        reason: Type.String({ maxLength: 200, pattern: '\\S', description: 'For the second person.' }),
      },
      closed,
    ),
  },
  responses: {
    202: { description: 'Stored; awaiting a second person.', schema: Schedule },
    409: { description: 'Another schedule of the seller in this currency waits for a second person.' },
  },
} as const satisfies RouteContract;

export const postPayoutScheduleReview = {
  operationId: 'postPayoutScheduleReview',
  method: 'POST',
  path: `${path}/{schedule_no}/review`,
  listener: 'internal',
  scopes: ['finance'],
  tag: 'payouts',
  summary: 'Approve or deny a payout schedule as the second person',
  params: byNo,
  body: { ...json, schema: SecondReview },
  responses: {
    200: { description: 'The decision is recorded.', schema: Schedule },
    403: { description: 'The second person must not be the one who requested it.' },
    404: { description: 'No schedule has this number.' },
    409: { description: 'It is not awaiting a second person.' },
  },
} as const satisfies RouteContract;

export const postPayoutScheduleStop = {
  operationId: 'postPayoutScheduleStop',
  method: 'POST',
  path: `${path}/{schedule_no}/stop`,
  listener: 'internal',
  scopes: ['payouts', 'finance'],
  tag: 'payouts',
  summary: 'Stop a payout schedule; one person is enough',
  params: byNo,
  body: {
    ...json,
    schema: Type.Object({ reason: Type.String({ maxLength: 200, pattern: '\\S' }) }, closed),
  },
  responses: {
    204: { description: 'It pays nothing any more. Payouts that exist go on.' },
    404: { description: 'No schedule has this number.' },
    409: { description: 'It is neither active nor awaiting a second person.' },
  },
} as const satisfies RouteContract;

export const getPayoutSchedules = {
  operationId: 'getPayoutSchedules',
  method: 'GET',
  path,
  listener: 'both',
  scopes: ['merchant', 'payouts', 'finance'],
  tag: 'payouts',
  summary: 'Payout schedules by number; merchants see those of their seller accounts',
  query: Type.Object({ status: Type.Optional(State), ...pageByNumber }),
  responses: {
    200: {
      description: 'One page.',
      schema: Type.Object({ schedules: Type.Array(Schedule), next: OrNull(Type.String()) }),
    },
  },
} as const satisfies RouteContract;

export const payoutScheduleContracts: readonly RouteContract[] = [
  postPayoutSchedule,
  postPayoutScheduleReview,
  postPayoutScheduleStop,
  getPayoutSchedules,
];
