import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillInventory } from '#hotel/inventory/fill-inventory.js';
import { recount } from '#hotel/inventory/recount.js';
import { recountRooms } from '#hotel/inventory/recount-rooms.js';
import type { ReserveOutcome } from '#hotel/reservations/reservations.js';
import { addDays, dayNumber } from '#hotel/reservations/stay-days.js';
import { proves } from '#tools/acceptance/proves.js';
import { killedWriter } from '../contracts/killed-writer.js';
import { countDeadlocks } from './counted-deadlocks.js';
import { documentedMoves } from './documented-moves.js';
import { type HotelDatabase, openHotelDatabase, requestFor } from './inventory-database.js';

const filler = `
import { openSql } from '#platform/sql/open-sql.js';
import { fillInventory } from '#hotel/inventory/fill-inventory.js';
const sql = await openSql(process.argv[1], { connectionsMax: 1 });
for (let day = 0; ; day += 100) {
  await fillInventory(sql, { now: new Date(Date.parse('2027-06-01T12:00:00Z') + day * 86400000), onProgress: ({ hotels }) => console.log(day, hotels) });
}
`;

describe('daily inventory job', () => {
  let db: HotelDatabase;
  const now = new Date('2027-06-01T12:00:00Z');

  beforeAll(async () => {
    db = await openHotelDatabase(24);
  });
  afterAll(() => db?.dispose());

  const later = (days: number) => new Date(now.getTime() + days * 86_400_000);
  const span = async (hotelId: string) =>
    (
      await db.sql.query(
        `SELECT min(date) AS oldest, max(date) AS newest, count(*)::int AS rows, max(date) - min(date) + 1 AS days
         FROM room_type_inventory WHERE hotel_id = $1`,
        [hotelId],
      )
    ).rows[0];

  const priced = (hotelId: string) =>
    db.sql.query(
      `INSERT INTO room_type_rate SELECT hotel_id, room_type_id, date, 5000 FROM room_type_inventory
       WHERE hotel_id = $1 ON CONFLICT DO NOTHING`,
      [hotelId],
    );

  proves('H-063', {
    asked: 'the newest date is D+730',
    shown: '731 rows, from 1 June 2027 to D+730; five days later to five days more',
    control: {
      in: 'hotel/inventory/fill-inventory.ts',
      change: 'options.daysAhead ?? hotelLimits.daysAhead,',
      to: '(options.daysAhead ?? hotelLimits.daysAhead) - 1,',
    },
  });
  proves('H-065', {
    asked: 'down for 5 days, then run: the 5 missing days appear',
    shown: '5 rows after 5 days, none in between missing',
    settings: ['the clock of the job is given, 5 days later for the second run'],
    control: {
      in: 'hotel/schema/change-counts.ts',
      change: 'SELECT greatest(max(i.date) + 1, t.today) INTO',
      to: 'SELECT coalesce(max(i.date) - max(i.date) + t.today + days_ahead, t.today) INTO',
    },
  });
  proves('H-064', {
    asked: 'the job runs twice: no row double, missing or reset',
    shown: 'with a reservation: the second run adds nothing, and every row with its xmin is as before',
    control: {
      in: 'hotel/schema/change-counts.ts',
      change: '      ON CONFLICT DO NOTHING;',
      to: '      ON CONFLICT DO NOTHING;\n    UPDATE room_type_inventory SET total_reserved = 0 WHERE hotel_id = t.hotel_id AND total_reserved > 0;',
    },
  });
  test('H-063, H-064, H-065: fills 730 days from today, catches up, and can be repeated', async () => {
    const hotelId = await db.hotel({ days: 0, total: 3 });
    await fillInventory(db.sql, { now });
    expect(await span(hotelId)).toEqual({ oldest: '2027-06-01', newest: '2029-05-31', rows: 731, days: 731 });
    await priced(hotelId);
    expect((await db.reservations().reserve(requestFor(hotelId))).kind).toBe('reserved');
    const dump = async () =>
      (await db.sql.query('SELECT *, xmin::text FROM room_type_inventory ORDER BY 1, 2, 3')).rows;
    const before = await dump();
    expect(await fillInventory(db.sql, { now })).toBe(0);
    expect(await dump()).toEqual(before);
    // Five days without the job.
    expect(await fillInventory(db.sql, { now: later(5) })).toBe(5);
    expect(await span(hotelId)).toMatchObject({ newest: '2029-06-05', rows: 736, days: 736 });
    const { rows } = await db.sql.query(
      'SELECT DISTINCT total_inventory FROM room_type_inventory WHERE hotel_id = $1',
      [hotelId],
    );
    expect(rows).toEqual([{ total_inventory: 3 }]);
  });

  test('H-016: today is the day of each hotel, and the last day follows from it', async () => {
    const [east, west] = [
      await db.hotel({ days: 0, timeZone: 'Pacific/Kiritimati' }),
      await db.hotel({ days: 0, timeZone: 'Pacific/Pago_Pago' }),
    ];
    await fillInventory(db.sql, { now: new Date('2027-06-01T10:30:00Z') });
    expect(await span(east)).toMatchObject({ oldest: '2027-06-02' });
    expect(await span(west)).toMatchObject({ oldest: '2027-05-31' });
  });

  proves('H-064', {
    asked: 'two copies at once: no row double, missing or reset',
    shown: 'four waves of four copies, two a day, 30 bookings and 2 new rooms: no gap, all rows recounted',
    settings: ['five instances of one writer, two transactions at once, batchMax 1', '24 connections'],
    control: {
      in: 'hotel/schema/change-counts.ts',
      change: 'SELECT greatest(max(i.date) + 1, t.today) INTO',
      to: 'SELECT greatest(max(i.date) + 2, t.today) INTO',
    },
  });
  proves('H-065', {
    asked: 'running during load causes no failed booking and no deadlock',
    shown: 'four waves of four copies and 30 bookings of five instances: all sold, no deadlock ended',
    settings: [
      'five instances of one writer, two transactions at once, batchMax 1',
      '24 connections',
      'jobs and bookings in one process; the clock of the jobs 10 to 17 days ahead of the bookings',
    ],
    control: {
      in: 'hotel/schema/change-counts.ts',
      change: 'added := added + n;',
      to: 'added := added + n;\n    PERFORM recount_rooms(t.hotel_id, t.room_type_id, first_day, t.today + days_ahead);',
    },
  });
  test('H-064, H-065: concurrent jobs under load lose and reset nothing, without a deadlock', async () => {
    const hotelId = await db.hotel({ days: 0, total: 60 });
    await fillInventory(db.sql, { now });
    await priced(hotelId);
    const { sql, deadlocks } = countDeadlocks(db.sql);
    // As separate processes would, each waits for the others' locks; with the jobs and the rooms they need
    // no more connections than there are.
    const few = { writers: 1, transactionsPerWriter: 2, batchMax: 1 };
    const processes = Array.from({ length: 5 }, () => db.reservations({ sql, ...few }));
    const book = (_: unknown, i: number) => {
      const startDate = addDays('2027-07-01', i % 5);
      const stay = { startDate, endDate: addDays(startDate, 2) };
      return processes[i % 5]!.reserve(requestFor(hotelId, stay));
    };
    const addRoom = (n: number) =>
      sql.transaction(async (tx) => {
        await tx.query(
          `INSERT INTO room (hotel_id, room_id, room_type_id, number) VALUES ($1, 'new-' || $2::int, 'double', 'n' || $2::int)`,
          [hotelId, n],
        );
        await recountRooms(tx, [{ hotelId, roomTypeId: 'double', startDate: '2027-06-01' }]);
      });
    const [perWave, ahead] = [4, 17];
    // Two copies for each day.
    const fill = (copy: number) => fillInventory(sql, { now: later(10 + Math.floor(copy / 2)) });
    const outcomes: ReserveOutcome[] = [];
    for (let wave = 0; wave < 4; wave += 1) {
      const filling = Array.from({ length: perWave }, (_, copy) => fill(perWave * wave + copy));
      const rooms = [addRoom(2 * wave), addRoom(2 * wave + 1)];
      outcomes.push(...(await Promise.all(Array.from({ length: 30 }, book))));
      await Promise.all([...filling, ...rooms]);
    }
    expect(outcomes.filter(({ kind }) => kind === 'reserved')).toHaveLength(120);
    expect(deadlocks()).toBe(0);
    expect(await span(hotelId)).toMatchObject({
      oldest: '2027-06-01',
      newest: addDays('2029-05-31', ahead),
      rows: 731 + ahead,
      days: 731 + ahead,
    });
    expect(await recount(db.sql, { rooms: true, now })).toMatchObject({
      oversold: [],
      miscounted: [],
      misfilled: [],
    });
    const { rows } = await db.sql.query(
      'SELECT DISTINCT total_inventory FROM room_type_inventory WHERE hotel_id = $1',
      [hotelId],
    );
    expect(rows).toEqual([{ total_inventory: 68 }]);
  });

  proves('H-064', {
    asked: 'killed with kill -9 halfway and run again: no row double, missing or reset',
    shown:
      'killed after a part of 50 hotels, one booked; run again for that day and a later one: each day once',
    control: {
      in: 'hotel/schema/change-counts.ts',
      change: '      ON CONFLICT DO NOTHING;',
      to: '      ON CONFLICT DO NOTHING;\n    UPDATE room_type_inventory SET total_reserved = 0 WHERE hotel_id = t.hotel_id AND total_reserved > 0;',
    },
  });
  test('H-064: killed halfway and run again, the job misses no day and resets none', async () => {
    const hotels = await Promise.all(Array.from({ length: 50 }, () => db.hotel({ days: 0, total: 2 })));
    await fillInventory(db.sql, { now });
    const sold = hotels[0]!;
    await priced(sold);
    expect((await db.reservations().reserve(requestFor(sold))).kind).toBe('reserved');
    const newest = async () =>
      new Set(await Promise.all(hotels.map(async (hotelId) => (await span(hotelId))!['newest'])));
    // A line after every 20 hotels; the first run finds all its days filled, the second adds 100.
    const lines = await killedWriter(filler, [db.address], 4);
    const reached = [...(await newest())].map(String).toSorted();
    expect(reached.length, 'it was killed within a run').toBeGreaterThan(1);
    const killed = dayNumber(reached.at(-1)!) - dayNumber('2029-05-31');
    await fillInventory(db.sql, { now: later(killed) });
    for (const hotelId of hotels)
      expect(await span(hotelId)).toMatchObject({
        oldest: '2027-06-01',
        newest: reached.at(-1),
        rows: 731 + killed,
        days: 731 + killed,
      });
    const last = Number(lines.at(-1)!.split(' ')[0]) + 200;
    await fillInventory(db.sql, { now: later(last) });
    expect([...(await newest())]).toEqual([addDays('2029-05-31', last)]);
    for (const hotelId of hotels)
      expect(await span(hotelId)).toMatchObject({ oldest: '2027-06-01', rows: 731 + last, days: 731 + last });
    expect(await recount(db.sql, { rooms: true, now })).toMatchObject({ miscounted: [], misfilled: [] });
    expect((await db.counts(sold)).slice(29, 34)).toEqual([0, 1, 1, 1, 0]);
  });

  proves('H-061', {
    asked: 'rooms less those out of order, for every row',
    shown:
      'added, moved, out of order twice, retired: each day by hand, and a recount of all rows over all rooms',
    control: {
      in: 'hotel/schema/change-counts.ts',
      change: 'AND first_day + d BETWEEN o.from_date AND o.to_date))',
      to: 'AND first_day + d >= o.from_date AND first_day + d < o.to_date))',
    },
  });
  test('H-035, H-036, H-037, H-061: added, removed, moved or blocked rooms change their days', async () => {
    const hotelId = await db.hotel({ total: 3, days: 6 });
    await db.sql.query(`INSERT INTO room_type (hotel_id, room_type_id, name) VALUES ($1, 'suite', 'S')`, [
      hotelId,
    ]);
    await db.sql.query(
      `INSERT INTO room_type_inventory SELECT hotel_id, 'suite', date, 0 FROM room_type_inventory WHERE hotel_id = $1`,
      [hotelId],
    );
    const totals = async (type: string) =>
      (
        await db.sql.query<{ n: number }>(
          'SELECT total_inventory AS n FROM room_type_inventory WHERE hotel_id = $1 AND room_type_id = $2 ORDER BY date',
          [hotelId, type],
        )
      ).rows.map(({ n }) => n);
    const change = (text: string, from = '2027-07-01', to?: string) =>
      db.sql.transaction(async (tx) => {
        await tx.query(text, [hotelId]);
        const range = { hotelId, startDate: from, ...(to === undefined ? {} : { endDate: to }) };
        await recountRooms(tx, [
          { ...range, roomTypeId: 'suite' },
          { ...range, roomTypeId: 'double' },
        ]);
      });
    await change(
      `INSERT INTO room (hotel_id, room_id, room_type_id, number) VALUES ($1, 'x', 'double', 'X')`,
    );
    expect(await totals('double')).toEqual([4, 4, 4, 4, 4, 4]);
    await change(`UPDATE room SET room_type_id = 'suite' WHERE hotel_id = $1 AND room_id = 'x'`);
    expect([await totals('double'), await totals('suite')]).toEqual([Array(6).fill(3), Array(6).fill(1)]);
    await change(
      `INSERT INTO room_out_of_order (hotel_id, room_id, from_date, to_date) VALUES ($1, 'room-1', '2027-07-02', '2027-07-04'), ($1, 'room-1', '2027-07-03', '2027-07-05')`,
      '2027-07-02',
      '2027-07-05',
    );
    expect(await totals('double')).toEqual([3, 2, 2, 2, 2, 3]);
    await change(
      `UPDATE room SET retired_from = '2027-07-05', status = 'retired' WHERE hotel_id = $1 AND room_id = 'room-2'`,
    );
    expect(await totals('double')).toEqual([3, 2, 2, 2, 1, 2]);
    expect((await recount(db.sql, { rooms: true, now })).misfilled).toEqual([]);
  });

  proves('H-037', {
    asked: 'reservations stay; above 110 % nothing more is sold',
    shown: '2 of 2 sold, both rooms retired: 2 stay reserved and the next is refused',
    control: {
      in: 'hotel/schema/change-counts.ts',
      change: 'SET total_inventory = n.rooms,',
      to: 'SET total_inventory = n.rooms, total_reserved = least(i.total_reserved, n.rooms),',
    },
  });
  test('H-037: a type with fewer rooms than sold accepts no new guest and cancels no sold stay', async () => {
    const hotelId = await db.hotel({ total: 2, days: 3 });
    const reservations = db.reservations();
    await reservations.reserve(requestFor(hotelId, { roomCount: 2 }));
    await db.sql.transaction(async (tx) => {
      await tx.query(`UPDATE room SET retired_from = '2027-07-01' WHERE hotel_id = $1`, [hotelId]);
      await recountRooms(tx, [{ hotelId, roomTypeId: 'double', startDate: '2027-07-01' }]);
    });
    expect(await db.counts(hotelId)).toEqual([2, 2, 2]);
    expect((await reservations.reserve(requestFor(hotelId))).kind).toBe('insufficient');
  });

  test("H-100: every undocumented change of a room's status is refused and changes nothing", async () => {
    const hotelId = await db.hotel({ total: 1, days: 1 });
    const statuses = ['available', 'inspected', 'occupied', 'dirty', 'out_of_order', 'retired'];
    const documented = documentedMoves('Room');
    for (const from of statuses) {
      for (const to of statuses.filter((status) => status !== from)) {
        const move = db.sql.transaction(async (tx) => {
          await tx.query('SET LOCAL session_replication_role = replica');
          await tx.query('UPDATE room SET status = $2::room_status WHERE hotel_id = $1', [hotelId, from]);
          await tx.query('SET LOCAL session_replication_role = origin');
          await tx.query('UPDATE room SET status = $2::room_status WHERE hotel_id = $1', [hotelId, to]);
          throw new Error('moved');
        });
        await expect(move, `${from} to ${to}`).rejects.toThrow(
          documented.has(`${from}>${to}`) ? 'moved' : `A room does not go from ${from} to ${to}.`,
        );
      }
    }
  });
});
