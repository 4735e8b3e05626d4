import cassandra from 'cassandra-driver';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import type { LocationBatch } from '#schemas/location.js';
import { E7, type UserId } from '#schemas/units.js';
import { appendResult, spread } from './append-result.js';
import { Missing } from './missing.js';

/**
 * What does a location cost that Cassandra acknowledged, beside the plainest loop of one prepared insert a
 * row with the same driver, 32 at a time as ours? CPU is this process's own. The rows are read back and
 * counted. Needs LOCATIONS=cassandra://….
 */
const address = process.env['LOCATIONS'] ?? '';
if (!address.startsWith('cassandra://'))
  throw new Missing('Set LOCATIONS=cassandra://…; infra/up prints it.');
const rounds = Number(process.env['ROUNDS'] ?? 6);
const batchesPerRound = Number(process.env['BATCHES'] ?? 2_000);
const pointsPerBatch = Number(process.env['POINTS'] ?? 20);
const batchesPerWrite = 200;
const inFlight = 32;

const url = new URL(address.replace('cassandra:', 'http:'));
const keyspace = 'meridian_bench';
const ourAddress = `cassandra://${url.host}/${keyspace}?dc=${url.searchParams.get('dc') ?? 'datacenter1'}`;
const store = await openLocationStore(ourAddress);
await store.prepare();
const client = new cassandra.Client({
  contactPoints: [url.hostname],
  protocolOptions: { port: Number(url.port) },
  localDataCenter: url.searchParams.get('dc') ?? 'datacenter1',
  keyspace,
  queryOptions: { consistency: cassandra.types.consistencies.localQuorum, prepare: true, isIdempotent: true },
});
await client.connect();

const dayMs = 86_400_000;
const startMs = Math.floor(Date.now() / dayMs) * dayMs - dayMs;
const run = Date.now().toString(36);
const insert =
  'INSERT INTO location_by_user_day (user_id, day, timestamp, lat_e7, lng_e7) VALUES (?, ?, ?, ?, ?) USING TTL ?';

function batchesOf(name: string, round: number): LocationBatch[] {
  return Array.from({ length: batchesPerRound }, (_, i) => {
    const columns = Array.from({ length: pointsPerBatch }, (_point, p) => p);
    return {
      userId: `${run}-${name}-${i % 500}` as UserId,
      batchId: `${round}-${i}`,
      receivedMs: Date.now(),
      points: {
        count: pointsPerBatch,
        latE7: Int32Array.from(columns, (p) => Math.round((57.7 + (i + p) / 1e5) * E7)),
        lngE7: Int32Array.from(columns, (p) => Math.round((11.9 + (i + p) / 1e5) * E7)),
        timeMs: Float64Array.from(
          columns,
          (p) => startMs + ((round * batchesPerRound + i) * pointsPerBatch + p) * 100,
        ),
      },
    };
  });
}

async function writeOurs(batches: readonly LocationBatch[]): Promise<void> {
  for (let at = 0; at < batches.length; at += batchesPerWrite)
    await store.write(batches.slice(at, at + batchesPerWrite));
}

async function writePlainly(batches: readonly LocationBatch[]): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      for (let batch = batches[next++]; batch !== undefined; batch = batches[next++]) {
        const { latE7, lngE7, timeMs, count } = batch.points;
        for (let p = 0; p < count; p++) {
          const time = timeMs[p]!;
          const day = Math.floor(time / dayMs);
          await client.execute(insert, [batch.userId, day, new Date(time), latE7[p], lngE7[p], 2_592_000]);
        }
      }
    }),
  );
}

const writers = { plain: writePlainly, ours: writeOurs };
const micros: Record<keyof typeof writers, number[]> = { plain: [], ours: [] };
const perSecond: Record<keyof typeof writers, number[]> = { plain: [], ours: [] };
for (let round = 0; round <= rounds; round++) {
  for (const name of ['plain', 'ours'] as const) {
    const batches = batchesOf(name, round);
    const rows = batchesPerRound * pointsPerBatch;
    const before = process.cpuUsage();
    const started = performance.now();
    await writers[name](batches);
    const { user, system } = process.cpuUsage(before);
    const rate = rows / ((performance.now() - started) / 1_000);
    console.error(
      `round ${round}, ${name}: ${((user + system) / rows).toFixed(2)} us of CPU a row, ` +
        `${Math.round(rate)} rows/s`,
    );
    if (round === 0) continue;
    micros[name].push((user + system) / rows);
    perSecond[name].push(rate);
  }
}

async function stored(name: string): Promise<number> {
  let rows = 0;
  for (let user = 0; user < Math.min(500, batchesPerRound); user++) {
    for (const day of [0, 1, 2]) {
      const { rows: found } = await client.execute(
        'SELECT COUNT(*) FROM location_by_user_day WHERE user_id = ? AND day = ?',
        [`${run}-${name}-${user}`, startMs / dayMs + day],
      );
      rows += Number(found[0]!['count']);
    }
  }
  return rows;
}
const expected = (rounds + 1) * batchesPerRound * pointsPerBatch;
const rows = { plain: await stored('plain'), ours: await stored('ours') };
await Promise.all([client.shutdown(), store.close()]);
const ratios = micros.plain.map((plain, round) => plain / micros.ours[round]!);
const result = {
  pointsPerBatch,
  rowsPerRound: batchesPerRound * pointsPerBatch,
  cpuMicrosPerRow: { plain: spread(micros.plain), ours: spread(micros.ours) },
  rowsPerCpuSecondOursOverPlain: spread(ratios),
  rowsPerSecond: { plain: spread(perSecond.plain), ours: spread(perSecond.ours) },
  expected,
  rows,
};
console.log(JSON.stringify(result, undefined, 2));
if (rows.plain !== expected || rows.ours !== expected) throw new Error('void: rows are missing');
appendResult('ingest-store', result);
