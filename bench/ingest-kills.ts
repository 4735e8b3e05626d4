import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import { locationBatchRecorded } from '#schemas/topics.js';
import type { UserId } from '#schemas/units.js';
import { appendResult } from './append-result.js';
import { openIngestServer, type Server } from './ingest/ingest-server.js';

/**
 * Is any acknowledged data lost? Drivers send batches continuously and record the acknowledgements. Meanwhile
 * ingest (server and writer, with the embedded log and store), or with TARGETS=ingest,kafka,cassandra the
 * servers of infra/ in turn, are killed with SIGKILL at random instants and restarted. Afterwards log and
 * store are read and compared with the drivers' own record.
 */
const rounds = Number(process.env['ROUNDS'] ?? 50);
const targets = (process.env['TARGETS'] ?? 'ingest').split(',');
const drivers = 20;
const pointsPerBatch = 5;
const storeCatchesUpMs = 300_000;
const writerGroup = 'location-writer';
const startsWithinMs = 60_000;

const ingest = openIngestServer();
// Servers keep what earlier runs sent, so each run has drivers of its own.
const name = `kill-${Date.now().toString(36)}`;
const tokens = ingest.tokens(drivers, name);
const startMs = Date.now() - 7_200_000;
const begun = await firstOffsets();
let server: Server = await ingest.start('both');
let stopped = false;
let retries = 0;

/** End of a server's log before this run; earlier records are ignored. */
async function firstOffsets(): Promise<ReadonlyMap<number, number>> {
  const log = await openEventLog(ingest.addresses.log);
  const offsets = await log.offsets(locationBatchRecorded.name).catch(() => []);
  await log.close();
  return new Map(offsets.map(({ partition, end }) => [partition, end]));
}

/**
 * The acknowledged points of one driver, and all points that they ever sent: the latitude of a point is its
 * number in 1e-7 degrees.
 */
interface Track {
  sent: number;
  readonly acknowledged: number[];
}
const tracks = tokens.map((): Track => ({ sent: 0, acknowledged: [] }));

async function drive(driver: number): Promise<void> {
  const track = tracks[driver]!;
  while (!stopped) {
    const numbers = Array.from({ length: pointsPerBatch }, () => track.sent++);
    const body = JSON.stringify({
      locs: numbers.map((number) => [number / 1e7, driver, startMs + number]),
      batch_id: `${driver}-${numbers[0]}`,
    });
    for (;;) {
      const status = await post(body, tokens[driver]!);
      if (status === 202) break;
      if (status !== undefined && status !== 503) throw new Error(`void: answered with ${status}`);
      retries++;
      if (stopped && status === undefined) return;
      await new Promise((wake) => setTimeout(wake, 20));
    }
    track.acknowledged.push(...numbers);
  }
}

/** Undefined when the connection broke. The batch may or may not be stored, so it is sent again. */
async function post(body: string, token: string): Promise<number | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${server.port}/v1/locations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(15_000),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return undefined;
  }
}

async function kill(target: string): Promise<void> {
  if (target === 'ingest') {
    server.child.kill('SIGKILL');
    await once(server.child, 'close');
    server = await ingest.start('both');
    return;
  }
  await infra('kill', target);
  // The killed server may hold its port for a moment longer.
  for (const end = Date.now() + startsWithinMs; ; ) {
    try {
      await infra('start', target);
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((wake) => setTimeout(wake, 500));
    }
  }
}

/** Drivers go on sending meanwhile. */
async function infra(verb: 'kill' | 'start', target: string): Promise<void> {
  const child = spawn(`infra/${verb}`, [target], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (piece: Buffer) => {
    said += piece.toString();
  });
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`infra/${verb} ${target} failed: ${said}`);
}

const driving = Promise.all(tokens.map((_, driver) => drive(driver)));
for (let round = 0; round < rounds; round++) {
  await new Promise((wake) => setTimeout(wake, 100 + Math.random() * 900));
  const target = targets[round % targets.length]!;
  await kill(target);
  const count = tracks.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  console.error(`kill ${round + 1} of ${rounds}: ${target}; ${count} points acknowledged`);
}
await new Promise((wake) => setTimeout(wake, 1_000));
stopped = true;
await driving;

