import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { priorTrips } from '#bench/streams/prior-worlds.js';
import { ArrivalModelStore } from '#map-data/learned/arrival-model-store.js';
import { openTileset } from '#map-data/open-tileset.js';
import { LmdbEventLog } from '#platform/event-log/lmdb-event-log.js';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import { seededRandom } from '#platform/random/random.js';
import { EmbeddedSchemaRegistry } from '#platform/wire/embedded-schema-registry.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import type { FinishedTrip } from '#routing-engine/arrival-times/arrival-model.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { topics } from '#schemas/topics.js';
import { E7, type UserId } from '#schemas/units.js';
import { networkRoads } from '#simulated-city/network-roads.js';
import { RouteWalker } from '#simulated-city/route-walker.js';
import { layMap, meridian } from '../main-job/running-platform.js';

const folder = mkdtempSync(join(tmpdir(), 'meridian-arrivals-'));
const env = { MERIDIAN_DATA: folder };
const train = (...args: string[]) => meridian(['arrivals', 'train', ...args], env);
/** A Saturday. */
const t0 = Date.UTC(2026, 10, 21, 6);

let network: RoadNetwork;
let trips: readonly FinishedTrip[];

async function modelVersion(): Promise<number> {
  const objects = await DirectoryObjectStore.open(join(folder, 'objects'));
  const version = await new ArrivalModelStore(objects, network.tilesetId).newestVersion();
  await objects.close();
  return version;
}

/** A Parquet file of trips. */
function parquet(of: readonly FinishedTrip[]): Uint8Array {
  const columns = {
    departedMs: of.map(({ departMs }) => departMs),
    actualS: of.map(({ actualS }) => actualS),
    physicalS: of.map(({ physicalS }) => physicalS),
  };
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'tilesetId', data: of.map(() => network.tilesetId) },
        ...Object.entries(columns).map(([name, data]) => ({ name, data, type: 'DOUBLE' as const })),
        { name: 'features', data: of.map(({ row }) => row), type: 'JSON' as const },
      ],
    }),
  );
}

