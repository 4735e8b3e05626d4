import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '#hotel/reservations/stay-days.js';
import { ariLimits } from '#hotel/selling/ari-update.js';
import { ariBounds } from '#schemas/http/hotel-ari.js';
import { proves } from '#tools/acceptance/proves.js';
import { requestFor } from './inventory-database.js';
import { type ServedHotels, serveHotels } from './served-hotels.js';

/** A hotel with 2,000 rooms of 50 types, for 500 days. */
const types = Array.from({ length: 50 }, (_, n) => `type-${String(n).padStart(2, '0')}`);
const firstDay = '2027-07-01';
const lastDay = addDays(firstDay, 499);
const hotelId = 'large';

let hotels: ServedHotels;
beforeAll(async () => {
  hotels = await serveHotels();
  const { sql } = hotels.database;
  await sql.query(
    `INSERT INTO hotel (hotel_id, name, address, lat, lng, time_zone, currency) VALUES ($1, 'Large', 'Square 1', 57.7, 12, 'Europe/Stockholm', 'SEK')`,
    [hotelId],
  );
  await sql.query(
    `INSERT INTO room_type (hotel_id, room_type_id, name) SELECT $1, t, t FROM unnest($2::text[]) t`,
    [hotelId, types],
  );
  await sql.query(
    `INSERT INTO room_type_inventory (hotel_id, room_type_id, date, total_inventory)
     SELECT $1, t, $3::date + d, 40 FROM unnest($2::text[]) t, generate_series(0, 499) d`,
    [hotelId, types, firstDay],
  );
});
afterAll(() => hotels?.close());

const update = (updates: readonly object[], path = hotelId) =>
  hotels.call('PUT', `/v1/staff/hotels/${path}/ari`, {
    token: hotels.tokens['siv']!,
    listener: 'internal',
    body: { reason: 'season', updates },
  });
const all = { roomTypeIDs: types, from: firstDay, to: lastDay };
const eventsAfter = async (id: bigint) =>
  (await hotels.database.sql.query('SELECT event_id, key FROM hotel_outbox WHERE event_id > $1', [id])).rows;
const newest = async () =>
  (await hotels.database.sql.query('SELECT coalesce(max(event_id), 0) AS id FROM hotel_outbox')).rows[0]![
    'id'
  ] as bigint;

test('a large hotel sets everything for 500 days in one request, and again without effect', async () => {
  const before = await newest();
  const everything = {
    ...all,
    price: '120.00',
    overbookingPercent: 105,
    sellLimit: 41,
    minStay: 2,
    maxStay: 14,
    closedToArrival: false,
    closedToDeparture: false,
    stopSell: false,
  };
  expect((await update([everything])).status).toBe(204);
  // One event for each room type, whatever the number of days.
  expect((await eventsAfter(before)).length).toBe(types.length);
  const { rows } = await hotels.database.sql.query(
    `SELECT count(*)::integer AS days FROM room_type_inventory JOIN room_type_rate USING (hotel_id, room_type_id, date)
     WHERE hotel_id = $1 AND price_minor = 12000 AND overbooking_percent = 105 AND sell_limit = 41 AND min_stay = 2 AND max_stay = 14`,
    [hotelId],
  );
  expect(rows).toEqual([{ days: 25_000 }]);
  const after = await newest();
  expect((await update([everything])).status).toBe(204);
  expect(await eventsAfter(after)).toEqual([]);
});

proves('H-010', {
  asked: 'each change made there is visible through the public API',
  shown: 'price, rooms on sale and length of stay that staff set for 50 types, read by anybody',
  control: {
    in: 'hotel/http/availability-route.ts',
    change: '{ restrictions: restricted }',
    to: '{ restrictions: { ...restricted, maxStay: undefined } }',
  },
});
test('H-010: reservations of it go on, and its calendar shows what was set', async () => {
  const reservations = hotels.database.reservations({ holdsPerUserMax: 1_000 });
  const kinds = await Promise.all(
    Array.from({ length: 45 }, async () => {
      const asked = requestFor(hotelId, { roomTypeId: 'type-49', endDate: '2027-07-02' });
      return (await reservations.reserve(asked)).kind;
    }),
  );
  expect(kinds.filter((kind) => kind === 'reserved')).toHaveLength(41);
  const calendar = await hotels.call(
    'GET',
    `/v1/staff/hotels/${hotelId}/calendar?from=${firstDay}&to=${firstDay}`,
    {
      token: hotels.tokens['siv']!,
      listener: 'internal',
    },
  );
  expect(calendar.json.days).toHaveLength(50);
  expect(calendar.json.days[49]).toEqual({
    ...{ roomTypeID: 'type-49', date: firstDay, totalInventory: 40, totalReserved: 41, overbooked: false },
    ...{ overbookingPercent: 105, sellLimit: 41, restrictions: { minStay: 2, maxStay: 14 }, rate: '120.00' },
  });
  const free = await hotels.call(
    'GET',
    `/v1/hotels/${hotelId}/room-types/type-48/availability?startDate=${firstDay}&endDate=${firstDay}`,
  );
  expect(free.json.nights).toEqual([
    { date: firstDay, rooms: 41, price: '120.00', restrictions: { minStay: 2, maxStay: 14 } },
  ]);
});

test('a request is bounded, checked and all or nothing', async () => {
  expect(ariBounds).toEqual({
    ...{ updatesMax: ariLimits.updatesMax, cellsMax: ariLimits.cellsMax, daysMax: ariLimits.daysMax },
  });
  const fine = { ...all, to: firstDay, stopSell: true };
  const faults = async (wrong: object) =>
    (await update([fine, { ...fine, ...wrong }])).json.errors.map((one: { pointer: string }) => one.pointer);
  expect(await faults({ roomTypeIDs: ['type-00', 'attic'] })).toEqual(['/updates/1/roomTypeIDs/1']);
  expect(await faults({ to: '2027-06-30' })).toEqual(['/updates/1/to']);
  expect(await faults({ to: addDays(firstDay, 800) })).toEqual(['/updates/1/to']);
  expect(await faults({ price: '0.00' })).toEqual(['/updates/1/price']);
  expect(await faults({ price: '1.001' })).toEqual(['/updates/1/price']);
  expect(await faults({ minStay: 3, maxStay: 2 })).toEqual(['/updates/1/minStay']);
  expect(await faults({ ratePlanID: 'bb', sellLimit: 2 })).toEqual(['/updates/1/sellLimit']);
  expect(await faults({ stopSell: undefined })).toEqual(['/updates/1/']);
  expect(
    (await update([all, all, { ...all, to: firstDay }].map((one) => ({ ...one, stopSell: true })))).status,
  ).toBe(400);
  expect((await update([{ ...all, stopSell: 'yes' }])).status).toBe(400);
  expect((await update([])).status).toBe(400);
  expect((await update([fine], 'nowhere')).status).toBe(404);
  const beyond = await update([fine, { ...all, from: lastDay, to: addDays(lastDay, 1), minStay: 3 }]);
  expect(beyond).toMatchObject({ status: 409, json: { code: 'not-bookable', dates: [addDays(lastDay, 1)] } });
  const { rows } = await hotels.database.sql.query('SELECT FROM room_type_inventory WHERE stop_sell');
  expect(rows).toEqual([]);
});
