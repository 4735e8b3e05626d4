import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillInventory } from '#hotel/inventory/fill-inventory.js';
import { loadHotels } from '#hotel/load/load-hotels.js';
import { priceUnits, unitsPerEuro } from '#hotel/load/price-units.js';
import { currencyDecimals } from '#schemas/currency.js';
import { proves } from '#tools/acceptance/proves.js';
import { type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
beforeAll(async () => {
  served = await serveHotels();
});
afterAll(() => served?.close());

const size = { hotels: 12, roomTypes: 4, rooms: 8, days: 730 };
const one = async (text: string) => (await served.database.sql.query(text)).rows[0]!['n'];

proves('H-001', {
  asked: 'hotels and rooms are read with the values that were loaded',
  shown: 'of a small chain each of 12 hotels and 96 rooms over HTTP; the whole one in `whole-chain`',
  control: {
    in: 'hotel/load/load-hotels.ts',
    change: "typeId('1 + (r - 1) % $3::integer')",
    to: "typeId('1 + r % $3::integer')",
  },
});
proves('H-002', {
  asked: '73,000,000 rows, each hotel, type and day once',
  shown: '35,040 rows, 730 days for each of 48 room types, none odd',
  scaled: '1 : 2,083: all of them take 8 GiB; `bench hotel inventory` makes them with LOAD=1',
  control: {
    in: 'hotel/load/load-hotels.ts',
    change: 'generate_series(0, $3::integer - 1) d`',
    to: 'generate_series(0, $3::integer) d`',
  },
});
test('H-001, H-002: a small chain is loaded completely, each day of a type once, bookable', async () => {
  const now = served.database.clock.now;
  const seen: number[] = [];
  const loaded = await loadHotels(served.database.sql, {
    ...size,
    now,
    onProgress: ({ hotels }) => seen.push(hotels),
  });
  expect(loaded).toEqual({ hotels: 12, rooms: 96, inventory: 12 * 4 * 730 });
  expect(seen).toEqual([5, 10, 12]);
  expect(await one('SELECT count(*)::integer AS n FROM hotel')).toBe(12);
  expect(await one('SELECT count(*)::integer AS n FROM room')).toBe(96);
  expect(await one('SELECT count(*)::integer AS n FROM room_type_inventory')).toBe(35_040);
  expect(await one('SELECT count(*)::integer AS n FROM room_type_rate')).toBe(35_040);
  expect(
    await one(`SELECT count(*)::integer AS n FROM (SELECT hotel_id, room_type_id FROM room_type_inventory
      GROUP BY 1, 2 HAVING count(*) <> 730 OR min(date) <> '2027-06-01' OR max(date) <> '2027-06-01'::date + 729
        OR min(total_inventory) <> 2 OR max(total_inventory) <> 2) odd`),
  ).toBe(0);
  for (let n = 1; n <= 12; n += 1) {
    const hotel = `/v1/hotels/h${String(n).padStart(5, '0')}`;
    const { status, json } = await served.call('GET', hotel);
    expect([status, json.name, json.roomTypes.length]).toEqual([200, `Meridian Hotel ${n}`, 4]);
    for (let r = 1; r <= 8; r += 1) {
      const room = await served.call('GET', `${hotel}/rooms/r000${r}`);
      const type = `t0${1 + ((r - 1) % 4)}`;
      expect([room.status, room.json.number, room.json.roomTypeID]).toEqual([200, `10${r}`, type]);
    }
  }
  const body = {
    hotelID: 'h00003',
    roomTypeID: 't02',
    startDate: '2027-06-04',
    endDate: '2027-06-06',
    roomCount: '1',
    reservationID: 'loaded',
  };
  const made = await served.call('POST', '/v1/reservations', { token: served.tokens['anna']!, body });
  expect([made.status, made.json.nights.map(({ price }: { price: string }) => price)]).toEqual([
    201,
    ['120.00', '120.00', '100.00'],
  ]);
});

test('loading again adds only the missing rows; the daily job continues from there', async () => {
  const { sql, clock } = served.database;
  await sql.query(`INSERT INTO hotel (hotel_id, name, address, lat, lng, time_zone, currency)
    VALUES ('h00013', 'Mine', 'x', 0, 0, 'UTC', 'EUR')`);
  const before = await one('SELECT sum(total_reserved)::integer AS n FROM room_type_inventory');
  const loaded = await loadHotels(sql, { ...size, hotels: 14, now: clock.now });
  expect(loaded.hotels).toBe(1);
  expect(await one(`SELECT name AS n FROM hotel WHERE hotel_id = 'h00013'`)).toBe('Mine');
  expect(await one('SELECT sum(total_reserved)::integer AS n FROM room_type_inventory')).toBe(before);
  expect(await fillInventory(sql, { now: clock.now })).toBe(13 * 4);
  expect(await fillInventory(sql, { now: clock.now })).toBe(0);
  await served.database.prove();
});

test('hotels at given sites have their time zone, and prices of their own in their currency', async () => {
  const { sql, clock } = served.database;
  const site = (name: string, timeZone: string, currency: string) => ({
    ...{ name, address: `1 ${name}`, lat: 1, lng: 2, timeZone, currency },
  });
  const sites = [
    ...Array.from({ length: 14 }, () => site('Known', 'UTC', 'EUR')),
    site('Ginza', 'Asia/Tokyo', 'JPY'),
    site('Sliema', 'Europe/Malta', 'EUR'),
    site('Souq', 'Asia/Kuwait', 'KWD'),
  ];
  expect((await loadHotels(sql, { ...size, hotels: 17, days: 3, sites, now: clock.now })).hotels).toBe(3);
  const { rows } = await sql.query(`SELECT hotel_id, name, address, currency,
      (SELECT price_minor::integer FROM room_type_rate r
        WHERE r.hotel_id = h.hotel_id AND room_type_id = 't01' ORDER BY date LIMIT 1) AS price
    FROM hotel h WHERE hotel_id > 'h00014' ORDER BY 1`);
  expect(rows).toEqual([
    { hotel_id: 'h00015', name: 'Ginza', address: '1 Ginza', currency: 'JPY', price: 7_700 },
    { hotel_id: 'h00016', name: 'Sliema', address: '1 Sliema', currency: 'EUR', price: 10_800 },
    { hotel_id: 'h00017', name: 'Souq', address: '1 Souq', currency: 'KWD', price: 81_000 },
  ]);
  await served.database.prove();
});

test('currencies with small or large units are all known, and each once', () => {
  expect(new Set(priceUnits.map(([code]) => code)).size).toBe(priceUnits.length);
  for (const [code] of priceUnits) expect(currencyDecimals(code), code).toBeDefined();
  expect([unitsPerEuro('SEK'), unitsPerEuro('EUR')]).toEqual([10, 1]);
});

test.each([
  [{ hotels: 2, sites: [] }, 'sites'],
  [{ hotels: 0 }, 'hotels'],
  [{ hotels: 1.5 }, 'hotels'],
  [{ hotels: 1, rooms: 7, roomTypes: 2 }, 'evenly'],
  [{ hotels: 1, days: 10_000 }, 'days'],
])('rejects %j with a sentence', async (options, word) => {
  await expect(loadHotels(served.database.sql, options)).rejects.toThrow(word);
});
