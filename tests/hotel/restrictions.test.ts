import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RatePlan } from '#hotel/rates/rate-plan.js';
import { putRatePlan } from '#hotel/rates/rate-plans.js';
import type { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import type { ReserveRequest } from '#hotel/reservations/reservations.js';
import { guards } from '#hotel/reservations/reserve-batch.js';
import type { AriUpdate } from '#hotel/selling/ari-update.js';
import { AriRefused, updateAri } from '#hotel/selling/update-ari.js';
import type { SqlSession } from '#platform/sql/sql.js';
import { type HotelDatabase, openHotelDatabase, requestFor } from './inventory-database.js';

let db: HotelDatabase;
let reservations: PostgresReservations;
beforeAll(async () => {
  db = await openHotelDatabase();
  reservations = db.reservations({ holdsPerUserMax: 1_000 });
});
afterAll(() => db?.dispose());

const today = '2027-06-01';
const updateOf = (given: Partial<AriUpdate>): AriUpdate => ({
  roomTypeIds: ['double'],
  from: '2027-07-01',
  to: '2027-07-10',
  ...given,
});
const set = (hotelId: string, given: Partial<AriUpdate>, tx: SqlSession = db.sql) =>
  updateAri(tx, hotelId, [updateOf(given)], today);
const nonref: RatePlan = {
  planId: 'nonref',
  name: 'Non-refundable',
  meal: 'none',
  refundable: false,
  freeCancelHours: 0,
  lateCancelPercent: 100,
  valid: [{ from: '2027-01-01', to: '2028-12-31' }],
  price: { kind: 'derived', from: null, percent: 90, amountMinor: 0n },
};
const withPlan = async () => {
  const hotelId = await db.hotel();
  await db.sql.transaction((tx) => putRatePlan(tx, hotelId, 'double', nonref, today));
  return hotelId;
};
const stay = (startDate: string, endDate: string, given: Partial<ReserveRequest> = {}) => ({
  ...{ startDate: `2027-07-${startDate}`, endDate: `2027-07-${endDate}` },
  ...given,
});

/** What each restriction refuses, and the next stay that it does not. */
const cases = [
  {
    rule: { from: '2027-07-02', to: '2027-07-03', stopSell: true },
    refused: [stay('01', '04'), { kind: 'stop-sell', dates: ['2027-07-02', '2027-07-03'] }],
    sold: stay('04', '05'),
  },
  {
    rule: { from: '2027-07-02', to: '2027-07-02', closedToArrival: true },
    refused: [stay('02', '03'), { kind: 'closed-to-arrival', dates: ['2027-07-02'] }],
    sold: stay('01', '03'),
  },
  {
    rule: { from: '2027-07-03', to: '2027-07-03', closedToDeparture: true },
    refused: [stay('01', '02'), { kind: 'closed-to-departure', dates: ['2027-07-03'] }],
    sold: stay('01', '03'),
  },
  {
    rule: { from: '2027-07-01', to: '2027-07-02', minStay: 3 },
    refused: [stay('02', '03'), { kind: 'minimum-stay', dates: ['2027-07-02'], nights: 3 }],
    sold: stay('02', '04'),
  },
  {
    rule: { from: '2027-07-01', to: '2027-07-02', maxStay: 2 },
    refused: [stay('02', '04'), { kind: 'maximum-stay', dates: ['2027-07-02'], nights: 2 }],
    sold: stay('02', '03'),
  },
] as const;

describe.each(guards)('guarded by %s', (guard) => {
  test.each(cases)('$refused.1.kind, of the room type and of a plan', async ({ rule, refused, sold }) => {
    const guarded = db.reservations({ guard, holdsPerUserMax: 1_000 });
    const [asked, outcome] = refused;
    const hotelId = await withPlan();
    await set(hotelId, rule);
    expect(await guarded.reserve(requestFor(hotelId, asked))).toEqual(outcome);
    const plan = { ratePlanId: 'nonref' };
    expect(await guarded.reserve(requestFor(hotelId, { ...asked, ...plan }))).toEqual(outcome);
    expect((await guarded.reserve(requestFor(hotelId, sold))).kind).toBe('reserved');
    const other = await withPlan();
    await set(other, { ...rule, ...plan });
    expect(await guarded.reserve(requestFor(other, { ...asked, ...plan }))).toEqual(outcome);
    expect((await guarded.reserve(requestFor(other, asked))).kind).toBe('reserved');
    expect((await guarded.reserve(requestFor(other, { ...sold, ...plan }))).kind).toBe('reserved');
  });

  test('a limit of what may be sold is reached exactly, with what was sold before', async () => {
    const guarded = db.reservations({ guard, holdsPerUserMax: 1_000 });
    const hotelId = await db.hotel();
    const kinds = async (count: number) => {
      const outcomes: string[] = [];
      for (let n = 0; n < count; n += 1)
        outcomes.push((await guarded.reserve(requestFor(hotelId, stay('02', '02')))).kind);
      return outcomes;
    };
    expect(await kinds(1)).toEqual(['reserved']);
    await set(hotelId, { sellLimit: 3 });
    expect(await kinds(3)).toEqual(['reserved', 'reserved', 'insufficient']);
    await set(hotelId, { sellLimit: 0 });
    expect(await kinds(1)).toEqual(['insufficient']);
    await set(hotelId, { sellLimit: null });
    expect((await db.counts(hotelId))[1]).toBe(3);
  });

  test.each(['the room type', 'a plan'])(
    'a restriction of %s that is being set decides about a reservation that comes meanwhile',
    async (of) => {
      const guarded = db.reservations({ guard, holdsPerUserMax: 1_000 });
      const hotelId = await withPlan();
      const plan = of === 'a plan' ? { ratePlanId: 'nonref' } : {};
      let outcome: Promise<unknown> | undefined;
      await db.sql.transaction(async (tx) => {
        await set(hotelId, { stopSell: true, ...plan }, tx);
        outcome = guarded.reserve(requestFor(hotelId, plan));
        await new Promise((resolve) => setTimeout(resolve, 100));
      });
      expect(await outcome).toMatchObject({ kind: 'stop-sell' });
      expect(await db.counts(hotelId)).toEqual(Array(10).fill(0));
    },
  );
});

test('a limit in force when a storm begins is never passed, whatever is set meanwhile', async () => {
  const hotelId = await db.hotel({ total: 20, days: 5 });
  await set(hotelId, { to: '2027-07-05', overbookingPercent: 105 });
  let isOver = false;
  const setting = (async () => {
    for (let turn = 0; !isOver; turn += 1)
      await db.sql.transaction((tx) =>
        set(
          hotelId,
          { to: '2027-07-05', overbookingPercent: turn % 2 === 0 ? 100 : 105, stopSell: turn % 3 === 0 },
          tx,
        ),
      );
  })();
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, () => reservations.reserve(requestFor(hotelId))),
  );
  isOver = true;
  await setting;
  const kinds = outcomes.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'reserved').length).toBeLessThanOrEqual(21);
  expect(kinds.filter((kind) => !['reserved', 'insufficient', 'stop-sell'].includes(kind))).toEqual([]);
  await db.sql.query('UPDATE room_type_inventory SET overbooking_percent = 105 WHERE hotel_id = $1', [
    hotelId,
  ]);
  await db.prove();
});

