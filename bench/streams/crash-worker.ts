import { setTimeout as delay } from 'node:timers/promises';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import { startProcessor } from '#platform/stream/start-processor.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import { Counts } from '#processors/counts.js';
import { trafficTopology } from '#processors/traffic/start-traffic.js';
import { crashFacts } from './crash-input.js';

/**
 * One life of the group `traffic`: reads what is in the log, prints what it cost, and ends. Its steps know no clock but the
 * one in the records, so that what they say depends on the records alone.
 */
const { folder, snapshotEveryMs } = JSON.parse(process.argv.at(-1)!) as {
  readonly folder: string;
  readonly snapshotEveryMs: number | null;
};
const metrics = createMetrics();
const log = await openEventLog(process.env['BENCH_LOG'] ?? `embedded:${folder}/log`, {
  logger: silentLogger,
});
const registry = await openSchemaRegistry(`embedded:${folder}/schemas`);
const codecs = await openTopicCodecs(registry);
const objects = await DirectoryObjectStore.open(`${folder}/objects`);
const names = [
  'counted',
  'late',
  'repeated',
  'implausible',
  'foreign',
  'full',
  'speeds',
  'closures',
  'reopenings',
];
const counts = new Counts(metrics, 'bench_outcomes_total', 'Outcomes.', names);
const topology = trafficTopology({ codecs, tilesetId: 'city', facts: crashFacts, clock: () => 0 }, counts);
const processor = await startProcessor(topology, {
  log,
  deadLetters: codecs.deadLetter,
  objects,
  limits: { snapshotEveryMs: snapshotEveryMs ?? Number.POSITIVE_INFINITY },
});
await processor.ready;
const before = process.cpuUsage();
// A kill before the first record would prove nothing.
/** Of all partitions: those of the life before come to us only when its death was noticed. */
const isIdle = async (): Promise<boolean> => {
  const topic = codecs.trafficEdgeObserved.topic.name;
  const [ends, committed] = [await log.offsets(topic), await log.committed('traffic', topic)];
  return ends.every(({ partition, end }) => {
    const done = committed.find((each) => each.partition === partition)?.offset ?? -1;
    return Math.max(0, done) >= end;
  });
};
const handled = (): boolean => Object.values(counts.all()).some((count) => count > 0);
while (!handled() && !(await isIdle())) await delay(5);
process.stdout.write('begun\n');
while (!(await isIdle())) await delay(50);
const { user, system } = process.cpuUsage(before);
await processor.close();
process.stdout.write(`done ${JSON.stringify({ cpuS: (user + system) / 1e6, counts: counts.all() })}\n`);
process.exit(0);
