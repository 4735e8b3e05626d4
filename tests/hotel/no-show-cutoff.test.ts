import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeHouseRules } from '#hotel/housekeeping/house-rules.js';
import { Stays } from '#hotel/reservations/stays.js';
import { markNoShows } from '#hotel/staff/mark-no-shows.js';
import { type HotelDatabase, openHotelDatabase, requestFor } from './inventory-database.js';

let db: HotelDatabase;
beforeAll(async () => {
  db = await openHotelDatabase();
});
afterAll(() => db?.dispose());

const at = (time: string) => {
  db.clock.now = new Date(time);
};
const staff = { staff: true } as const;

async function paidStay(hotelId: string, startDate: string, endDate: string): Promise<string> {
  const reservations = db.reservations({ holdsPerUserMax: 1_000 });
  const made = await reservations.reserve(requestFor(hotelId, { startDate, endDate }));
  if (made.kind !== 'reserved') throw new Error(made.kind);
  const { reservationId, priceMinor: amountMinor, currency } = made.reservation;
  await reservations.confirmPayment({
    ...{ reservationId, amountMinor, currency },
    paymentId: `p-${reservationId}`,
  });
  return reservationId;
}

test('after the cut-off, by the clock of the hotel, the absent are no-shows; nobody before', async () => {
  at('2027-07-01T08:00:00Z');
  const hotelId = await db.hotel({ days: 4 });
  const without = await db.hotel({ days: 4 });
  await writeHouseRules(db.sql, hotelId, { checkInNeeds: 'clean', noShowAt: '12:00' });
  const absent = await paidStay(hotelId, '2027-07-01', '2027-07-03');
  const oneNight = await paidStay(hotelId, '2027-07-01', '2027-07-01');
  const here = await paidStay(hotelId, '2027-07-01', '2027-07-03');
  const later = await paidStay(hotelId, '2027-07-02', '2027-07-03');
  const elsewhere = await paidStay(without, '2027-07-01', '2027-07-03');
  const unpaid = await db.reservations().reserve(requestFor(hotelId));
  const stays = new Stays({ sql: db.sql, now: () => db.clock.now });
  at('2027-07-01T14:00:00Z');
  await stays.assignRooms(here);
  await stays.checkIn(here);
  const failed: string[] = [];
  const round = () =>
    markNoShows({ sql: db.sql, stays, now: () => db.clock.now, onError: (id) => failed.push(id) });
  // 11:59 in Stockholm: the desk is too early, too.
  at('2027-07-02T09:59:00Z');
  expect(await round()).toBe(0);
  expect((await stays.markNoShow(absent)).kind).toBe('refused');
  expect((await stays.markNoShow(elsewhere)).kind).toBe('changed');
  at('2027-07-02T10:00:00Z');
  expect(await round()).toBe(2);
  expect(await round()).toBe(0);
  const read = async (id: string) => db.reservations().get(id, staff);
  // Free cancellation has ended: all of the price is kept, and two nights are on sale again.
  expect(await read(absent)).toMatchObject({
    status: 'no_show',
    endDate: '2027-07-01',
    priceMinor: 30_000n,
    refundDueMinor: 0n,
  });
  expect(await read(oneNight)).toMatchObject({ status: 'no_show', endDate: '2027-07-01' });
  expect(await read(here)).toMatchObject({ status: 'checked_in' });
  expect(await read(later)).toMatchObject({ status: 'paid' });
  expect(unpaid.kind).toBe('reserved');
  expect((await db.counts(hotelId)).slice(0, 3)).toEqual([4, 3, 3]);
  const { rows } = await db.sql.query(
    'SELECT staff_id, action, outcome FROM staff_action WHERE subject = $1',
    [absent],
  );
  expect(rows).toEqual([{ staff_id: 'automatic', action: 'no-show', outcome: 'changed' }]);
  expect(failed).toEqual([]);
  await db.prove();
  await writeHouseRules(db.sql, hotelId, { checkInNeeds: 'clean', noShowAt: null });
  at('2027-06-01T12:00:00Z');
});

test('a stay that ended before yesterday is left to staff; one that fails holds back no other', async () => {
  at('2027-07-01T08:00:00Z');
  const hotelId = await db.hotel({ days: 5 });
  const old = await paidStay(hotelId, '2027-07-01', '2027-07-01');
  const broken = await paidStay(hotelId, '2027-07-02', '2027-07-04');
  const good = await paidStay(hotelId, '2027-07-03', '2027-07-04');
  await writeHouseRules(db.sql, hotelId, { checkInNeeds: 'clean', noShowAt: '00:00' });
  at('2027-07-04T08:00:00Z');
  const real = new Stays({ sql: db.sql, now: () => db.clock.now });
  const failed: string[] = [];
  const stays = {
    markNoShow: (id: string) =>
      id === broken ? Promise.reject(new Error('the database is away')) : real.markNoShow(id),
  };
  const onError = (id: string) => failed.push(id);
  expect(await markNoShows({ sql: db.sql, stays, now: () => db.clock.now, onError })).toBe(1);
  expect(failed).toEqual([broken]);
  const statusOf = async (id: string) => (await db.reservations().get(id, staff))?.status;
  expect([await statusOf(old), await statusOf(broken), await statusOf(good)]).toEqual([
    'paid',
    'paid',
    'no_show',
  ]);
  at('2027-06-01T12:00:00Z');
});
