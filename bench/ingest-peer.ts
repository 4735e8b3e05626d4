import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import type { TopicContract } from '#schemas/topics.js';
import { appendResult, spread } from './append-result.js';
import { closedLoop } from './ingest/closed-loop.js';
import { openIngestServer } from './ingest/ingest-server.js';
import { bodyForms, prepareRequests } from './ingest/prepare-requests.js';
import { Missing } from './missing.js';
import { processCpuSeconds } from './process-cpu.js';

/**
 * Points that Kafka acknowledged per CPU-second of ingest, 20 points a batch, beside records per CPU-second
 * of Kafka's own `kafka-producer-perf-test` (100 bytes, acks=all, same broker, same number of partitions), in
 * turns. Java's start is left out: of each run of the peer the first report of five seconds only warms it.
 * Needs EVENT_LOG=kafka://… and the jars that infra/up resolved, or KAFKA_LIB, a folder of Kafka's own.
 */
const address = process.env['EVENT_LOG'] ?? '';
if (!address.startsWith('kafka://'))
  throw new Missing('Set EVENT_LOG=kafka://host:port; infra/up prints it.');
const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = Number(process.env['SECONDS'] ?? 5);
const connections = Number(process.env['CONNECTIONS'] ?? 256);
const pointsPerRequest = Number(process.env['POINTS'] ?? 20);
const javaProgram = process.env['JAVA_HOME'] === undefined ? 'java' : `${process.env['JAVA_HOME']}/bin/java`;
const topic: TopicContract = {
  name: `bench.peer.${Date.now()}.v1`,
  proto: { file: 'location.proto', message: 'meridian.location.v1.LocationBatch' },
  key: 'none',
  partitions: 8,
  retention: { policy: 'delete', ageMs: 600_000, bytesPerPartition: 2 ** 30 },
  owner: 'bench',
  summary: 'Records of a benchmark.',
};

const ingest = openIngestServer();
const log = await openEventLog(address);
await log.createTopics([topic]);
const loggedBefore = await ingest.countLogged();
const tokens = ingest.tokens(20);
const requests = new Map(
  bodyForms.map((form) => [
    form,
    prepareRequests({ form, tokens, users: 500, pointsPerRequest, nowMs: Date.now() }),
  ]),
);
const { child, port } = await ingest.start();
let turn = 0;
let acknowledged = 0;
let peerRecords = 0;

async function ours(form: (typeof bodyForms)[number], forSeconds: number): Promise<number> {
  const bodies = requests.get(form)!;
  const before = processCpuSeconds(child.pid!);
  const { answers } = await closedLoop({
    port,
    connections,
    seconds: forSeconds,
    nextRequest: () => bodies[turn++ % bodies.length]!,
  });
  const good = answers.get(202) ?? 0;
  acknowledged += good;
  return (good * pointsPerRequest) / (processCpuSeconds(child.pid!) - before);
}

function kafkaLibrary(): string {
  const cache = process.env['MERIDIAN_INFRA_CACHE'] ?? join(homedir(), '.cache/meridian-infra');
  const own = existsSync(cache) ? readdirSync(cache).filter((name) => /^kafka-[0-9a-f]+$/.test(name)) : [];
  const folder = process.env['KAFKA_LIB'] ?? (own[0] && join(cache, own[0]));
  if (folder === undefined)
    throw new Missing('Kafka’s jars are missing: run infra/up kafka, or set KAFKA_LIB.');
  return folder;
}

/** Records per CPU-second over one report of five seconds, behind another one that warms. */
async function peer(): Promise<number> {
  const options = [
    '--topic',
    topic.name,
    '--num-records',
    '1000000000',
    '--record-size',
    '100',
    '--throughput',
    '-1',
  ];
  const props = ['--producer-props', `bootstrap.servers=${address.slice('kafka://'.length)}`, 'acks=all'];
  const main = 'org.apache.kafka.tools.ProducerPerformance';
  const java = spawn(javaProgram, ['-Xmx512m', '-cp', `${kafkaLibrary()}/*`, main, ...options, ...props], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  process.once('exit', () => java.kill('SIGKILL'));
  try {
    peerRecords += await report(java);
    const before = processCpuSeconds(java.pid!);
    const records = await report(java);
    peerRecords += records;
    return records / (processCpuSeconds(java.pid!) - before);
  } finally {
    java.kill('SIGKILL');
    await once(java, 'close');
  }
}

function report(java: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = '';
    const ended = () => reject(new Error(`the peer ended: ${said}`));
    const onData = (piece: Buffer): void => {
      said += piece.toString();
      const sent = /(\d+) records sent/.exec(said)?.[1];
      if (sent === undefined || !said.includes('\n')) return;
      java.stdout!.off('data', onData);
      java.off('close', ended);
      resolve(Number(sent));
    };
    java.stdout!.on('data', onData);
    java.once('close', ended);
  });
}

const figures = { peer: [] as number[], json: [] as number[], protobuf: [] as number[] };
const ratios = { json: [] as number[], protobuf: [] as number[] };
for (const form of bodyForms) await ours(form, 4);
for (let round = 1; round <= rounds; round++) {
  const own = { json: await ours('json', seconds), protobuf: await ours('protobuf', seconds) };
  const records = await peer();
  figures.peer.push(records);
  for (const form of bodyForms) {
    figures[form].push(own[form]);
    ratios[form].push(own[form] / records);
  }
  console.error(
    `round ${round}: per CPU-second ${Math.round(own.json)} points as JSON, ` +
      `${Math.round(own.protobuf)} as Protobuf, peer ${Math.round(records)} records`,
  );
}
child.kill();
await once(child, 'close');
const inLog = (await ingest.countLogged()) - loggedBefore;
const inPeerTopic = (await log.offsets(topic.name)).reduce((sum, { end }) => sum + end, 0);
await log.close();
ingest.remove();
if (inLog < acknowledged || inPeerTopic < peerRecords)
  throw new Error(
    `void: ${acknowledged} batches acknowledged, ${inLog} in the log; peer ${peerRecords}, ${inPeerTopic}`,
  );
const result = {
  pointsPerRequest,
  connections,
  perCpuSecond: {
    peerRecords: spread(figures.peer),
    jsonPoints: spread(figures.json),
    protobufPoints: spread(figures.protobuf),
  },
  oursOverPeer: { json: spread(ratios.json), protobuf: spread(ratios.protobuf) },
  acknowledged,
  inLog,
};
console.log(JSON.stringify(result, undefined, 2));
appendResult('ingest-peer', result);
process.exit();
