import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { sellerAccount } from '#payment/ledger/accounts.js';
import { balanceOf } from '#payment/ledger/balance.js';
import { post } from '#payment/ledger/ledger.js';
import { captureOf, refundOf } from '#payment/ledger/payment-transfers.js';
import { parseCurrency } from '#payment/money/currency.js';
import {
  beginningOf,
  requestSchedule,
  reviewSchedule,
  type ScheduleRequested,
  stopSchedule,
} from '#payment/payouts/approve-schedule.js';
import { createPayoutsOfPeriod } from '#payment/payouts/create-payouts.js';
import type { Payable, PayablesProvider } from '#payment/payouts/payables-provider.js';
import { listPayouts } from '#payment/payouts/payout.js';
import { lastPayDay, nextPayDay, type PayoutDays } from '#payment/payouts/payout-calendar.js';
import { runPayouts } from '#payment/payouts/payout-runner.js';
import { findSchedule, type ScheduleTerms } from '#payment/payouts/payout-schedule.js';
import { runSchedules } from '#payment/payouts/run-schedules.js';
import { payoutDefaults } from '#payment/settings/delivery-settings.js';
import type { Sql } from '#platform/sql/sql.js';
import { proves } from '#tools/acceptance/proves.js';
import { openLedgerDatabase } from './ledger-database.js';

const dayMs = 86_400_000;
let sql: Sql;
let dispose: () => Promise<void>;
/** Of the ledger, too, whose times never fall: each test continues where the one before ended. */
let now = new Date('2031-01-01T12:00:00Z');
let names = 0;
const eur = parseCurrency('EUR')!;
const money = (minor: number) => ({ minor: BigInt(minor), currency: eur });

beforeAll(async () => {
  ({ sql, dispose } = await openLedgerDatabase());
});
afterAll(() => dispose?.());
/** What was active before is not due any more. */
const stopAll = () =>
  sql.query(`UPDATE payout_schedule SET state = 'stopped', next_run_at = NULL WHERE state = 'active'`);
beforeEach(stopAll);

const at = (text: string): void => {
  const next = new Date(text);
  if (next < now) throw new Error(`${text} is before ${now.toISOString()}`);
  now = next;
};
const earn = (seller: string, minor: number) =>
  sql.transaction((tx) =>
    post(tx, [captureOf({ paymentOrderId: `e-${names++}`, seller, amount: money(minor) })], { at: now }),
  );
const giveBack = (seller: string, minor: number) =>
  sql.transaction((tx) =>
    post(tx, [refundOf({ paymentOrderId: `e-${names++}`, seller, amount: money(minor), refundId: 'r' })], {
      at: now,
    }),
  );
const termsOf = (more: Partial<ScheduleTerms> = {}): ScheduleTerms => ({
  sellerAccount: `SELLER-${names++}`,
  days: { interval: 'daily' },
  timeZone: 'UTC',
  minimum: money(0),
  delayDays: 0,
  ...more,
});
const request = (terms: ScheduleTerms, who = 'ann') =>
  requestSchedule(sql, terms, { who, why: 'contract', now });
const numberOf = (outcome: ScheduleRequested): bigint => {
  if (outcome.kind !== 'requested') throw new Error(outcome.kind);
  return outcome.schedule.scheduleNo;
};
const review = (scheduleNo: bigint, decision: 'approve' | 'deny' = 'approve', who = 'bob') =>
  reviewSchedule(sql, { scheduleNo, decision, reason: 'as agreed', who, now });
async function active(terms: ScheduleTerms): Promise<bigint> {
  const scheduleNo = numberOf(await request(terms));
  expect(await review(scheduleNo)).toMatchObject({ kind: 'decided' });
  return scheduleNo;
}
const run = () => runSchedules(sql, now);
const sent: Payable[] = [];
const sentTo = (seller: string): readonly bigint[] =>
  sent.filter(({ sellerAccount: to }) => to === seller).map(({ amount }) => amount.minor);