describe('changes of a stay', () => {
  const reserved = async (hotelId: string, given: Partial<ReserveRequest>) => {
    const outcome = await reservations.reserve(requestFor(hotelId, given));
    if (outcome.kind !== 'reserved') throw new Error(outcome.kind);
    return outcome.reservation;
  };

  test('restrictions stand against what is sold in addition, not against what was sold before', async () => {
    const hotelId = await db.hotel();
    const mine = await reserved(hotelId, stay('02', '04'));
    const to = async (startDate: string, endDate: string) =>
      reservations.changeStay(mine.reservationId, mine, stay(startDate, endDate));
    await set(hotelId, { stopSell: true });
    expect(await to('02', '05')).toEqual({ kind: 'stop-sell', dates: ['2027-07-05'] });
    expect((await to('02', '03')).kind).toBe('changed');
    await set(hotelId, { stopSell: false, closedToArrival: true, closedToDeparture: true });
    expect(await to('03', '03')).toEqual({ kind: 'closed-to-arrival', dates: ['2027-07-03'] });
    expect(await to('02', '04')).toEqual({ kind: 'closed-to-departure', dates: ['2027-07-05'] });
    await set(hotelId, { closedToArrival: false, closedToDeparture: false, minStay: 2, maxStay: 3 });
    expect(await to('02', '02')).toEqual({ kind: 'minimum-stay', dates: ['2027-07-02'], nights: 2 });
    expect(await to('02', '05')).toEqual({ kind: 'maximum-stay', dates: ['2027-07-02'], nights: 3 });
    await set(hotelId, { minStay: 3 });
    const more = await reservations.changeStay(mine.reservationId, mine, { roomCount: 2 });
    expect(more).toMatchObject({ kind: 'minimum-stay' });
    await db.prove();
  });

  test('a restriction that is being set decides about a change that comes meanwhile', async () => {
    const hotelId = await db.hotel();
    const mine = await reserved(hotelId, stay('01', '03'));
    let outcome: Promise<unknown> | undefined;
    await db.sql.transaction(async (tx) => {
      // None of the nights that the change releases.
      await set(hotelId, { from: '2027-07-01', to: '2027-07-01', minStay: 3 }, tx);
      outcome = reservations.changeStay(mine.reservationId, mine, stay('01', '02'));
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    expect(await outcome).toMatchObject({ kind: 'minimum-stay', nights: 3 });
  });
});

test('nothing of a refused request is kept', async () => {
  const hotelId = await db.hotel();
  const dump = async () =>
    (
      await db.sql.query(
        `SELECT (SELECT jsonb_agg(i ORDER BY date) FROM room_type_inventory i WHERE hotel_id = $1) AS days,
           (SELECT jsonb_agg(r ORDER BY date) FROM room_type_rate r WHERE hotel_id = $1) AS rates`,
        [hotelId],
      )
    ).rows;
  const before = await dump();
  for (const wrong of [
    { to: '2027-07-11', minStay: 2 },
    { ratePlanId: 'none', minStay: 2 },
    { minStay: 3, maxStay: 2 },
  ])
    await expect(
      db.sql.transaction((tx) =>
        updateAri(tx, hotelId, [updateOf({ priceMinor: 1n, stopSell: true }), updateOf(wrong)], today),
      ),
    ).rejects.toBeInstanceOf(AriRefused);
  expect(await dump()).toEqual(before);
});
