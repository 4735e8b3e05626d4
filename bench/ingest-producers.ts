import { ProduceAcks, Producer } from '@platformatic/kafka';
import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { partitionOf } from '#platform/event-log/murmur2.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import type { TopicContract } from '#schemas/topics.js';
import { appendResult, spread } from './append-result.js';
import { Missing } from './missing.js';

/**
 * What does a record cost that Kafka acknowledged, by producer? Records of 150 bytes, acks=all, idempotent,
 * one send of 1,000 at a time, all clients in this process and in turns; CPU is this process's own. Needs
 * EVENT_LOG=kafka://….
 */
const address = process.env['EVENT_LOG'] ?? '';
if (!address.startsWith('kafka://'))
  throw new Missing('Set EVENT_LOG=kafka://host:port; infra/up prints it.');
const brokers = address.slice('kafka://'.length).split(',');
const rounds = Number(process.env['ROUNDS'] ?? 6);
const seconds = Number(process.env['SECONDS'] ?? 3);
const perSend = 1_000;
const partitions = 8;
const topic: TopicContract = {
  name: `bench.producers.${Date.now()}.v1`,
  proto: { file: 'location.proto', message: 'meridian.location.v1.LocationBatch' },
  key: 'user id',
  partitions,
  retention: { policy: 'delete', ageMs: 600_000, bytesPerPartition: 2 ** 30 },
  owner: 'bench',
  summary: 'Records of a benchmark.',
};

const ours = await openEventLog(address);
await ours.createTopics([topic]);
const value = Buffer.alloc(150, 7);
const records = Array.from({ length: perSend }, (_, i) => ({ key: `user-${i % 200}`, value }));

const kafkajs = new Kafka({ clientId: 'bench', brokers, logLevel: logLevel.NOTHING }).producer({
  idempotent: true,
  maxInFlightRequests: 1,
  createPartitioner: Partitioners.DefaultPartitioner,
});
await kafkajs.connect();
const platformatic = new Producer<string, Buffer, string, string>({
  clientId: 'bench',
  bootstrapBrokers: brokers,
  idempotent: true,
  serializers: { key: (text) => Buffer.from(text ?? '') },
});

const senders: Readonly<Record<string, () => Promise<unknown>>> = {
  kafkajs: () =>
    kafkajs.send({
      topic: topic.name,
      acks: -1,
      messages: records.map(({ key }) => ({ key, value, partition: partitionOf(key, partitions) })),
    }),
  platformatic: () =>
    platformatic.send({
      acks: ProduceAcks.ALL,
      messages: records.map(({ key }) => ({
        topic: topic.name,
        key,
        value,
        partition: partitionOf(key, partitions),
      })),
    }),
  ours: () => ours.append(topic.name, records),
};

let sent = 0;
const figures = new Map(
  Object.keys(senders).map((name) => [name, { micros: [] as number[], perSecond: [] as number[] }]),
);
for (let round = 0; round <= rounds; round++) {
  for (const [name, send] of Object.entries(senders)) {
    const before = process.cpuUsage();
    const started = performance.now();
    let count = 0;
    while (performance.now() - started < seconds * 1_000) {
      await send();
      count += perSend;
    }
    sent += count;
    const { user, system } = process.cpuUsage(before);
    const micros = (user + system) / count;
    const perSecond = count / ((performance.now() - started) / 1_000);
    console.error(
      `round ${round}, ${name}: ${micros.toFixed(2)} us of CPU a record, ` +
        `${Math.round(perSecond).toLocaleString('en')} records/s`,
    );
    if (round === 0) continue;
    figures.get(name)!.micros.push(micros);
    figures.get(name)!.perSecond.push(perSecond);
  }
}
const stored = (await ours.offsets(topic.name)).reduce((sum, { end }) => sum + end, 0);
await Promise.all([kafkajs.disconnect(), platformatic.close(), ours.close()]);
if (stored !== sent) throw new Error(`void: ${sent} records were acknowledged and ${stored} are in the log`);
const result = {
  recordBytes: value.length,
  perSend,
  sent,
  stored,
  ...Object.fromEntries(
    [...figures].map(([name, { micros, perSecond }]) => [
      name,
      { cpuMicrosPerRecord: spread(micros), recordsPerSecond: spread(perSecond) },
    ]),
  ),
};
console.log(JSON.stringify(result, undefined, 2));
appendResult('ingest-producers', result);