/** The provider pays each call, and keeps it. */
const pay: PayablesProvider['pay'] = async (payable) => {
  sent.push(payable);
  return { kind: 'paid', reference: payable.payoutId };
};
async function sendAll(): Promise<void> {
  const provider: PayablesProvider = { pay, find: async () => ({ kind: 'absent' }) };
  const deps = { sql, provider, now: () => now, random: () => 0.5, settings: payoutDefaults };
  while ((await runPayouts({ ...deps, onAlert: () => {} })) > 0);
}
const paid = async (seller: string): Promise<Array<readonly [string, number]>> =>
  (await listPayouts(sql, { limit: 200 }))
    .filter(({ sellerAccount: who }) => who === seller)
    .map(({ period, amount }) => [period, Number(amount.minor)] as const)
    .toSorted();

describe('the calendar', () => {
  const isPayDay = (days: PayoutDays, day: string): boolean => {
    const date = new Date(`${day}T00:00:00Z`);
    if (days.interval === 'daily') return true;
    if (days.interval === 'weekly') return (date.getUTCDay() || 7) === days.weekday;
    const tomorrow = new Date(date.getTime() + dayMs);
    const isLast = tomorrow.getUTCDate() === 1;
    return date.getUTCDate() === days.monthDay || (isLast && date.getUTCDate() < days.monthDay);
  };
  const rules: readonly PayoutDays[] = [
    { interval: 'daily' },
    ...[1, 3, 7].map((weekday) => ({ interval: 'weekly', weekday }) as const),
    ...[1, 15, 28, 29, 30, 31].map((monthDay) => ({ interval: 'monthly', monthDay }) as const),
  ];
  const all = Array.from({ length: 800 }, (_, n) =>
    new Date(Date.UTC(2027, 10, 1) + n * dayMs).toISOString().slice(0, 10),
  );

  it.each(rules)('finds the days of $interval $weekday $monthDay as a search day by day does', (days) => {
    const payDays = all.filter((day) => isPayDay(days, day));
    for (const day of all.slice(40, -40)) {
      expect(lastPayDay(days, day)).toBe(payDays.findLast((one) => one <= day));
      expect(nextPayDay(days, day)).toBe(payDays.find((one) => one > day));
    }
  });
});

test('pays nothing until a second person approves, and another schedule replaces it', async () => {
  const terms = termsOf();
  const { sellerAccount: seller } = terms;
  await earn(seller, 1_000);
  const first = numberOf(await request(terms));
  expect(await request(terms, 'carl')).toEqual({ kind: 'one is waiting' });
  expect(await review(first, 'approve', 'ann')).toEqual({ kind: 'same_person' });
  at('2031-01-03T00:00:00Z');
  await run();
  expect(await paid(seller)).toEqual([]);
  expect(await review(first, 'deny')).toMatchObject({ kind: 'decided', schedule: { state: 'denied' } });
  expect(await review(first)).toEqual({ kind: 'not_waiting' });
  await run();
  expect(await paid(seller)).toEqual([]);
  const second = await active(terms);
  const third = await active({ ...terms, days: { interval: 'manual' } });
  expect((await findSchedule(sql, second))?.state).toBe('replaced');
  at('2031-01-05T00:00:00Z');
  await run();
  expect(await paid(seller)).toEqual([]);
  // Neither the database nor a person alone lets a schedule come back.
  await expect(
    sql.query(`UPDATE payout_schedule SET state = 'active' WHERE schedule_no = $1`, [second]),
  ).rejects.toThrow('keeps what two people approved');
  const stop = { scheduleNo: third, who: 'ann', reason: 'left us', now };
  expect(await stopSchedule(sql, stop)).toBe('stopped');
  expect(await stopSchedule(sql, stop)).toBe('not_active');
  expect(await stopSchedule(sql, { ...stop, scheduleNo: 999_999n })).toBe('not_found');
  expect(await request({ ...terms, timeZone: 'Mars/Olympus' })).toEqual({ kind: 'unknown time zone' });
});

