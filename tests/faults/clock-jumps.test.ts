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
    hotel = await HotelUnderFault.open({ rooms: 100, days, env: clock.env });
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
    missing: 'a leap second; the clock of PostgreSQL, which decides no date',
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
});
