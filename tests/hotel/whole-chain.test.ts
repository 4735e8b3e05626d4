import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadHotels } from '#hotel/load/load-hotels.js';
import { proves } from '#tools/acceptance/proves.js';
import { type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
beforeAll(async () => {
  served = await serveHotels();
});
afterAll(() => served?.close());

proves('H-001', {
  asked: 'the loader makes 5,000 hotels and 1,000,000 rooms; 100 random ones answer with the loaded values',
  shown: 'all of them counted; 100 hotels and 100 rooms at random over HTTP, every field',
  settings: ['one day of inventory in place of 730, which H-002 counts'],
  control: {
    in: 'hotel/load/load-hotels.ts',
    change: 'roomTypes: 20, rooms: 200,',
    to: 'roomTypes: 20, rooms: 180,',
  },
});
proves('H-002', {
  asked: '73,000,000 rows: each of 5,000 hotels and 20 types has each of 730 days once',
  shown: '100,000 rows: each of 5,000 hotels and 20 types has the first day once, with its ten rooms',
  scaled:
    '1 : 730: all take 8 GiB; the 73,000,000 rows of `bench hotel inventory` are filled by SQL of its own',
  control: {
    in: 'hotel/load/load-hotels.ts',
    change: "SELECT h, ${typeId('t')}, z.today + d, $6::integer ${everyDay}",
    to: "SELECT h, ${typeId('t')}, z.today + t % 2, $6::integer ${everyDay}",
  },
});
// On an idle machine it takes half a minute.
test('H-001, H-002: the whole chain is loaded, and any hotel and room is read as it was loaded', async () => {
  const { sql, clock } = served.database;
  const loaded = await loadHotels(sql, { hotels: 5_000, days: 1, now: clock.now });
  expect(loaded).toEqual({ hotels: 5_000, rooms: 1_000_000, inventory: 100_000 });
  const { rows } = await sql.query(
    `SELECT (SELECT count(*)::integer FROM hotel) AS hotels, (SELECT count(*)::integer FROM room) AS rooms`,
  );
  expect(rows).toEqual([{ hotels: 5_000, rooms: 1_000_000 }]);
  const { rows: days } = await sql.query(
    `SELECT count(*)::integer AS rows, count(DISTINCT hotel_id)::integer AS hotels,
       count(DISTINCT (hotel_id, room_type_id))::integer AS types, count(DISTINCT date)::integer AS days,
       min(total_inventory) AS least, max(total_inventory) AS most FROM room_type_inventory`,
  );
  expect(days).toEqual([{ rows: 100_000, hotels: 5_000, types: 100_000, days: 1, least: 10, most: 10 }]);

  const hotelAndRoom = fc.tuple(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 200 }));
  // Evenly over the chain: generators prefer the ends of a range.
  const each = { minLength: 100, maxLength: 100, selector: ([h]: readonly [number, number]) => h };
  const drawn = fc.sample(fc.noBias(fc.uniqueArray(hotelAndRoom, each)), { numRuns: 1, seed: 1 })[0]!;
  for (const [h, r] of drawn) {
    const hotelID = `h${String(h).padStart(5, '0')}`;
    const hotel = await served.call('GET', `/v1/hotels/${hotelID}`);
    expect([hotel.status, hotel.json]).toEqual([
      200,
      {
        hotelID,
        name: `Meridian Hotel ${h}`,
        address: `${h} Triq Ir-Repubblika, Malta`,
        lat: expect.closeTo(35.86 + 0.05 * ((h * 0.7548776662) % 1), 6),
        lng: expect.closeTo(14.42 + 0.08 * ((h * 0.569840291) % 1), 6),
        timeZone: 'Europe/Malta',
        currency: 'EUR',
        country: 'MT',
        checkInTime: '15:00',
        checkOutTime: '11:00',
        amenities: ['wi-fi', 'breakfast'],
        roomTypes: Array.from({ length: 20 }, (_, t) => ({
          roomTypeID: `t${String(t + 1).padStart(2, '0')}`,
          name: ['Double', 'Family room', 'Studio', 'Single'][t] ?? `Room type ${t + 1}`,
          capacity: 1 + ((t + 1) % 4),
          beds: 1 + ((t + 1) % 2),
          freeCancelHours: 24,
          lateCancelPercent: 100,
        })),
      },
    ]);
    const roomID = `r${String(r).padStart(4, '0')}`;
    const floor = 1 + Math.floor((r - 1) / 20);
    const room = await served.call('GET', `/v1/hotels/${hotelID}/rooms/${roomID}`);
    expect([room.status, room.json]).toEqual([
      200,
      {
        ...{ hotelID, roomID, floor, status: 'available', outOfOrder: [] },
        roomTypeID: `t${String(1 + ((r - 1) % 20)).padStart(2, '0')}`,
        number: String(100 * floor + 1 + ((r - 1) % 20)),
      },
    ]);
  }
}, 1_800_000);
