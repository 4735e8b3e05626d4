import { expect, test } from 'vitest';
import { LocationStoreUnavailable } from '#platform/location-store/location-store.js';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import type { UserId } from '#schemas/units.js';

test.each([
  ['', 'must start with lmdb: or cassandra://'],
  ['mysql://x', "not with 'mysql:'"],
  ['lmdb:', 'has no folder'],
  ['cassandra://', 'is malformed'],
  ['cassandra://host', 'has no keyspace'],
  ['cassandra://host/Drop;Table', 'has no keyspace'],
  ['cassandra://host:1,other:2/meridian', 'different ports'],
  ['cassandra://ho st/meridian', 'malformed host'],
  ['cassandra://host:9042/meridian?datacenter=a', "unknown parameter 'datacenter'"],
  ["cassandra://host:9042/meridian?dc=a'b", 'malformed data centre'],
])('rejects the address %j: %s', async (address, sentence) => {
  await expect(openLocationStore(address)).rejects.toThrow(sentence);
});

test('without Cassandra the program starts, and every call reports the outage', async () => {
  const store = await openLocationStore('cassandra://user:hunter2@127.0.0.1:1/meridian');
  const failure = await store.prepare().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(LocationStoreUnavailable);
  expect(String(failure)).not.toContain('hunter2');
  await expect(store.check()).rejects.toThrow('prepare() has not succeeded');
  await expect(store.read('u' as UserId, { fromMs: 0, toMs: 1, limit: 1 })).rejects.toThrow(
    LocationStoreUnavailable,
  );
  await store.close();
});