test('pays once a day, also twice at once and after a restart, and once after a pause', async () => {
  const terms = termsOf();
  const { sellerAccount: seller } = terms;
  at('2031-02-01T09:00:00Z');
  await earn(seller, 500);
  await active(terms);
  await run();
  expect(await paid(seller)).toEqual([]);
  at('2031-02-02T00:00:00Z');
  await Promise.all([run(), run(), run()]);
  await run();
  expect(await paid(seller)).toEqual([['day:2031-02-02', 500]]);
  await earn(seller, 300);
  await run();
  expect(await paid(seller)).toHaveLength(1);
  // Three days without a program: the last of them is paid.
  at('2031-02-05T10:00:00Z');
  await run();
  expect(await paid(seller)).toEqual([
    ['day:2031-02-02', 500],
    ['day:2031-02-05', 300],
  ]);
  const { available } = await balanceOf(sql, sellerAccount(seller, eur));
  expect(available.minor).toBe(0n);
});

proves('P-003', {
  asked: 'killed half-way and run again: each seller is paid once',
  shown:
    'a run of two sellers dies in the second, at four places; run again twice, each is sent its balance once',
  settings: [
    'the death is an error in the transaction of the second seller',
    'a provider that counts its calls',
  ],
  control: {
    in: 'payment/payouts/run-schedules.ts',
    change: '      failures.push(error);\n',
    to: `      failures.push(error);
      await sql.query(
        \`UPDATE payout_schedule SET next_run_at = next_run_at + interval '1 day' WHERE schedule_no = $1\`,
        [scheduleNo],
      );
`,
  },
});
test('P-003: a run that dies between two sellers is done again, and pays each once', async () => {
  const places = ['SELECT 1', 'INSERT INTO payout', 'UPDATE payout_schedule SET next_run_at', 'commit'];
  for (const [index, place] of places.entries()) {
    await stopAll();
    const both = [termsOf(), termsOf()] as const;
    const [first, second] = [both[0].sellerAccount, both[1].sellerAccount];
    at(`2031-03-0${2 * index + 1}T09:00:00Z`);
    for (const { sellerAccount } of both) await earn(sellerAccount, 700);
    await active(both[0]);
    const scheduleNo = await active(both[1]);
    const day = `2031-03-0${2 * index + 2}`;
    at(`${day}T08:00:00Z`);
    let transactions = 0;
    const dying: Sql = {
      ...sql,
      query: (text, values) => sql.query(text, values),
      transaction: (work, options) => {
        transactions += 1;
        if (transactions === 1) return sql.transaction(work, options);
        return sql.transaction(async (tx) => {
          await work({
            copyIn: (statement) => tx.copyIn(statement),
            query: async (text, values) => {
              if (text.trim().startsWith(place)) throw new Error('killed');
              return tx.query(text, values);
            },
          });
          throw new Error('killed');
        }, options);
      },
    };
    await expect(runSchedules(dying, now), place).rejects.toThrow('killed');
    await sendAll();
    expect([place, sentTo(first), sentTo(second)]).toEqual([place, [700n], []]);
    const once = [[`day:${day}`, 700]];
    expect([place, await paid(first), await paid(second)]).toEqual([place, once, []]);
    expect((await findSchedule(sql, scheduleNo))?.lastPeriod).toBeUndefined();
    for (const again of [run, sendAll, run, sendAll]) await again();
    expect([place, await paid(first), await paid(second)]).toEqual([place, once, once]);
    expect([place, sentTo(first), sentTo(second)]).toEqual([place, [700n], [700n]]);
  }
});