describe('meridian arrivals train', () => {
  beforeAll(async () => {
    const before = await meridian(['arrivals', 'train', '--from', 'topics'], {
      MERIDIAN_DATA: join(folder, 'new'),
    });
    expect([before.code, before.stdout]).toEqual([3, '']);
    expect(before.stderr).toContain('meridian tiles build');
    await layMap(folder);
    const objects = await DirectoryObjectStore.open(join(folder, 'objects'));
    network = await openTileset(objects);
    await objects.close();
    // A place where everything takes longer than elsewhere.
    trips = priorTrips(network, 7)
      .slice(0, 400)
      .map((trip) => ({ ...trip, departMs: Math.round(trip.departMs), actualS: 1.6 * trip.actualS }));
    expect(trips).toHaveLength(400);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('refuses sources and options that do not fit, with exit code 2', async () => {
    for (const args of [
      [],
      ['--from', 'kafka'],
      ['--from', 'parquet:'],
      ['--from', 'topics', '--users', 'users.txt'],
      ['--from', 'topics', '--since', 'yesterday'],
      ['--from', 'topics', '--dry-run', '--force'],
      ['--from', 'locations', '--users', join(folder, 'nobody.txt')],
    ])
      expect((await train(...args)).code, args.join(' ')).toBe(2);
  });

  it('without trips it ends with exit code 3 and says how many it takes', async () => {
    for (const source of ['topics', 'locations']) {
      const { code, stderr } = await train('--from', source);
      expect([code, stderr]).toEqual([
        3,
        expect.stringContaining('at least 50 trips on this map; there are 0'),
      ]);
    }
  });

  it('M-026: trains on the finished trips of the event log and shows the errors', async () => {
    const log = await LmdbEventLog.open({ folder: join(folder, 'log'), flush: 'background' });
    const registry = await EmbeddedSchemaRegistry.open(join(folder, 'schemas'));
    const { navArrivalObserved: codec } = await openTopicCodecs(registry);
    await log.createTopics(topics);
    const records = trips.map(({ row: features, departMs: departedMs, actualS, physicalS }, i) => ({
      key: '1>2',
      value: codec.encode({
        ...{ tilesetId: i < 300 ? network.tilesetId : 'another map', corridor: '1>2', departedMs, actualS },
        ...{
          metricS: physicalS,
          physicalS,
          features,
          saidS: 0,
          lowS: 0,
          highS: 0,
          modelVersion: 0,
          driver: 1,
        },
      }),
    }));
    await log.append(codec.topic.name, [...records, { key: 'damaged', value: Buffer.from([0, 1, 2, 3]) }]);
    await log.close();
    await registry.close();

    const dry = await train('--from', 'topics', '--dry-run', '--json');
    expect(dry.code).toBe(0);
    const figures = JSON.parse(dry.stdout) as Record<string, { mape: number; covered: number }>;
    expect(figures).toMatchObject({ trips: 300, heldBack: 90, published: false });
    expect(figures['after']!.mape).toBeLessThan(0.7 * figures['before']!.mape);
    expect(figures['after']!.covered).toBeGreaterThan(0.6);
    expect(await modelVersion()).toBe(0);

    const { code, stdout, stderr } = await train('--from', 'topics');
    expect([code, stderr]).toEqual([0, expect.stringContaining('300 used')]);
    expect(stdout).toMatch(/before: prior +\d+\.\d % +\d+\.\d %\n/);
    expect(stdout).toContain('published as version 1');
    expect(await modelVersion()).toBe(1);
  });

  it('reads Parquet files and folders; a damaged or foreign file ends it with a sentence', async () => {
    const files = join(folder, 'trips');
    mkdirSync(join(files, 'day'), { recursive: true });
    writeFileSync(join(files, 'day', 'a.parquet'), parquet(trips.slice(0, 200)));
    writeFileSync(join(files, 'b.parquet'), parquet(trips.slice(200)));
    const one = await train('--from', `parquet:${join(files, 'b.parquet')}`, '--dry-run', '--json');
    expect(JSON.parse(one.stdout)).toMatchObject({ trips: 200 });
    const all = await train('--from', `parquet:${files}`, '--dry-run', '--json');
    expect(JSON.parse(all.stdout)).toMatchObject({ trips: 400 });
    const since = new Date(trips[250]!.departMs).toISOString();
    const late = await train('--from', `parquet:${files}`, '--since', since, '--dry-run', '--json');
    expect(JSON.parse(late.stdout)).toMatchObject({ trips: 150 });

    writeFileSync(join(files, 'half.parquet'), parquet(trips).subarray(0, 500));
    const damaged = await train('--from', `parquet:${files}`);
    expect([damaged.code, damaged.stderr]).toEqual([
      1,
      expect.stringMatching(/half\.parquet cannot be read/),
    ]);
    const others = parquetWriteBuffer({ columnData: [{ name: 'edge_id', data: ['a'] }] });
    writeFileSync(join(files, 'half.parquet'), new Uint8Array(others));
    const foreign = await train('--from', `parquet:${files}`);
    expect([foreign.code, foreign.stderr]).toEqual([1, expect.stringContaining('has no column departedMs')]);
    expect((await train('--from', `parquet:${join(folder, 'nothing')}`)).code).toBe(1);
  });

  it('publishes a worse model only with --force', async () => {
    const file = join(folder, 'noise.parquet');
    // What the first trips teach is wrong for the last ones, which are held back.
    const turned = trips.map((trip, i) => ({ ...trip, actualS: trip.actualS / (i < 280 ? 2.5 : 1) }));
    writeFileSync(file, parquet(turned));
    const before = await modelVersion();
    const refused = await train('--from', `parquet:${file}`);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('worse and was not published'),
    ]);
    expect(await modelVersion()).toBe(before);
    expect((await train('--from', `parquet:${file}`, '--force')).code).toBe(0);
    expect(await modelVersion()).toBe(before + 1);
  });

  it('derives trips from the location store', async () => {
    const users = await driveUsers(9, 8);
    const store = await openLocationStore(`lmdb:${join(folder, 'locations')}`);
    await store.prepare();
    for (const { userId, points } of users)
      await store.write([{ userId: userId as UserId, batchId: userId, receivedMs: Date.now(), points }]);
    await store.close();
    const list = join(folder, 'users.txt');
    writeFileSync(list, `${users.map(({ userId }) => userId).join('\n')}\n\nunknown\n`);
    const { code, stdout, stderr } = await train(
      '--from',
      'locations',
      '--users',
      list,
      '--dry-run',
      '--json',
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining('10 users')]);
    const figures = JSON.parse(stdout) as {
      trips: number;
      freeFlow: { mape: number };
      after: { mape: number };
    };
    expect(figures.trips).toBeGreaterThan(50);
    // All drive a quarter slower than the map says.
    expect(figures.freeFlow.mape).toBeGreaterThan(0.12);
    expect(figures.after.mape).toBeLessThan(0.5 * figures.freeFlow.mape);
  });
});

/** Users who drive at 75 % of the map's speed and park for ten minutes, some with a phone that goes on. */
async function driveUsers(count: number, drives: number) {
  const roads = networkRoads(network);
  const random = seededRandom(4);
  const places = Array.from({ length: 30 }, () => random.below(roads.edgeCount)).filter(
    (edge) => roads.freeFlowKph(edge) > 0,
  );
  const users = [];
  for (let user = 0; user < count; user++) {
    const track: { lat: number; lng: number; timeMs: number }[] = [];
    let timeMs = t0 + user * 60_000;
    for (let drive = 0; drive < drives; ) {
      const way = roads.findPath(random.pick(places), 0, random.pick(places), new Set());
      if (way === undefined || way.length < 12) continue;
      drive++;
      const walker = new RouteWalker(roads, way, 0);
      for (let ended = false; !ended; timeMs += 2_000) {
        const { lat, lng } = walker.place();
        track.push({ lat, lng, timeMs });
        ended =
          walker.drive(
            2,
            (edge) => (0.75 * roads.freeFlowKph(edge)) / 3.6,
            () => true,
          ) !== 'driving';
      }
      const { lat, lng } = walker.place();
      for (let parked = 0; user % 2 === 0 && parked < 20; parked++)
        track.push({ lat: lat + 5e-5 * random.next(), lng, timeMs: timeMs + parked * 30_000 });
      timeMs += 600_000;
    }
    const column = () => new Float32Array(track.length).fill(Number.NaN);
    users.push({
      userId: `user-${user}`,
      points: {
        count: track.length,
        latE7: Int32Array.from(track, ({ lat }) => Math.round(lat * E7)),
        lngE7: Int32Array.from(track, ({ lng }) => Math.round(lng * E7)),
        timeMs: Float64Array.from(track, (each) => each.timeMs),
        ...{ accuracyM: column(), speedMps: column(), headingDeg: column() },
      },
    });
  }
  return users;
}
