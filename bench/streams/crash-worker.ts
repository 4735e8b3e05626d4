import { setTimeout as delay } from 'node:timers/promises';
import { LogUnavailable } from '#platform/event-log/event-log.js';
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
import { ownTopics } from './crash-topics.js';

/**
 * One life of the group `traffic`: reads what is in the log, prints what it cost, and ends. Its steps know no
 * clock but the one in the records, so that what they say depends on the records alone.
 */
const { folder, suffix, logAddress, group, snapshotEveryMs } = JSON.parse(process.argv.at(-1)!) as {
  readonly folder: string;
  readonly suffix: string;
  readonly logAddress: string;
  readonly group: string;
  readonly snapshotEveryMs: number | null;
};
const metrics = createMetrics();
const log = await openEventLog(logAddress.split('?')[0]!, { logger: silentLogger });
const registry = await openSchemaRegistry(`embedded:${folder}/schemas`);
const codecs = ownTopics(await openTopicCodecs(registry), suffix);
const objects = await DirectoryObjectStore.open(`${folder}/objects`);
const names = [
  'counted',
  'late',
  'repeated',
  'implausible',
  'reported',
  'foreign',
  'full',
  'speeds',
  'closures',
  'reopenings',
];
const counts = new Counts(metrics, 'bench_outcomes_total', 'Outcomes.', names);
const topology = trafficTopology({ codecs, tilesetId: 'city', facts: crashFacts, clock: () => 0 }, counts);
const processor = await startProcessor(
  { ...topology, group },
  {
    log,
    deadLetters: codecs.deadLetter,
    objects,
    limits: { snapshotEveryMs: snapshotEveryMs ?? Number.POSITIVE_INFINITY },
  },
);
await processor.ready;
const before = process.cpuUsage();
/** Of all partitions: those of the previous life are assigned to us only when its death is detected. */
const isIdle = async (): Promise<boolean> => {
  const topic = codecs.trafficEdgeObserved.topic.name;
  const asked = await Promise.all([log.offsets(topic), log.committed(group, topic)]).catch((error: Error) => {
    if (error instanceof LogUnavailable) return undefined;
    throw error;
  });
  if (asked === undefined) return false;
  const [ends, committed] = asked;
  return ends.every(({ partition, end }) => {
    const done = committed.find((each) => each.partition === partition)?.offset ?? -1;
    return Math.max(0, done) >= end;
  });
};
// A kill before the first record would prove nothing.
const handled = (): boolean => Object.values(counts.all()).some((count) => count > 0);
// Asking a broker costs more than asking a file.
const lookEveryMs = logAddress.startsWith('kafka:') ? 250 : 50;
for (let lookMs = 0; !handled(); lookMs += 5) {
  if (lookMs % lookEveryMs === 0 && (await isIdle())) break;
  await delay(5);
}
process.stdout.write('begun\n');
while (!(await isIdle())) await delay(lookEveryMs);
const { user, system } = process.cpuUsage(before);
await processor.close();
process.stdout.write(`done ${JSON.stringify({ cpuS: (user + system) / 1e6, counts: counts.all() })}\n`);
process.exit(0);
