import { afterEach, beforeEach, expect, test } from 'vitest';
import { CacheUnavailable, type LiveCache } from '#platform/live-cache/live-cache.js';
import { openLiveCache } from '#platform/live-cache/open-live-cache.js';
import { required } from '../../contracts/required-variable.js';
import { until } from '../../contracts/until.js';
import { WireCut } from '../../contracts/wire-cut.js';

let wire: WireCut;
let cache: LiveCache;
const server = () => new URL(required('CACHE', 'redis'));
const key = `faults:${process.pid}`;

beforeEach(async () => {
  wire = new WireCut({ host: server().hostname, port: Number(server().port) });
  await wire.mend();
  cache = await openLiveCache(`redis://127.0.0.1:${wire.port}${server().pathname}`);
});
afterEach(async () => {
  await cache.close();
  await wire.cut();
});

/** `true` if the call reports in time that the cache is unavailable. */
async function failsWithin(milliseconds: number, call: () => Promise<unknown>): Promise<boolean> {
  const started = Date.now();
  const outcome = await call().catch((error: unknown) => error);
  return outcome instanceof CacheUnavailable && Date.now() - started < milliseconds;
}

test('F17: fails fast without Redis and recovers by itself', async () => {
  await cache.set(key, 'before', 60_000);
  await wire.cut();
  await until('the loss', () =>
    cache.get(key).then(
      () => false,
      () => true,
    ),
  );
  expect(await failsWithin(10_000, () => cache.get(key))).toBe(true);
  expect(await failsWithin(10_000, () => cache.increment(key, 1_000))).toBe(true);
  expect(await failsWithin(10_000, () => cache.publish(key, 'x'))).toBe(true);
  expect(await failsWithin(10_000, () => cache.subscribe(key, () => {}))).toBe(true);
  expect(await failsWithin(10_000, () => cache.check())).toBe(true);
  await wire.mend();
  await until('the return', () =>
    cache.get(key).then(
      (value) => value === 'before',
      () => false,
    ),
  );
});

test('F17: a silent Redis costs at most a second, and the number of waiting calls is bounded', async () => {
  await cache.set(key, 'before', 60_000);
  wire.freeze();
  expect(await failsWithin(10_000, () => cache.get(key))).toBe(true);
  const started = Date.now();
  const flood = await Promise.allSettled(Array.from({ length: 11_000 }, () => cache.get(key)));
  expect(flood.every((outcome) => outcome.status === 'rejected')).toBe(true);
  expect(
    flood.some((outcome) => String((outcome as PromiseRejectedResult).reason).includes('too slow')),
  ).toBe(true);
  expect(Date.now() - started).toBeLessThan(10_000);
  await wire.mend();
  await until('the return', () =>
    cache.get(key).then(
      () => true,
      () => false,
    ),
  );
});

test('subscriptions are restored with the connection', async () => {
  const heard: string[] = [];
  await cache.subscribe(key, (message) => heard.push(message));
  await cache.publish(key, 'before');
  await until('the first message', () => heard.includes('before'));
  await wire.cut();
  await wire.mend();
  await until('a message after the cut', async () => {
    await cache.publish(key, 'after').catch(() => {});
    return heard.includes('after');
  });
  expect(heard[0]).toBe('before');
});

test('F42: finds a Redis that starts late', async () => {
  await cache.close();
  await wire.cut();
  const started = Date.now();
  cache = await openLiveCache(`redis://127.0.0.1:${wire.port}/0`);
  expect(Date.now() - started).toBeLessThan(10_000);
  expect(await failsWithin(10_000, () => cache.check())).toBe(true);
  await wire.mend();
  await until('the first answer', () =>
    cache.check().then(
      () => true,
      () => false,
    ),
  );
});
