import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SqlRow, SqlTransaction } from '#platform/sql/sql.js';
import { type HotelDatabase, openHotelDatabase } from './inventory-database.js';

interface Call {
  readonly id: string;
  readonly user: string;
  readonly hotel: number;
  readonly type: string;
  readonly start: number;
  readonly nights: number;
  readonly rooms: number;
  readonly clock: string;
  readonly holdsMax: number;
  /** Whether its changes stay for later calls. */
  readonly stays: boolean;
}
interface Judged extends SqlRow {
  readonly result: unknown;
}
interface Left extends SqlRow {
  readonly days: unknown;
  readonly kept: unknown;
}

/** The general function is the test oracle of the short function. */
describe('one request without obstacles', () => {
  let db: HotelDatabase;
  const hotels: string[] = [];

  beforeAll(async () => {
    db = await openHotelDatabase();
    const { sql } = db;
    for (const timeZone of ['Europe/Stockholm', 'Europe/Stockholm', 'Pacific/Auckland', 'Europe/Stockholm'])
      hotels.push(await db.hotel({ total: 5, firstDay: '2027-05-30', days: 8, timeZone }));
    const [plain, stepped, far, gone] = hotels as [string, string, string, string];
    await sql.query('INSERT INTO rate_step VALUES ($1, 20, 150), ($1, 60, 200)', [stepped]);
    await sql.query(`UPDATE hotel SET check_in_time = '14:00' WHERE hotel_id = $1`, [far]);
    await sql.query(
      'UPDATE room_type SET free_cancel_hours = 7, late_cancel_percent = 30 WHERE hotel_id = $1',
      [far],
    );
    await sql.query('UPDATE hotel SET deleted_at = now() WHERE hotel_id = $1', [gone]);
    // Another type of the same hotel, with a night that has no rate and one that has no row.
    await sql.query(
      `INSERT INTO room_type (hotel_id, room_type_id, name, free_cancel_hours) VALUES ($1, 'suite', 'S', 1)`,
      [plain],
    );
    await sql.query(
      `INSERT INTO room_type_inventory SELECT hotel_id, 'suite', date, 3 FROM room_type_inventory
       WHERE hotel_id = $1 AND date <> '2027-06-03'`,
      [plain],
    );
    await sql.query(
      `INSERT INTO room_type_rate SELECT hotel_id, 'suite', date, 33333 + extract(day FROM date)::bigint FROM room_type_rate
       WHERE hotel_id = $1 AND date <> '2027-06-04'`,
      [plain],
    );
  });
  afterAll(() => db?.dispose());

  const call = async (tx: SqlTransaction, short: boolean, given: Call): Promise<readonly unknown[]> => {
    const $ = (n: number, of: string) => (short ? `$${n}::${of}` : `ARRAY[$${n}::${of}]`);
    const first = `date '2027-05-30' + $5::integer`;
    const last = `${first} + $6::integer - 1`;
    const days = short ? `${first}, ${last}` : `ARRAY[${first}], ARRAY[${last}]`;
    const { rows } = await tx.query<Judged>(
      `SELECT to_jsonb(r) #- '{reserved,sequence}' AS result FROM ${short ? 'reserve_one' : 'reserve_by_row_locks'}(
         ${$(1, 'text')}, ${$(2, 'text')}, ${$(3, 'text')}, ${$(4, 'text')}, ${days}, ${$(7, 'integer')}, ${$(8, 'text')},
         $9::timestamptz, interval '10 minutes', $10::integer) r`,
      [
        ...[given.id, given.user, hotels[given.hotel]!, given.type, given.start, given.nights, given.rooms],
        ...[JSON.stringify(given), given.clock, given.holdsMax],
      ],
    );
    return rows.map(({ result }) => result);
  };
  const left = async (tx: SqlTransaction): Promise<Left> => {
    const { rows } = await tx.query<Left>(
      `SELECT (SELECT jsonb_agg(i ORDER BY i.hotel_id, i.room_type_id, i.date) FROM room_type_inventory i) AS days,
         (SELECT jsonb_agg(to_jsonb(v) - 'sequence' ORDER BY v.reservation_id) FROM reservation v) AS kept`,
    );
    return rows[0]!;
  };
  const calls = fc.record({
    id: fc.integer({ min: 1, max: 90 }).map((n) => `r-${n}`),
    user: fc.constantFrom('ann', 'ben', 'cem'),
    hotel: fc.constantFrom(0, 0, 0, 1, 1, 2, 2, 3),
    type: fc.constantFrom('double', 'double', 'suite', 'suite', 'suite', 'attic'),
    start: fc.nat(8),
    nights: fc.integer({ min: 1, max: 4 }),
    rooms: fc.integer({ min: 1, max: 3 }),
    clock: fc.constantFrom('2027-05-30T12:00:00Z', '2027-05-31T10:30:00Z', '2027-05-31T22:30:00Z'),
    holdsMax: fc.constantFrom(1, 2, 100, 100, 100, 100),
    stays: fc.constantFrom(true, false, false, false),
  });

  test('H-083, H-130: it is checked, priced and counted like the general function does it', async () => {
    const kinds = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(calls, (given) =>
        db.sql.transaction(async (tx) => {
          await tx.query('SAVEPOINT before');
          const short = [await call(tx, true, given), await left(tx)];
          await tx.query('ROLLBACK TO SAVEPOINT before');
          const general = await call(tx, false, given);
          expect(short).toEqual([general, await left(tx)]);
          const [{ outcome }] = general as [{ outcome: string }];
          kinds.set(outcome, (kinds.get(outcome) ?? 0) + 1);
          if (!given.stays) await tx.query('ROLLBACK TO SAVEPOINT before');
        }),
      ),
      { numRuns: 400, seed: 20_270_601 },
    );
    // Every possible outcome occurred, each often enough to distinguish the two.
    expect([...kinds.keys()].toSorted()).toEqual(
      expect.arrayContaining([
        ...['insufficient', 'no-rate', 'not-bookable', 'past', 'reserved', 'taken', 'too-many-holds'],
        ...['unknown-hotel', 'unknown-room-type'],
      ]),
    );
    expect(kinds.get('reserved')).toBeGreaterThan(50);
  });

  test('H-085: the usual case does not call the general function', async () => {
    hotels.push(await db.hotel({ total: 1, firstDay: '2027-05-30', days: 8 }));
    const usual: Call = {
      ...{ id: 'usual', user: 'dan', hotel: 4, type: 'double', start: 6, nights: 2, rooms: 1 },
      ...{ clock: '2027-05-30T12:00:00Z', holdsMax: 1, stays: true },
    };
    await db.sql
      .transaction(async (tx) => {
        await tx.query('ALTER FUNCTION reserve_by_row_locks RENAME TO away');
        for (const given of [usual, { ...usual, id: 'last', user: 'eve', start: 0, nights: 1 }])
          expect(await call(tx, true, given)).toMatchObject([{ place: 1, outcome: 'reserved' }]);
        throw new Error('back to what it was');
      })
      .catch((error: Error) => expect(error.message).toBe('back to what it was'));
  });
});
