import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startLocationWriter } from '#ingest/write-locations.js';
import { LmdbEventLog } from '#platform/event-log/lmdb-event-log.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs, type TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { LocationBatch } from '#schemas/location.js';
import { topics } from '#schemas/topics.js';
import type { UserId } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';

const batches = 200;
const writeMs = 10;

/** One connection, over which one batch is written after the other. */
function slowStore(stored: Set<string>) {
  let last = Promise.resolve();
  return {
    write(some: readonly LocationBatch[]): Promise<void> {
      last = last.then(async () => {
        await sleep(writeMs * some.length);
        for (const { batchId } of some) stored.add(batchId);
      });
      return last;
    },
    erase: () => Promise.resolve(),
  };
}

/** Milliseconds in which as many instances as partitions store all batches, each of another user. */
async function drained(size: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-scale-'));
  const log = await LmdbEventLog.open({ folder: join(folder, 'log') });
  const registry = await openSchemaRegistry(`embedded:${join(folder, 'schemas')}`);
  const codecs = await openTopicCodecs(registry);
  const known = codecs.locationBatchRecorded;
  const topic = { ...known.topic, partitions: size };
  const locationBatchRecorded: TopicCodecs['locationBatchRecorded'] = {
    topic,
    encode: (batch) => known.encode(batch),
    decode: (value) => known.decode(value),
    refresh: () => known.refresh(),
  };
  await log.createTopics(topics.map((each) => (each.name === topic.name ? topic : each)));
  const stored = new Set<string>();
  const writers = [];
  for (let instance = 0; instance < size; instance++)
    writers.push(
      await startLocationWriter({
        ...{ log, store: slowStore(stored), logger: silentLogger, metrics: createMetrics() },
        codecs: { ...codecs, locationBatchRecorded },
      }),
    );
  await Promise.all(writers.map(({ ready }) => ready));
  const now = Date.now();
  const points = {
    ...{ count: 1, latE7: Int32Array.of(1), lngE7: Int32Array.of(1), timeMs: Float64Array.of(now) },
  };
  const records = Array.from({ length: batches }, (_, i) => ({
    key: `user-${i}`,
    value: known.encode({ userId: `user-${i}` as UserId, batchId: `b-${i}`, receivedMs: now, points }),
  }));
  const begunMs = performance.now();
  await log.append(topic.name, records);
  await eventually(() => expect(stored.size).toBe(batches));
  const tookMs = performance.now() - begunMs;
  for (const writer of writers) await writer.close();
  await log.close();
  await registry.close();
  await rm(folder, { recursive: true });
  return tookMs;
}

proves('M-121', {
  asked: 'adding partitions and instances adds throughput',
  shown: 'twice the partitions and writers, two times: each time at most 0.75 of the time for 200 batches',
  settings: [
    '1, 2 and 4 partitions instead of 8',
    'a store that takes 10 ms a batch, one at a time',
    'the instances are consumers in one process; bench/ingest-scale has servers in two',
  ],
  control: {
    in: 'ingest/write-locations.ts',
    change: '      group: writerGroup,\n',
    to: '      group: writerGroup + Math.random(),\n',
  },
});
it('M-121: twice the partitions and instances store the same batches in less time', async () => {
  const [one, two, four] = [await drained(1), await drained(2), await drained(4)];
  expect(one).toBeGreaterThan(batches * writeMs * 0.9);
  expect(two / one).toBeLessThan(0.75);
  expect(four / two).toBeLessThan(0.75);
});
