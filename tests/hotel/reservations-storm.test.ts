import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import { addDays, nightsBetween } from '#hotel/reservations/stay-days.js';
import { SqlUnavailable } from '#platform/sql/sql.js';
import type { UserId } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';
import { compiledTree } from '../compiled-tree.js';
import { eventually } from '../eventually.js';
import { openOwnDatabase } from '../shared-postgres.js';
import { type HotelDatabase, openHotelDatabase, requestFor } from './inventory-database.js';

const staff = { staff: true } as const;
/** More take longer: `HOTEL_KILLS=200 npx vitest run tests/hotel/reservations-storm.test.ts`. */
const kills = Number(process.env['HOTEL_KILLS'] ?? 0);
const rounds = (killsOfRound: number) =>
  Array.from({ length: Math.max(1, kills / killsOfRound) }, (_, round) => round);
/** `SEED` repeats the strikes of a run that failed. */
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31) + 1);
const firstDay = '2027-07-01';

type Step =
  | { readonly do: 'reserve'; readonly from: number; readonly nights: number; readonly rooms: number }
  | { readonly do: 'cancel'; readonly which: number; readonly rooms: number }
  | { readonly do: 'move'; readonly which: number; readonly from: number; readonly nights: number }
  | { readonly do: 'pay' | 'reject'; readonly which: number }
  | { readonly do: 'repeat'; readonly which: number };

const which = fc.nat(30);
const range = { from: fc.nat(5), nights: fc.integer({ min: 1, max: 4 }) };
const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('reserve' as const),
        ...range,
        rooms: fc.integer({ min: 1, max: 4 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), which, rooms: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), which, ...range }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('pay' as const, 'reject' as const), which }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('repeat' as const), which }) },
  ) as fc.Arbitrary<Step>,
  { minLength: 5, maxLength: 40 },
);

/** A program that books one night after another and prints what was acknowledged. */
const booker = `
import { randomUUID } from 'node:crypto';
import { openSql } from '#platform/sql/open-sql.js';
import { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
const [address, hotelId] = process.argv.slice(1);
const sql = await openSql(address, { connectionsMax: 6 });
const reservations = new PostgresReservations({ sql, now: () => new Date('2027-06-01T12:00:00Z') });
const once = async () => {
  const request = { reservationId: randomUUID(), userId: randomUUID(), hotelId, roomTypeId: 'double',
    startDate: '2027-07-01', endDate: '2027-07-03', roomCount: 1 };
  const outcome = await reservations.reserve(request);
  console.log(outcome.kind, request.reservationId);
  if (Math.random() < 0.3 && outcome.kind === 'reserved') {
    const { kind } = await reservations.cancel(request.reservationId, request);
    console.log('cancel-' + kind, request.reservationId);
  }
};
await Promise.all(Array.from({ length: 12 }, async () => { for (;;) await once(); }));
`;

