import { describe, expect, test } from 'vitest';
import { InflightGate } from '#platform/http/admission/inflight-gate.js';
import { MemoryRateLimiter } from '#platform/http/admission/memory-rate-limiter.js';
import { ownCpuMs } from '#platform/http/admission/own-cpu.js';
import { sharedRateLimiter } from '#platform/http/admission/shared-rate-limiter.js';
import { TurnClock } from '#platform/http/admission/turn-clock.js';
import type { Priority } from '#platform/http/http-types.js';
import { turnServedMin } from '#platform/http/limits.js';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import { TokenBucket } from '#platform/rate/token-bucket.js';

describe('F38: shedding by the CPU time of a turn', () => {
  /** Uses this much CPU time, however long the machine makes us wait for it. */
  const burn = (milliseconds: number): void => {
    const before = ownCpuMs();
    while (ownCpuMs() - before < milliseconds);
  };
  /** Time passes in the middle of a turn, as on a machine that gives the CPU to other processes. */
  const withoutCpu = (milliseconds: number) =>
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  test('the clock counts CPU time from the first request of a turn, each turn by itself', async () => {
    const clock = new TurnClock(25);
    const few = () => Array.from({ length: turnServedMin }, () => clock.isSpent());
    expect(few()).not.toContain(true);
    withoutCpu(100);
    expect(few()).not.toContain(true);
    burn(30);
    expect(clock.isSpent()).toBe(true);
    await new Promise((wake) => setImmediate(wake));
    expect(few()).not.toContain(true);
    const patient = new TurnClock(60_000);
    expect(Array.from({ length: 1_000 }, () => patient.isSpent())).not.toContain(true);
  });
});

describe('F38: places for running requests by class', () => {
  test('tiles fill half, navigation four fifths, location writes all; vital ones always pass', () => {
    const gate = new InflightGate(10);
    const fill = (priority: Priority) => {
      let entered = 0;
      while (entered < 20 && gate.enter(priority)) entered += 1;
      return entered;
    };
    expect([fill('tile'), fill('navigation'), fill('location')]).toEqual([5, 3, 2]);
    expect(fill('vital')).toBe(20);
  });
});

describe('N6: rate limits', () => {
  const policy = { name: 'test', limit: 3, windowS: 60 };

  test('a bucket gives its limit immediately and then one for each part of the window', () => {
    let now = 0;
    const limiter = new MemoryRateLimiter(() => now);
    const take = () => limiter.take('u1', policy);
    expect([take(), take(), take()]).toMatchObject([
      { allowed: true, remaining: 2, resetS: 20 },
      { allowed: true, remaining: 1, resetS: 40 },
      { allowed: true, remaining: 0, resetS: 60 },
    ]);
    expect(take()).toEqual({ allowed: false, remaining: 0, resetS: 20 });
    now += 19_999;
    expect(take().allowed).toBe(false);
    now += 2;
    expect(take().allowed).toBe(true);
    expect(limiter.take('u2', policy)).toMatchObject({ allowed: true, remaining: 2 });
  });

  test('a million addresses use no more memory than one, and do not free a limited one', () => {
    const limiter = new MemoryRateLimiter(() => 0, 42);
    for (let at = 0; at < 4; at += 1) limiter.take('ip:bad', policy);
    expect(limiter.take('ip:bad', policy).allowed).toBe(false);
    const before = process.memoryUsage().arrayBuffers;
    let refused = 0;
    for (let at = 0; at < 1_000_000; at += 1) if (!limiter.take(`ip:${at}`, policy).allowed) refused += 1;
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
    expect(refused).toBeLessThan(1_000);
    expect(limiter.take('ip:bad', policy).allowed).toBe(false);
  });

  test('one count for all instances, and a local count while the cache is unavailable', async () => {
    const counts = new Map<string, number>();
    let away = false;
    const cache = {
      increment: async (key: string) => {
        if (away) throw new Error('refused');
        counts.set(key, (counts.get(key) ?? 0) + 1);
        return counts.get(key) ?? 0;
      },
    } as unknown as LiveCache;
    const limiter = () => sharedRateLimiter(cache, new MemoryRateLimiter(() => 0), () => 90_000);
    const [one, other] = [limiter(), limiter()];
    for (const instance of [one, other, one]) await instance.take('u1', policy);
    expect(await other.take('u1', policy)).toEqual({ allowed: false, remaining: 0, resetS: 30 });
    away = true;
    expect(await one.take('u1', policy)).toMatchObject({ allowed: true, remaining: 2 });
  });

  test('a token bucket never holds more than its burst', () => {
    const bucket = new TokenBucket(1, 2, 0);
    expect([bucket.take(1_000_000), bucket.take(1_000_000), bucket.take(1_000_000)]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
