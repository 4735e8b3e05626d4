import cassandra from 'cassandra-driver';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import type { UserId } from '#schemas/units.js';
import { required } from '../../contracts/required-variable.js';

const server = () => new URL(required('LOCATIONS', 'cassandra://').split(',')[0]!);
const dayMs = 86_400_000;
const noon = Math.floor(Date.now() / dayMs) * dayMs - dayMs / 2;
const day = Math.floor(noon / dayMs);
const everything = { fromMs: 0, toMs: 8.64e15, limit: 1_000 };
const id = 'driver' as UserId;
let keyspace: string;
let client: cassandra.Client;
const localDataCenter = server().searchParams.get('dc') ?? 'datacenter1';

/** The tables as the program made them before it stored optional fields, with one location. */
beforeEach(async () => {
  keyspace = `columns_${process.pid}_${Date.now()}`;
  client = new cassandra.Client({
    contactPoints: [server().host],
    localDataCenter,
  });
  await client.execute(
    `CREATE KEYSPACE ${keyspace} ` +
      `WITH replication = {'class': 'NetworkTopologyStrategy', '${localDataCenter}': 1}`,
  );
  await client.execute(
    `CREATE TABLE ${keyspace}.location_by_user_day (user_id text, day int, timestamp timestamp, ` +
      'lat_e7 int, lng_e7 int, PRIMARY KEY ((user_id, day), timestamp))',
  );
  await client.execute(
    `CREATE TABLE ${keyspace}.location_day_by_user (user_id text, day int, PRIMARY KEY (user_id, day))`,
  );
  await client.execute(
    `INSERT INTO ${keyspace}.location_day_by_user (user_id, day) VALUES (?, ?)`,
    [id, day],
    {
      prepare: true,
    },
  );
  await writeAsBefore(noon, 1);
});
afterEach(async () => {
  await client.execute(`DROP KEYSPACE ${keyspace}`);
  await client.shutdown();
});

const writeAsBefore = (timestamp: number, lat: number) =>
  client.execute(
    `INSERT INTO ${keyspace}.location_by_user_day (user_id, day, timestamp, lat_e7, lng_e7) VALUES (?, ?, ?, ?, ?)`,
    [id, day, new Date(timestamp), lat, lat],
    { prepare: true },
  );

const openStore = () => openLocationStore(`cassandra://${server().host}/${keyspace}${server().search}`);

test('tables of an earlier version get the columns; their locations are read as before', async () => {
  const stores = await Promise.all([openStore(), openStore(), openStore()]);
  await Promise.all(stores.map((store) => store.prepare()));
  const store = stores[0];
  await store.write([
    {
      userId: id,
      batchId: 'b',
      receivedMs: Date.now(),
      points: {
        count: 2,
        latE7: Int32Array.of(2, 3),
        lngE7: Int32Array.of(2, 3),
        timeMs: Float64Array.of(noon + 1, noon + 2),
        speedMps: Float32Array.of(12.34, Number.NaN),
        modeIndex: Float32Array.of(1, 1),
      },
    },
  ]);
  expect((await store.read(id, everything)).locations).toEqual([
    { lat: 1e-7, lng: 1e-7, timestamp: noon },
    { lat: 2e-7, lng: 2e-7, timestamp: noon + 1, speed: 12.34, mode: 'walking' },
    { lat: 3e-7, lng: 3e-7, timestamp: noon + 2, mode: 'walking' },
  ]);
  // A program of the earlier version that still runs replaces the whole location.
  await writeAsBefore(noon + 1, 9);
  expect((await store.read(id, everything)).locations[1]).toEqual({
    lat: 9e-7,
    lng: 9e-7,
    timestamp: noon + 1,
  });
  await Promise.all(stores.map((one) => one.close()));
});

test('a field that a location lacks leaves no tombstone', async () => {
  const store = await openStore();
  await store.prepare();
  const points = { count: 1, latE7: Int32Array.of(5), lngE7: Int32Array.of(5) };
  const timeMs = Float64Array.of(noon + 5);
  const write = (fields: object) =>
    store.write([
      { userId: id, batchId: 'b', receivedMs: Date.now(), points: { ...points, timeMs, ...fields } },
    ]);
  await write({ headingDeg: Float32Array.of(90), speedMps: Float32Array.of(1) });
  await write({ headingDeg: Float32Array.of(91) });
  await store.close();
  const { rows } = await client.execute(
    `SELECT speed_cmps, heading_ddeg, mode FROM ${keyspace}.location_by_user_day WHERE user_id = ? AND day = ? AND timestamp = ?`,
    [id, day, new Date(noon + 5)],
    { prepare: true },
  );
  // The earlier speed is still in its cell, where a null would have replaced it; the store does not read it.
  expect({ ...rows[0] }).toMatchObject({ speed_cmps: 100, heading_ddeg: 910, mode: null });
});