describe('many concurrent reservations', () => {
  let db: HotelDatabase;

  beforeAll(async () => {
    db = await openHotelDatabase(24, 30_000, openOwnDatabase);
  });
  afterAll(() => db?.dispose());

  /**
   * Runs a step and returns what it did, for a model to compare; steps refer to reservations by their order.
   */
  async function run(reservations: PostgresReservations, hotelId: string, step: Step, made: string[]) {
    const stay = (from: number, nights: number) => ({
      startDate: addDays(firstDay, from),
      endDate: addDays(firstDay, from + nights - 1),
    });
    if (step.do === 'reserve') {
      const request = requestFor(hotelId, { ...stay(step.from, step.nights), roomCount: step.rooms });
      const outcome = await reservations.reserve(request);
      if (outcome.kind === 'reserved') made.push(request.reservationId);
      return outcome.kind;
    }
    const reservationId = made[step.which % Math.max(1, made.length)];
    if (reservationId === undefined) return 'none';
    if (step.do === 'cancel') {
      return (await reservations.cancel(reservationId, staff, step.rooms === 0 ? {} : { rooms: step.rooms }))
        .kind;
    }
    if (step.do === 'move') {
      return (await reservations.changeStay(reservationId, staff, stay(step.from, step.nights))).kind;
    }
    if (step.do === 'reject') return (await reservations.rejectPayment(reservationId)).kind;
    const found = await reservations.get(reservationId, staff);
    if (step.do === 'repeat')
      return (await reservations.reserve({ ...found!, userId: 'thief' as UserId })).kind;
    const { priceMinor: amountMinor, currency } = found!;
    return (
      await reservations.confirmPayment({ reservationId, paymentId: reservationId, amountMinor, currency })
    ).kind;
  }

  proves('H-062', {
    asked: 'reserved is the sum of active reservations, for every row',
    shown: '25 random sequences: the sum of the plain list after every step; then a recount of the database',
    settings: [
      'steps: reserve, cancel, move, pay, reject, repeat; others in http-stays, no-show-cutoff, group-blocks',
      'the recount also counts rooms held for groups and for changes that wait to be paid',
    ],
    control: {
      in: 'hotel/reservations/change-stay.ts',
      change: '[...released([roomsOf(found)]), roomsOf(wanted)]',
      to: '[roomsOf(wanted)]',
    },
  });
  test('H-062, H-070: any sequence of calls has the result of a plain list of reservations', async () => {
    const reservations = db.reservations();
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const hotelId = await db.hotel({ total: 4, days: 8 });
        const made: string[] = [];
        for (const step of sequence) {
          const before = await db.counts(hotelId);
          const kind = await run(reservations, hotelId, step, made);
          const after = await db.counts(hotelId);
          if (step.do === 'reserve') {
            const nights = Array.from({ length: step.nights }, (_, i) => step.from + i);
            const gap = nights.some((night) => before[night] === undefined);
            const full = nights.some((night) => (before[night] ?? 0) + step.rooms > 4);
            expect(kind).toBe(gap ? 'not-bookable' : full ? 'insufficient' : 'reserved');
            expect(after).toEqual(
              before.map((n, night) => (kind === 'reserved' && nights.includes(night) ? n + step.rooms : n)),
            );
          } else if (
            ['refused', 'unchanged', 'none', 'taken', 'dearer', 'insufficient', 'refund', 'paid'].includes(
              kind,
            )
          ) {
            expect(after).toEqual(before);
          }
          const held = new Array<number>(8).fill(0);
          for (const one of await Promise.all(made.map((id) => reservations.get(id, staff)))) {
            if (one!.status !== 'pending_payment' && one!.status !== 'paid') continue;
            const from = nightsBetween(firstDay, one!.startDate) - 1;
            for (let night = 0; night < nightsBetween(one!.startDate, one!.endDate); night += 1)
              held[from + night]! += one!.roomCount;
          }
          expect([step, after]).toEqual([step, held]);
        }
      }),
      { numRuns: 25 },
    );
    await db.prove();
  });

  test('I1, I2, I8: concurrent calls leave counts, reservations and histories consistent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 8 }), async (sequences) => {
        const hotelId = await db.hotel({ total: 6, days: 8 });
        const made: string[] = [];
        await Promise.all(
          sequences.map(async (sequence) => {
            const reservations = db.reservations({ batchMax: 8 });
            for (const step of sequence) await run(reservations, hotelId, step, made);
          }),
        );
        await db.prove();
      }),
      { numRuns: 12 },
    );
  });

  proves('H-075', {
    asked: 'kill -9 of the service at 200 random instants: no partial range, no stay without its counts',
    shown:
      'four kills of processes with the module of reservations: days recounted, what was acknowledged stored',
    scaled: '4 : 200, since each starts processes; `hotel-kills` has 200, `booking-kills` 50 of the program',
    settings: ['6 connections of a process instead of 16'],
    proof: 'hotel-kills',
    control: {
      in: 'hotel/reservations/postgres-reservations.ts',
      change: 'return this.#sql.transaction(work, { attempts: hotelLimits.attemptsMax });',
      to: 'return work(this.#sql);',
    },
  });
  test.each(rounds(4))(
    'I3, H-075, H-083: four processes killed at random break nothing (%i)',
    async (round) => {
      const hotelId = await db.hotel({ total: 400, days: 3 });
      const said = new Map<string, string>();
      const strikes = fc.sample(
        fc.noBias(fc.record({ lines: fc.integer({ min: 110, max: 229 }), laterMs: fc.nat(30) })),
        { seed: seed + round, numRuns: 4 },
      );
      console.log(`seed ${seed}, round ${round}: ${JSON.stringify(strikes)}`);
      const life = async ({ lines, laterMs }: (typeof strikes)[number]) => {
        const args = ['--input-type=module', '-e', booker, db.address, hotelId];
        const child = spawn(process.execPath, args, {
          cwd: compiledTree,
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        let heard = 0;
        createInterface({ input: child.stdout }).on('line', (line) => {
          const [kind, id] = line.split(' ') as [string, string];
          said.set(id, kind);
          heard += 1;
          if (heard === lines) setTimeout(() => child.kill('SIGKILL'), laterMs);
        });
        const [, signal] = (await once(child, 'close')) as [number | null, string | null];
        expect(signal).toBe('SIGKILL');
      };
      await Promise.all(strikes.map(life));
      // Work in progress of a killed process ends when its connections end.
      await eventually(async () => {
        const { rows } = await db.sql.query<{ n: bigint }>(
          `SELECT count(*) AS n FROM pg_stat_activity WHERE backend_type = 'client backend' AND state <> 'idle' AND pid <> pg_backend_pid()`,
        );
        expect(rows[0]!.n).toBe(0n);
      });
      await db.prove();
      const { rows } = await db.sql.query<{ reservation_id: string; status: string }>(
        'SELECT reservation_id, status FROM reservation WHERE hotel_id = $1',
        [hotelId],
      );
      const stored = new Map(rows.map((row) => [row.reservation_id, row.status]));
      for (const [id, kind] of said) {
        if (kind === 'insufficient') expect(stored.has(id)).toBe(false);
        else if (kind === 'cancel-changed') expect(stored.get(id)).toBe('cancelled');
        else expect(stored.has(id), `${kind} ${id}`).toBe(true);
      }
      expect(said.size).toBeGreaterThan(300);
    },
  );

  proves('H-075', {
    asked: 'kill -9 of PostgreSQL at 200 random instants',
    shown: 'its postmaster, twice under 200 requests at seeded instants: 110 sold, 90 refused, counts right',
    scaled: '2 : 200, because PostgreSQL recovers after each, up to seconds in which nothing is booked',
    settings: ['three instances with batchMax 16', '24 connections'],
    proof: 'hotel-kills',
    control: {
      in: 'platform/sql/postgres-sql.ts',
      change: "'-c synchronous_commit=on'",
      to: "'-c synchronous_commit=off'",
    },
  });
  test.each(rounds(2))(
    'H-075, I3: PostgreSQL killed twice: a retried request has one outcome (%i)',
    async (round) => {
      const hotelId = await db.hotel({ total: 100, days: 3 });
      const processes = Array.from({ length: 3 }, () => db.reservations({ batchMax: 16 }));
      const pidFile = `${db.address.slice('embedded:'.length)}/home/cluster/postmaster.pid`;
      const random = { answers: fc.nat(29), laterMs: fc.nat(10) };
      const strikes = fc.sample(fc.noBias(fc.record(random)), { seed: seed + round, numRuns: 2 });
      console.log(`seed ${seed}, round ${round}: ${JSON.stringify(strikes)}`);
      let answered = 0;
      let unanswered = 0;
      const settle = async (i: number) => {
        const request = requestFor(hotelId);
        for (let attempt = 0; attempt < 400; attempt += 1) {
          try {
            const outcome = await processes[i % 3]!.reserve(request);
            if (outcome.kind === 'busy') continue;
            answered += 1;
            return { id: request.reservationId, kind: outcome.kind };
          } catch (error) {
            if (!(error instanceof SqlUnavailable)) throw error;
            unanswered += 1;
            await delay(25);
          }
        }
        throw new Error('no end');
      };
      const killing = (async () => {
        for (const [turn, { answers, laterMs }] of strikes.entries()) {
          // The first after 10 to 39 answers, the second after 70 to 99.
          const after = 10 + 60 * turn + answers;
          await eventually(() => expect(answered).toBeGreaterThanOrEqual(after), { everyMs: 1 });
          await delay(laterMs);
          // The previous one may still be stopped, because all answers of a batch arrive at once.
          await eventually(async () =>
            process.kill(Number((await readFile(pidFile, 'utf8')).split('\n')[0]), 'SIGKILL'),
          );
        }
      })();
      const waves: Array<{ readonly id: string; readonly kind: string }> = [];
      for (let wave = 0; wave < 10; wave += 1) {
        waves.push(...(await Promise.all(Array.from({ length: 20 }, (_, i) => settle(i)))));
      }
      await killing;
      expect(unanswered).toBeGreaterThan(0);
      const sold = waves.filter(({ kind }) => kind === 'reserved' || kind === 'repeated');
      expect(sold).toHaveLength(110);
      expect(waves.filter(({ kind }) => kind === 'insufficient')).toHaveLength(90);
      // The second kill may come after the last answer: connections from before it fail once each.
      await eventually(async () => {
        expect(await db.counts(hotelId)).toEqual([110, 110, 110]);
        await db.prove();
      });
    },
  );
});
