import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { MatchedEdgesState } from '#ingest/matched-edges.js';
import { type LocationOutcome, LocationReceiver } from '#ingest/receive-location-batch.js';
import { SendHints } from '#ingest/send-hint.js';
import { startLocationWriter, writerGroup } from '#ingest/write-locations.js';
import { encodeUpload } from '#location-client/encode-upload.js';
import { LmdbEventLog } from '#platform/event-log/lmdb-event-log.js';
import { MemoryRateLimiter } from '#platform/http/admission/memory-rate-limiter.js';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import { topics } from '#schemas/topics.js';
import type { UserId } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';

const now = Date.now();
const pointsEach = 10;

/** A drive of a user, part by part, 15 s each. */
const uploadOf = (part: number): Uint8Array =>
  encodeUpload(
    Array.from({ length: pointsEach }, (_, i) => ({
      ...{ lat: 57.7 + i / 1_000, lng: 11.9 + part / 1_000 },
      timestamp: now - 3_600_000 + part * 15_000 + i * 1_500,
    })),
  );

/** CPU microseconds of a point from the bytes of its batch to the row in the store, each user driving on. */
async function costOf(users: number, partsEach: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-cost-'));
  const log = await LmdbEventLog.open({ folder: join(folder, 'log') });
  await log.createTopics(topics);
  const registry = await openSchemaRegistry(`embedded:${join(folder, 'schemas')}`);
  const codecs = await openTopicCodecs(registry);
  const store = await openLocationStore(`lmdb:${join(folder, 'locations')}`);
  await store.prepare();
  const codec = codecs.locationBatchRecorded;
  const topic = codec.topic.name;
  const writer = await startLocationWriter({
    ...{ log, store, codecs, logger: silentLogger, metrics: createMetrics() },
  });
  await writer.ready;
  const cache = { get: async () => undefined, set: async () => undefined };
  const hints = new SendHints({ isNavigating: () => false, matches: new MatchedEdgesState(Number) });
  const receiver = new LocationReceiver({ log, codec, cache, hints, nowMs: () => now });
  const limiter = new MemoryRateLimiter(() => now, 1);
  const policy = { name: 'locations', limit: 600, windowS: 60 };
  const before = process.cpuUsage();
  for (let part = 0; part < partsEach; part++) {
    const body = uploadOf(part);
    for (let from = 0; from < users; from += 500) {
      const told: Promise<LocationOutcome>[] = [];
      for (let i = from; i < Math.min(users, from + 500); i++) {
        const userId = `user-${i}` as UserId;
        limiter.take(userId, policy);
        const late = receiver.receive({
          ...{ userId, body, contentType: 'application/x-protobuf', queryLocs: undefined },
        });
        if (typeof late === 'function') told.push(new Promise(late));
      }
      for (const { outcome } of await Promise.all(told)) expect(outcome).toBe('accepted');
    }
  }
  const ends = new Map((await log.offsets(topic)).map(({ partition, end }) => [partition, end]));
  const isWritten = async () =>
    (await log.committed(writerGroup, topic)).every(
      ({ partition, offset }) => Math.max(0, offset) >= ends.get(partition)!,
    );
  while (!(await isWritten())) await sleep(20);
  const { user, system } = process.cpuUsage(before);
  const { locations } = await store.read(`user-${users - 1}` as UserId, { fromMs: 0, toMs: now, limit: 1 });
  expect(locations).toHaveLength(1);
  await writer.close();
  await store.close();
  await log.close();
  await registry.close();
  await rm(folder, { recursive: true });
  return (user + system) / (users * partsEach * pointsEach);
}

proves('M-121', {
  asked: 'cost per point does not grow with the number of users',
  shown: 'CPU from bytes through log and writer to the store, no HTTP: 6,000 users, under 1.5 times 300',
  control: {
    in: 'platform/location-store/lmdb-location-store.ts',
    change: '    const partitions = partitionsOf(batches);\n',
    to: '    const partitions = partitionsOf(batches);\n    for (let i = 0; i < batches.length; i++) this.#blocks.getKeysCount();\n',
  },
});
it('M-121: from the bytes to the store, a point of many users costs what one of few does', async () => {
  await costOf(300, 4);
  const few: number[] = [];
  const many: number[] = [];
  for (let round = 0; round < 3; round++) {
    few.push(await costOf(300, 4));
    many.push(await costOf(6_000, 4));
  }
  expect(Math.min(...many) / Math.min(...few)).toBeLessThan(1.5);
});