const codecs = await openTopicCodecs(await openSchemaRegistry(ingest.addresses.schemas));
const topic = codecs.locationBatchRecorded.topic.name;
const users = new Map(tokens.map((_, driver) => [`${name}-${driver}`, driver]));
const newKeys = () => tokens.map(() => new Map<number, number>());

async function readLog() {
  const log = await openEventLog(ingest.addresses.log);
  const seen = newKeys();
  let records = 0;
  for (const { partition, earliest } of await log.offsets(topic)) {
    const from = Math.max(earliest, begun.get(partition) ?? 0);
    for await (const { key, value } of log.read(topic, partition, from)) {
      const driver = users.get(key);
      if (driver === undefined || value === null) continue;
      const { points } = codecs.locationBatchRecorded.decode(value);
      records++;
      for (let i = 0; i < points.count; i++) seen[driver]!.set(points.timeMs[i]! - startMs, points.latE7[i]!);
    }
  }
  await log.close();
  return { seen, records };
}

async function readStore() {
  const store = await openLocationStore(ingest.addresses.locations);
  await store.prepare();
  const seen = newKeys();
  for (const [user, driver] of users) {
    let cursor: string | undefined;
    do {
      const bounds = { fromMs: startMs, toMs: startMs + 86_400_000, limit: 1_000 };
      const page = await store.read(user as UserId, cursor === undefined ? bounds : { ...bounds, cursor });
      for (const { lat, timestamp } of page.locations)
        seen[driver]!.set(timestamp - startMs, Math.round(lat * 1e7));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }
  await store.close();
  return seen;
}

/** Waits until the writer has committed the complete log; a lagging store has lost nothing. */
async function storeHasCaughtUp(): Promise<void> {
  const log = await openEventLog(ingest.addresses.log);
  for (const end = Date.now() + storeCatchesUpMs; ; ) {
    const [offsets, committed] = await Promise.all([log.offsets(topic), log.committed(writerGroup, topic)]);
    const next = new Map(committed.map(({ partition, offset }) => [partition, offset]));
    const lag = offsets.reduce(
      (sum, one) => sum + one.end - Math.max(one.earliest, next.get(one.partition) ?? 0),
      0,
    );
    if (lag === 0) break;
    if (Date.now() > end) throw new Error(`void: the writer still lags by ${lag} records`);
    await new Promise((wake) => setTimeout(wake, 500));
  }
  await log.close();
}

function judge(seen: ReadonlyArray<ReadonlyMap<number, number>>) {
  let missing = 0;
  let foreign = 0;
  for (const [driver, { acknowledged, sent }] of tracks.entries()) {
    const found = seen[driver]!;
    for (const number of acknowledged) if (found.get(number) !== number) missing++;
    for (const [number, lat] of found) if (number >= sent || number !== lat) foreign++;
  }
  return { missing, neverSent: foreign };
}

console.error('waiting for the writer, then reading log and store');
await storeHasCaughtUp();
const inStore = judge(await readStore());
server.child.kill();
await once(server.child, 'close');
const logged = await readLog();
const inLog = judge(logged.seen);
ingest.remove();
const result = {
  adapters: { log: ingest.addresses.log.split(':')[0], locations: ingest.addresses.locations.split(':')[0] },
  kills: Object.fromEntries(targets.map((target, i) => [target, Math.ceil((rounds - i) / targets.length)])),
  acknowledgedPoints: tracks.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0),
  retries,
  recordsInLog: logged.records,
  missing: { log: inLog.missing, store: inStore.missing },
  neverSent: { log: inLog.neverSent, store: inStore.neverSent },
};
console.log(JSON.stringify(result, undefined, 2));
appendResult('ingest-kills', result);
if (inLog.missing + inStore.missing + inLog.neverSent + inStore.neverSent > 0) process.exitCode = 1;
process.exit();