test('begins its days in the time zone of the seller, also when clocks change', async () => {
  const berlin = termsOf({ timeZone: 'Europe/Berlin' });
  const beirut = termsOf({ timeZone: 'Asia/Beirut' });
  at('2031-03-28T12:00:00Z');
  for (const { sellerAccount: seller } of [berlin, beirut]) await earn(seller, 100);
  const [b, c] = [await active(berlin), await active(beirut)];
  const nextOf = async (no: bigint) => (await findSchedule(sql, no))!.nextRunAt!.toISOString();
  expect(await nextOf(b)).toBe('2031-03-28T23:00:00.000Z');
  at('2031-03-28T23:00:00Z');
  await run();
  expect(await paid(berlin.sellerAccount)).toEqual([['day:2031-03-29', 100]]);
  expect(await nextOf(b)).toBe('2031-03-29T23:00:00.000Z');
  // The night in which Berlin goes to summer time: the next day begins an hour earlier.
  at('2031-03-29T23:00:00Z');
  await run();
  expect(await nextOf(b)).toBe('2031-03-30T22:00:00.000Z');
  // Beirut had no midnight on the 30th; the day began at one o'clock, two hours after 20:00 UTC.
  expect((await sql.transaction((tx) => beginningOf(tx, '2031-03-30', 'Asia/Beirut'))).toISOString()).toBe(
    '2031-03-29T22:00:00.000Z',
  );
  expect(await nextOf(c)).toBe('2031-03-30T21:00:00.000Z');
});

test('pays what was held during the delay, and never more than what is available', async () => {
  const terms = termsOf({ delayDays: 2, minimum: money(150) });
  const { sellerAccount: seller } = terms;
  at('2031-05-01T10:00:00Z');
  await earn(seller, 100);
  const scheduleNo = await active(terms);
  at('2031-05-02T10:00:00Z');
  await earn(seller, 60);
  at('2031-05-04T00:00:00Z');
  await run();
  // At the beginning of the 2nd there were 100, which is below the minimum.
  expect(await paid(seller)).toEqual([]);
  expect((await findSchedule(sql, scheduleNo))?.lastOutcome).toBe('below_minimum');
  at('2031-05-04T10:00:00Z');
  await earn(seller, 1_000);
  at('2031-05-05T00:00:00Z');
  await run();
  expect(await paid(seller)).toEqual([['day:2031-05-05', 160]]);
  // Held at all beginnings, and given back before the run.
  at('2031-05-08T00:30:00Z');
  await giveBack(seller, 800);
  await run();
  expect((await paid(seller)).at(-1)).toEqual(['day:2031-05-08', 200]);
  await giveBack(seller, 500);
  at('2031-05-12T00:00:00Z');
  await run();
  expect(await paid(seller)).toHaveLength(2);
  expect((await findSchedule(sql, scheduleNo))?.lastPeriod).toBe('day:2031-05-12');
});

test('pays many sellers, each on its days, and leaves them out of the monthly run', async () => {
  at('2031-06-30T12:00:00Z');
  const weekly = termsOf({ days: { interval: 'weekly', weekday: 3 } });
  const monthly = termsOf({ days: { interval: 'monthly', monthDay: 31 } });
  for (const terms of [weekly, monthly]) {
    await earn(terms.sellerAccount, 400);
    await active(terms);
  }
  for (let hour = 0; hour < 24 * 33; hour += 6) {
    now = new Date(now.getTime() + 6 * 3_600_000);
    if (hour % 144 === 0) for (const { sellerAccount } of [weekly, monthly]) await earn(sellerAccount, 50);
    await run();
  }
  expect((await paid(weekly.sellerAccount)).map(([period]) => period)).toEqual(
    ['02', '09', '16', '23', '30'].map((day) => `day:2031-07-${day}`),
  );
  expect((await paid(monthly.sellerAccount)).map(([period]) => period)).toEqual(['day:2031-07-31']);
  await earn(weekly.sellerAccount, 1);
  await createPayoutsOfPeriod(sql, { period: '2031-08', minimum: money(1), requestedBy: 'run', now });
  expect((await paid(weekly.sellerAccount)).map(([period]) => period)).not.toContain('2031-08');
});
