import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { issuerOf } from '../programs/drivers-of.js';
import { HotelUnderFault } from './hotel-under-fault.js';
import { ShiftedClock } from './shifted-clock.js';

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const localDay = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Malta' });

/** The next instant after which Malta has another date. */
function midnightAfter(ms: number): number {
  const today = localDay.format(ms);
  let at = Math.ceil(ms / (15 * minuteMs)) * 15 * minuteMs;
  while (localDay.format(at) === today) at += 15 * minuteMs;
  return at;
}

/** Midnight in Malta at the end of the next day on which its offset from UTC changes. */
function midnightOfChange(): number {
  const atUtc = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Malta', hour: 'numeric' });
  let at = Math.ceil(Date.now() / dayMs) * dayMs;
  while (atUtc.format(at) === atUtc.format(at + dayMs)) at += dayMs;
  return midnightAfter(at + 12 * hourMs);
}

describe('the clock of a program jumps', () => {
  const changeMs = midnightOfChange();
  const days = Math.ceil((changeMs - Date.now()) / dayMs) + 10;
  let folder: string;
  let hotel: HotelUnderFault;
  let clock: ShiftedClock;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meridian-clock-'));
    clock = new ShiftedClock(join(folder, 'shift'));
    hotel = await HotelUnderFault.open({ rooms: 2_000, days, env: clock.env });
  });
  afterAll(async () => {
    await hotel?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const setClock = (ms: number) => clock.shift(ms - Date.now());
  async function reserve(token: string, date: string): Promise<number> {
    const from = performance.now();
    const form = { ...hotel.form(randomUUID()), startDate: date, endDate: date };
    const { status } = await hotel.call('POST', '/v1/reservations', token, form);
    // Nothing waits for the hour that the clock was moved by.
    expect(performance.now() - from).toBeLessThan(10_000);
    expect((await fetch(`${hotel.program.url}/readyz`)).status).toBe(200);
    return status;
  }

  proves('F39', {
    asked: 'jumps of an hour, leap second, daylight saving: tokens, timers, dates of stays',
    shown: 'tokens follow the clock, nothing waits; at midnight, also of the change, dates are local',
    settings: ['no rate limits', 'a preload shifts Date in the program'],
    control: {
      in: 'hotel/schema/reserve-by-plan.ts',
      change: '(clock AT TIME ZONE h.time_zone)::date AS today',
      to: "(clock AT TIME ZONE 'UTC')::date AS today",
    },
    from: 'outside',
  });
  it('F39: when the clock jumps, tokens expire by it, and stays have local dates', async () => {
    const short = await hotel.token('a', 1_800);
    const long = await hotel.token('b', 10_000);
    const inTenDays = localDay.format(Date.now() + 10 * dayMs);
    expect([await reserve(short, inTenDays), await reserve(long, inTenDays)]).toEqual([201, 201]);
    await setClock(Date.now() + hourMs);
    expect([await reserve(short, inTenDays), await reserve(long, inTenDays)]).toEqual([401, 201]);
    await setClock(Date.now() - hourMs);
    expect([await reserve(short, inTenDays), await reserve(long, inTenDays)]).toEqual([201, 201]);
    for (const midnightMs of [midnightAfter(Date.now() + hourMs), changeMs]) {
      const [before, after] = [localDay.format(midnightMs - 1), localDay.format(midnightMs)];
      // In Malta the day begins earlier than in UTC.
      expect(new Date(midnightMs).toISOString().slice(0, 10)).toBe(before);
      const issuer = await issuerOf(hotel.data, () => midnightMs - minuteMs);
      const token = await issuer.issueToken({ sub: 'c', scopes: ['customer'], ttlS: 3_600 });
      await setClock(midnightMs - minuteMs);
      expect([before, await reserve(token, before)]).toEqual([before, 201]);
      await setClock(midnightMs + minuteMs);
      expect([before, await reserve(token, before)]).toEqual([before, 422]);
      expect([after, await reserve(token, after)]).toEqual([after, 201]);
    }
    await hotel.countsAreRight();
  });

  proves('F39', {
    asked: 'a leap second: timers by a monotonic clock',
    shown: 'thrice a second that comes twice, and one spread over 2 s, under load: only 201, none is lost',
    settings: ['no rate limits', 'a preload shifts Date in the program'],
    control: {
      in: 'platform/auth/jwt-authenticator.ts',
      change: '        currentDate: new Date(now()),',
      to: "        currentDate: new Date(now()),\n        maxTokenAge: '1h',\n        clockTolerance: 0,",
    },
    from: 'outside',
  });
  it('F39: a second that comes twice, or is spread, is noticed by nobody', async () => {
    await setClock(Date.now());
    const guests = await hotel.guests(8);
    await guests.more(50);
    for (let round = 0; round < 3; round += 1) {
      await clock.shift(-1_000);
      await guests.more(50);
      await clock.shift(0);
      // Smeared: each step is a fortieth of the second.
      for (let step = 1; step <= 40; step += 1) await clock.shift(-25 * step, 50);
      await guests.more(50);
    }
    await guests.stop();
    expect([...guests.statuses.keys()]).toEqual([201]);
    expect(await hotel.lost(guests.asked)).toEqual([]);
    await hotel.countsAreRight();
  });

  /** A statement that asks the database for the time gets a shifted one, from the next session on. */
  async function shiftDatabase(hours: number): Promise<void> {
    const sql = await hotel.sql();
    const shifts = ['now', 'clock_timestamp', 'statement_timestamp', 'transaction_timestamp'];
    await sql.query('CREATE SCHEMA IF NOT EXISTS shifted');
    for (const name of shifts)
      await sql.query(
        `CREATE OR REPLACE FUNCTION shifted.${name}() RETURNS timestamptz LANGUAGE sql STABLE
         AS $$ SELECT pg_catalog.${name}() + interval '${hours} hours' $$`,
      );
    await sql.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, shifted, pg_catalog',
         current_database()); END $$`,
    );
    await sql.close();
    await hotel.killed();
    const later = await hotel.sql();
    const { rows } = await later.query<{ s: number }>(
      'SELECT extract(epoch FROM now() - pg_catalog.now())::float8 AS s',
    );
    await later.close();
    expect(rows).toEqual([{ s: hours * 3_600 }]);
  }

  proves('F39', {
    asked: 'stays are dated by the local date of the hotel',
    shown: 'a database whose clock is 26 hours ahead or behind: today is sold and yesterday is not, as ever',
    settings: ['no rate limits', 'functions of the database shift its clock'],
    control: {
      in: 'hotel/schema/reserve-by-plan.ts',
      change: '(clock AT TIME ZONE h.time_zone)::date AS today',
      to: '(now() AT TIME ZONE h.time_zone)::date AS today',
    },
    from: 'outside',
  });
  it('F39: the clock of the database decides no date', async () => {
    // Yesterday has rooms, too.
    const nowMs = Date.now() + 3 * dayMs;
    const [yesterday, today] = [localDay.format(nowMs - dayMs), localDay.format(nowMs)];
    await setClock(nowMs);
    const issuer = await issuerOf(hotel.data, () => nowMs);
    // From the true time: 26 hours before and after the clock of the program.
    for (const hours of [46, 98]) {
      await shiftDatabase(hours);
      const token = await issuer.issueToken({ sub: `d${hours}`, scopes: ['customer'], ttlS: 3_600 });
      expect([hours, await reserve(token, yesterday)]).toEqual([hours, 422]);
      expect([hours, await reserve(token, today)]).toEqual([hours, 201]);
    }
    await hotel.countsAreRight();
  });
});
