import { expect, test } from 'vitest';
import { MemoryLiveCache } from '#platform/live-cache/memory-live-cache.js';
import { openLiveCache } from '#platform/live-cache/open-live-cache.js';

test('I9: the in-process cache is bounded and evicts the least recently used entry', async () => {
  const cache = new MemoryLiveCache(() => 0, { entries: 3, characters: 100 });
  for (const key of ['a', 'b', 'c']) await cache.set(key, key, 1_000);
  await cache.get('a');
  await cache.set('d', 'd', 1_000);
  expect(await cache.get('b')).toBeUndefined();
  expect(await cache.get('a')).toBe('a');
});

test('I9: large values evict by their size, not their number', async () => {
  const cache = new MemoryLiveCache(() => 0, { entries: 1_000, characters: 100 });
  await cache.set('first', 'x'.repeat(60), 1_000);
  await cache.set('second', 'x'.repeat(60), 1_000);
  expect([await cache.get('first'), (await cache.get('second'))?.length]).toEqual([undefined, 60]);
});

test('a value expires at its millisecond on the given clock', async () => {
  let now = 0;
  const cache = await openLiveCache('memory:', { now: () => now });
  await cache.set('k', 'v', 100);
  await cache.increment('n', 100);
  now = 99;
  expect(await cache.get('k')).toBe('v');
  expect(await cache.increment('n', 100)).toBe(2);
  now = 100;
  expect(await cache.get('k')).toBeUndefined();
  expect(await cache.increment('n', 100)).toBe(1);
});

test('a closed cache reports that it is closed', async () => {
  const cache = await openLiveCache('memory:');
  await cache.close();
  await expect(cache.get('k')).rejects.toThrow('was closed');
  await expect(cache.check()).rejects.toThrow('was closed');
});

test.each([
  ['', 'must start with memory: or redis://'],
  ['memory:1000', 'memory: without anything after it'],
  ['http://localhost', "not with 'http:'"],
  ['redis://', 'has no host'],
  ['redis://host:99999', 'is malformed'],
  ['redis://host/zero', 'database number'],
  ['redis://user:hunter2@host/0?tls=1', "has the unknown parameter 'tls'"],
])('rejects the address %j: %s', async (address, sentence) => {
  const failure = await openLiveCache(address).catch((error: unknown) => error);
  expect(String(failure)).toContain(sentence);
  expect(String(failure)).not.toContain('hunter2');
});
