import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nightPrices } from '#hotel/rates/night-prices.js';
import { proves } from '#tools/acceptance/proves.js';
import { type HotelDatabase, openHotelDatabase, requestFor } from './inventory-database.js';

describe('rates', () => {
  let db: HotelDatabase;

  beforeAll(async () => {
    db = await openHotelDatabase();
  });
  afterAll(() => db?.dispose());

  const nights = ['2027-07-01', '2027-07-02', '2027-07-03'];
  const prices = async (hotelId: string) =>
    Object.fromEntries(await nightPrices(db.sql, hotelId, 'double', nights));
  const setRate = (hotelId: string, date: string, price: number) =>
    db.sql.query(
      `INSERT INTO room_type_rate (hotel_id, room_type_id, date, price_minor) VALUES ($1, 'double', $2, $3)
       ON CONFLICT (hotel_id, room_type_id, date) DO UPDATE SET price_minor = excluded.price_minor`,
      [hotelId, date, price],
    );

  test('H-007: each night has its own price, and tomorrow may have another', async () => {
    const hotelId = await db.hotel();
    await setRate(hotelId, '2027-07-02', 12_345);
    expect(await prices(hotelId)).toEqual({
      '2027-07-01': 10_000n,
      '2027-07-02': 12_345n,
      '2027-07-03': 10_000n,
    });
    await setRate(hotelId, '2027-07-02', 15_000);
    expect(await prices(hotelId)).toMatchObject({ '2027-07-02': 15_000n });
  });

  test('H-007: the lowest and the highest rate and step are accepted, values beyond are not', async () => {
    const hotelId = await db.hotel();
    for (const price of [1, 999_999_999_999]) await setRate(hotelId, '2027-07-01', price);
    for (const price of [0, 1_000_000_000_000])
      await expect(setRate(hotelId, '2027-07-01', price)).rejects.toThrow(/check constraint/);
    const step = (from: number, percent: number) =>
      db.sql.query('INSERT INTO rate_step VALUES ($1, $2, $3)', [hotelId, from, percent]);
    await step(0, 1);
    await step(110, 1_000);
    for (const [from, percent] of [
      [-1, 100],
      [111, 100],
      [50, 0],
      [50, 1_001],
    ] as const)
      await expect(step(from, percent)).rejects.toThrow(/check constraint/);
  });

  proves('H-008', {
    asked: 'occupancy of a day raises the price of that day and leaves the next one',
    shown: '50 % and 90 % of a hotel with two types; the days beside it stay',
    settings: ['the hotel has two steps, 133 % from 50 % on and 200 % from 90 % on'],
    control: {
      in: 'hotel/schema/rate-plans.ts',
      change: 'i.room_type_id = t.room_type_id AND i.date = day)',
      to: 'i.room_type_id = t.room_type_id AND i.total_reserved > 0)',
    },
  });
  test('H-008: occupancy of the hotel on a day raises the price of that day only', async () => {
    const hotelId = await db.hotel({ total: 10, days: 3 });
    // Another type of the same hotel fills it too.
    await db.sql.query(`INSERT INTO room_type (hotel_id, room_type_id, name) VALUES ($1, 'suite', 'S')`, [
      hotelId,
    ]);
    await db.sql.query(
      `INSERT INTO room_type_inventory SELECT hotel_id, 'suite', date, 10, 0 FROM room_type_inventory WHERE hotel_id = $1`,
      [hotelId],
    );
    await db.sql.query('INSERT INTO rate_step VALUES ($1, 50, 133), ($1, 90, 200)', [hotelId]);
    await setRate(hotelId, '2027-07-02', 9_999);
    const middle = async () => {
      const { '2027-07-02': price, ...others } = await prices(hotelId);
      expect(others).toEqual({ '2027-07-01': 10_000n, '2027-07-03': 10_000n });
      return price;
    };
    const reserved = (n: number) =>
      db.sql.query(
        `UPDATE room_type_inventory SET total_reserved = $2 WHERE hotel_id = $1 AND room_type_id = 'suite' AND date = '2027-07-02'`,
        [hotelId, n],
      );
    expect(await middle()).toBe(9_999n);
    await reserved(9);
    expect(await middle()).toBe(9_999n);
    await reserved(10);
    // 13,298.67 is rounded to whole minor units.
    expect(await middle()).toBe(13_299n);
    const outcome = await db.reservations().reserve(requestFor(hotelId, { roomCount: 4 }));
    expect(outcome).toMatchObject({
      kind: 'reserved',
      reservation: { nightPricesMinor: [10_000n, 13_299n, 10_000n] },
    });
    expect(await middle()).toBe(13_299n);
    await db
      .reservations()
      .reserve(requestFor(hotelId, { startDate: '2027-07-02', endDate: '2027-07-02', roomCount: 4 }));
    expect(await middle()).toBe(19_998n);
    await db.sql.query('DELETE FROM rate_step WHERE hotel_id = $1', [hotelId]);
    expect(await middle()).toBe(9_999n);
  });

  proves('H-015', {
    asked: 'a day without a rate is an error, never 0',
    shown: 'no price for it, and 0 is refused by the database',
    control: {
      in: 'hotel/schema/rates.ts',
      change: 'CHECK (price_minor > 0 AND',
      to: 'CHECK (price_minor >= 0 AND',
    },
  });
  test('H-015: a night without a rate has no price, and never a price of 0', async () => {
    const hotelId = await db.hotel({ days: 2 });
    expect(await prices(hotelId)).toEqual({ '2027-07-01': 10_000n, '2027-07-02': 10_000n });
    await expect(setRate(hotelId, '2027-07-03', 0)).rejects.toMatchObject({ code: '23514' });
  });

  test('a hotel keeps its currency and its time zone', async () => {
    const hotelId = await db.hotel();
    const set = (what: string) => db.sql.query(`UPDATE hotel SET ${what} WHERE hotel_id = $1`, [hotelId]);
    await expect(set(`currency = 'EUR'`)).rejects.toMatchObject({ code: 'MH003' });
    await expect(set(`time_zone = 'Asia/Tokyo'`)).rejects.toMatchObject({ code: 'MH003' });
    await set(`name = 'Grand Opera'`);
  });
});
