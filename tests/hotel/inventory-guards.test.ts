import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hotelLimits } from '#hotel/limits.js';
import type { Reservations, ReserveOutcome, ReserveRequest } from '#hotel/reservations/reservations.js';
import { type Guard, guards } from '#hotel/reservations/reserve-batch.js';
import { proves } from '#tools/acceptance/proves.js';
import { openOwnDatabase } from '../shared-postgres.js';
import { countDeadlocks } from './counted-deadlocks.js';
import { type HotelDatabase, openHotelDatabase, requestFor } from './inventory-database.js';

/** The part that removes the guard from the function; the constraint is the trigger itself. */
const mutants: Record<Guard, ((source: string) => string) | undefined> = {
  row_locks: (source) => source.replace('FOR NO KEY UPDATE', ''),
  version: (source) => source.replace('AND version = versions[date - g.first_day + 1]', ''),
  constraint: undefined,
};

describe('guards of the inventory', () => {
  let db: HotelDatabase;

  beforeAll(async () => {
    // As many connections would leave too few of the shared server's to other tests.
    db = await openHotelDatabase(60, 30_000, openOwnDatabase);
  });
  beforeEach(() => trigger(true));
  afterAll(() => db?.dispose());

  const trigger = (on: boolean) =>
    db.sql.query(
      `ALTER TABLE room_type_inventory ${on ? 'ENABLE' : 'DISABLE'} TRIGGER room_type_inventory_cap`,
    );

  /** Runs `work` on another build of a guard's functions, then puts the shipped ones back. */
  async function onBuild<Result>(
    guard: Guard,
    edit: (source: string) => string,
    work: () => Promise<Result>,
    functions = guard === 'row_locks' ? ['reserve_by_row_locks', 'reserve_one'] : [`reserve_by_${guard}`],
  ) {
    const { rows } = await db.sql.query<{ source: string }>(
      'SELECT pg_get_functiondef(oid) AS source FROM pg_proc WHERE proname = ANY ($1)',
      [functions],
    );
    expect(rows).toHaveLength(functions.length);
    for (const { source } of rows) {
      expect(edit(source)).not.toBe(source);
      await db.sql.query(edit(source));
    }
    try {
      return await work();
    } finally {
      for (const { source } of rows) await db.sql.query(source);
    }
  }

  /**
   * `callers` at once, on as many transactions as there are connections. A caller that gets `busy` sends the
   * same request again.
   */
  async function storm(guard: Guard, hotelId: string, callers: number): Promise<ReserveOutcome[]> {
    const processes = Array.from({ length: 50 }, () =>
      db.reservations({ guard, writers: 1, batchMax: 1, waitingMax: callers }),
    );
    return Promise.all(
      Array.from({ length: callers }, (_, i) => insist(processes[i % 50]!, requestFor(hotelId))),
    );
  }

  async function insist(reservations: Reservations, request: ReserveRequest): Promise<ReserveOutcome> {
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await reservations.reserve(request);
      if (outcome.kind !== 'busy' || attempt === 100) return outcome;
    }
  }

  const kinds = (outcomes: readonly ReserveOutcome[], kind: string) =>
    outcomes.filter((outcome) => outcome.kind === kind).length;

  const paused = (source: string) =>
    source.replace(
      'UPDATE room_type_inventory SET',
      'PERFORM pg_sleep(0.05);\n      UPDATE room_type_inventory SET',
    );

  test.each(guards)('H-085, H-083: %s alone sells exactly the cap to 200 callers', async (guard) => {
    await trigger(guard === 'constraint');
    const hotelId = await db.hotel({ total: 50, days: 3 });
    const outcomes = await storm(guard, hotelId, 200);
    expect(kinds(outcomes, 'reserved')).toBe(55);
    expect(kinds(outcomes, 'insufficient')).toBe(145);
    expect(await db.counts(hotelId)).toEqual([55, 55, 55]);
    await db.prove();
  });

  proves('H-084', {
    asked: 'demand of exactly the cap, 1,000 callers: all succeed',
    shown: '110 callers for 110, each of three guards',
    scaled: '1 : 9; the long run has 1,000',
    proof: 'hotel-storm',
    control: {
      in: 'hotel/schema/reserve-by-plan.ts',
      change: 'ELSIF free[k] < rooms[p] THEN',
      to: 'ELSIF free[k] <= rooms[p] THEN',
    },
  });
  test.each(guards)('H-084: %s refuses no request when all fit', async (guard) => {
    const hotelId = await db.hotel({ total: 100, days: 3 });
    const outcomes = await storm(guard, hotelId, 110);
    expect(kinds(outcomes, 'reserved')).toBe(110);
  });

  proves('H-074', {
    asked: 'a pause of 2 s between check and increase, 50 callers: exactly the cap',
    shown: 'a pause of 0.05 s, 50 callers, two guards: 11 of 11',
    scaled: '1 : 40; callers wait for each other, so 2 s would take 100 s for each guard',
    control: 'the build without the guard and with the same pause, in the test of H-085: it oversells',
  });
  test.each(['row_locks', 'version'] as const)(
    'H-074: with a pause between check and increase %s still sells exactly the cap to 50 callers',
    async (guard) => {
      await trigger(false);
      const hotelId = await db.hotel({ total: 10, days: 3 });
      const outcomes = await onBuild(guard, paused, () => storm(guard, hotelId, 50));
      expect([kinds(outcomes, 'reserved'), kinds(outcomes, 'insufficient')]).toEqual([11, 39]);
      expect(await db.counts(hotelId)).toEqual([11, 11, 11]);
    },
  );

  proves('H-085', {
    asked: 'each guard by itself passes; a build without any fails',
    shown: 'three guards, each by itself, sell 55 of 55 to 200; without them more than 11 of 11 are sold',
    control: 'this test is the control',
  });
  test.each(guards)('H-085: the control build without %s oversells', async (guard) => {
    const hotelId = await db.hotel({ total: 10, days: 3 });
    await trigger(false);
    const mutant = mutants[guard];
    const outcomes =
      mutant === undefined
        ? await storm(guard, hotelId, 50)
        : await onBuild(
            guard,
            (source) => paused(mutant(source)),
            () => storm(guard, hotelId, 50),
          );
    expect(kinds(outcomes, 'reserved')).toBeGreaterThan(11);
    expect(Math.max(...(await db.counts(hotelId)))).toBeGreaterThan(11);
    // The oracle detects it.
    await expect(db.prove()).rejects.toThrow();
    await db.sql.query('UPDATE room_type_inventory SET total_inventory = 50 WHERE hotel_id = $1', [hotelId]);
    await db.prove();
  });

  test('H-085: the control build without row locks also oversells to the requests of one call', async () => {
    const hotelId = await db.hotel({ total: 10, days: 3 });
    await trigger(false);
    const edit = (source: string) => paused(mutants.row_locks!(source));
    const callers = Array.from({ length: 20 }, () => db.reservations({ writers: 1 }));
    const work = () =>
      Promise.all(
        callers.flatMap((one) => Array.from({ length: 3 }, () => insist(one, requestFor(hotelId)))),
      );
    const outcomes = await onBuild('row_locks', edit, work, ['reserve_by_row_locks']);
    expect(kinds(outcomes, 'reserved')).toBeGreaterThan(11);
    await db.sql.query('UPDATE room_type_inventory SET total_inventory = 60 WHERE hotel_id = $1', [hotelId]);
    await db.prove();
  });

  test('without row locks the trigger still enforces the cap', async () => {
    const hotelId = await db.hotel({ total: 10, days: 3 });
    const edit = (source: string) => paused(mutants.row_locks!(source));
    const results = await onBuild('row_locks', edit, () => {
      const processes = Array.from({ length: 50 }, () => db.reservations({ writers: 1 }));
      return Promise.allSettled(processes.map((one) => one.reserve(requestFor(hotelId))));
    });
    const sold = results.filter((one) => one.status === 'fulfilled' && one.value.kind === 'reserved').length;
    expect(sold).toBe(11);
    expect(await db.counts(hotelId)).toEqual([11, 11, 11]);
  });

  proves('H-086', {
    asked: 'a stale update is retried a bounded number of times; the version rises by one',
    shown:
      '60 callers: version 60 on each day; a request that is always stale is tried twelve times, then busy',
    control: {
      in: 'hotel/schema/reserve-by-plan.ts',
      change: 'taken[date - g.first_day + 1], version = version + 1',
      to: 'taken[date - g.first_day + 1]',
    },
  });
  test('H-086: a stale update is rejected, and the version rises by one per change', async () => {
    const hotelId = await db.hotel({ total: 100, days: 3 });
    const outcomes = await storm('version', hotelId, 60);
    expect(kinds(outcomes, 'reserved')).toBe(60);
    const { rows } = await db.sql.query('SELECT version FROM room_type_inventory WHERE hotel_id = $1', [
      hotelId,
    ]);
    expect(rows).toEqual([{ version: 60 }, { version: 60 }, { version: 60 }]);
    // A build to which every version is stale, and which counts its calls; a sequence does not roll back.
    await db.sql.query('CREATE SEQUENCE tries');
    const request = requestFor(hotelId);
    const reservations = db.reservations({ guard: 'version' });
    const stale = (source: string) =>
      source
        .replace('AND version = versions[', 'AND version <> versions[')
        .replace('BEGIN', `BEGIN PERFORM nextval('tries');`);
    expect(await onBuild('version', stale, () => reservations.reserve(request))).toEqual({ kind: 'busy' });
    const { rows: tried } = await db.sql.query('SELECT last_value AS n FROM tries');
    expect([hotelLimits.attemptsMax, tried]).toEqual([12, [{ n: 12n }]]);
    expect(await db.counts(hotelId)).toEqual([60, 60, 60]);
    expect(await reservations.reserve(request)).toMatchObject({ kind: 'reserved' });
  });

  proves('H-088', {
    asked: '200 callers with overlapping ranges: no deadlock',
    shown:
      '200 ranges with nine first days, each of three guards: 200 sold, and PostgreSQL ended no deadlock',
    control: {
      in: 'hotel/reservations/postgres-reservations.ts',
      change: "deps.guard === 'constraint' ? 1 : (options.batchMax ?? hotelLimits.batchMax)",
      to: 'options.batchMax ?? hotelLimits.batchMax',
    },
  });
  test.each(guards)(
    'H-088: %s: overlapping ranges with other first days cause no deadlock',
    async (guard) => {
      const hotelId = await db.hotel({ total: 1_000, days: 12 });
      const { sql, deadlocks } = countDeadlocks(db.sql);
      const processes = Array.from({ length: 50 }, () =>
        db.reservations({ sql, guard, writers: 1, batchMax: 4 }),
      );
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, (_, i) => {
          const first = 1 + ((i * 7) % 9);
          const day = (n: number) => `2027-07-${String(n).padStart(2, '0')}`;
          return insist(
            processes[i % 50]!,
            requestFor(hotelId, { startDate: day(first), endDate: day(first + (i % 4)) }),
          );
        }),
      );
      await Promise.all(processes.map((one) => one.close()));
      expect(kinds(outcomes, 'reserved')).toBe(200);
      expect(deadlocks()).toBe(0);
      await db.prove();
    },
  );

  proves('H-083', {
    asked: '1,000 callers: exactly k; never above the cap, sampled every 10 ms',
    shown: '1,000 on four writers: 110 sold, 890 refused; no sample above 110',
    control: 'the build without guards in the test of H-085: it oversells',
  });
  test('H-083: no day exceeds the cap at any instant', async () => {
    const hotelId = await db.hotel({ total: 100, days: 3 });
    let over = false;
    const samples: number[] = [];
    const sampling = (async () => {
      while (!over) {
        samples.push(Math.max(...(await db.counts(hotelId))));
        await delay(10);
      }
    })();
    const processes = Array.from({ length: 4 }, () => db.reservations());
    const outcomes = await Promise.all(
      Array.from({ length: 1_000 }, (_, i) => processes[i % 4]!.reserve(requestFor(hotelId))),
    );
    over = true;
    await sampling;
    expect(kinds(outcomes, 'reserved')).toBe(110);
    expect(kinds(outcomes, 'insufficient')).toBe(890);
    expect(samples.length).toBeGreaterThan(1);
    expect(Math.max(...samples)).toBeLessThanOrEqual(110);
  });

  proves('H-089', {
    asked: 'concurrent cancel and book of the last room: the count is right; two cancels lower it once',
    shown: '20 rounds of three cancellations and one booking at once',
    control: {
      in: 'hotel/reservations/locked-reservation.ts',
      change: "WHERE reservation_id = $1 FOR NO KEY UPDATE'",
      to: "WHERE reservation_id = $1'",
    },
  });
  test('H-089: a cancellation and concurrent bookings of the last room leave the correct count', async () => {
    const hotelId = await db.hotel({ total: 1, days: 3 });
    for (let turn = 0; turn < 20; turn += 1) {
      const holder = requestFor(hotelId);
      const [one, other] = [db.reservations(), db.reservations()];
      expect((await one.reserve(holder)).kind).toBe('reserved');
      const rival = requestFor(hotelId);
      const [, , , outcome] = await Promise.all([
        one.cancel(holder.reservationId, holder),
        other.cancel(holder.reservationId, holder),
        one.cancel(holder.reservationId, holder),
        other.reserve(rival),
      ]);
      const sold = outcome.kind === 'reserved' ? 1 : 0;
      expect(await db.counts(hotelId)).toEqual([sold, sold, sold]);
      await one.cancel(rival.reservationId, rival);
    }
    await db.prove();
  });
});
