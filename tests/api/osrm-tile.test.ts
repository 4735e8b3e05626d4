import { gunzipSync } from 'node:zlib';
import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engineGraphTiles } from '#api/engine/engine-graph-tiles.js';
import { modeMetrics } from '#api/engine/mode-metrics.js';
import { cutGraphTile } from '#api/graph-tiles/cut-graph-tile.js';
import { compiledFile } from '#platform/worker-pool/compiled-file.js';
import { createWorkerPool } from '#platform/worker-pool/worker-pool.js';
import { shareNetwork } from '#routing-engine/network/road-network.js';
import { applyChanges } from '#routing-engine/overlay/metric.js';
import { type OsrmTown, openOsrmTown } from './osrm-town.js';

/**
 * 20 m per character, east and south of 0,0. BD is one way southwards, no left turn leads from AB into BE,
 * FG is a ferry, HI is not connected to the others.
 */
const drawing = `
          E
          |
          |
A---------B---------C
          |
          |
          D---------F---------G

H----I`;

let town: OsrmTown;
beforeAll(async () => {
  town = await openOsrmTown(drawing, {
    ways: {
      AB: { name: 'High Street', maxspeed: '50' },
      BD: { oneway: 'yes' },
      FG: { highway: '', route: 'ferry', foot: 'yes', motor_vehicle: 'yes' },
    },
    restrictions: [['no_left_turn', 'AB', 'B', 'BE']],
  });
});
beforeEach(() => town.reset());
afterAll(() => town.close());

/** The tile south-east of 0,0. */
const tileAt = (z: number): string => `tile(${2 ** (z - 1)},${2 ** (z - 1)},${z}).mvt`;
const ask = (tile: string, profile = 'driving', query = '') =>
  town.served.call('GET', `/v1/osrm/tile/v1/${profile}/${tile}${query}`, {
    headers: { 'accept-encoding': 'identity' },
  });

async function layersOf(z: number, profile?: string): Promise<Record<string, VectorTileFeature[]>> {
  const { status, bytes } = await ask(tileAt(z), profile);
  expect(status).toBe(200);
  return Object.fromEntries(
    Object.entries(new VectorTile(new PbfReader(bytes)).layers).map(([name, layer]) => [
      name,
      Array.from({ length: layer.length }, (_, at) => layer.feature(at)),
    ]),
  );
}

const named = (features: VectorTileFeature[], name: string): VectorTileFeature[] =>
  features.filter(({ properties }) => properties['name'] === name);

describe('the tile service of OSRM', () => {
  test('each direction of a road has its speed, time and name', async () => {
    const { speeds } = await layersOf(14);
    const [east, west, ...more] = named(speeds!, 'High Street');
    expect(more).toEqual([]);
    const { duration, ...rest } = east!.properties;
    const speed = (3.6 * 200) / (duration as number);
    expect(rest).toEqual({
      ...{ speed: Math.round(speed), rate: Math.round(speed), weight: duration },
      ...{ datasource: 'free flow', is_small: false, is_startpoint: true, name: 'High Street' },
    });
    expect(speed).toBeGreaterThan(20);
    const line = (feature: VectorTileFeature): number[] => feature.loadGeometry()[0]!.map(({ x }) => x);
    expect(line(east!)).toEqual(line(west!).reverse());
    expect(named(speeds!, 'BD')).toHaveLength(1);
  });

  test('small parts and ferries are marked', async () => {
    const { speeds } = await layersOf(14);
    expect(named(speeds!, 'HI')[0]!.properties).toMatchObject({ is_small: true, is_startpoint: true });
    expect(named(speeds!, 'FG')[0]!.properties).toMatchObject({ is_startpoint: false });
  });

  test('places are where the map has them', async () => {
    const { speeds } = await layersOf(16);
    const [, x, y] = /tile\((\d+),(\d+)/.exec(tileAt(16))!.map(Number);
    const { coordinates } = named(speeds!, 'HI')[0]!.toGeoJSON(x!, y!, 16).geometry as GeoJSON.LineString;
    expect(coordinates[0]![0]).toBeCloseTo(town.place('H')[0], 5);
    expect(coordinates[0]![1]).toBeCloseTo(town.place('H')[1], 5);
  });

  test('live traffic, and closed roads are not part of it', async () => {
    const { map } = town;
    const metric = applyChanges(
      map.network,
      town.live.metric,
      [
        { edge: map.edge('A', 'B'), speedKph: 9 },
        { edge: map.edge('B', 'A'), speedKph: 9 },
        { edge: map.edge('B', 'C'), closed: true },
        { edge: map.edge('C', 'B'), closed: true },
      ],
      1,
    );
    town.live = { metric, publishedMs: 0 };
    const { speeds } = await layersOf(14);
    for (const { properties } of named(speeds!, 'High Street'))
      expect(properties).toMatchObject({ speed: 9, datasource: 'live traffic', duration: 80 });
    expect(named(speeds!, 'BC')).toEqual([]);
    const { speeds: walked } = await layersOf(14, 'foot');
    expect(named(walked!, 'BC')).toHaveLength(2);
  });

  test('turns from zoom 15 on, without those that are forbidden', async () => {
    expect((await layersOf(14))['turns']).toBeUndefined();
    const { turns } = await layersOf(15);
    const from = (bearing: number) =>
      turns!
        .filter(({ properties }) => properties['bearing_in'] === bearing)
        .map(({ properties }) => [properties['turn_angle'], properties['type'], properties['modifier']]);
    // From the west: into BC, BD and back, not into BE.
    const east = from(90);
    expect(east).toContainEqual([90, 'turn', 'right']);
    expect(east).toContainEqual([0, expect.any(String), 'straight']);
    expect(east.some(([angle]) => angle === -90)).toBe(false);
    for (const { properties } of turns!) expect(properties['cost']).toBe(properties['weight']);
  });

  test('a tile without roads is empty, and answers are compressed for clients that accept it', async () => {
    const { status, bytes, headers } = await ask('tile(0,0,12).mvt');
    expect([status, bytes.byteLength]).toEqual([200, 0]);
    expect(headers.get('content-type')).toBe('application/x-protobuf');
    const packed = await fetch(`${town.served.url}/v1/osrm/tile/v1/car/${tileAt(14)}`);
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(new Uint8Array(await packed.arrayBuffer())).toEqual((await ask(tileAt(14))).bytes);
  });

  test('the thread of tiles makes the same tile', async () => {
    const { network } = town.map;
    const pool = createWorkerPool({
      file: compiledFile('api/map/tile-worker.js'),
      workerData: { network: shareNetwork(network) },
      threads: 1,
    });
    const others = modeMetrics(network);
    const tiles = engineGraphTiles({ pool, driving: () => town.live, others });
    const { signal } = new AbortController();
    const address = { z: 15, x: 2 ** 14, y: 2 ** 14 };
    for (const mode of ['driving', 'walking'] as const) {
      const metric = mode === 'driving' ? town.live.metric : others.open(mode, Date.now());
      const made = await tiles({ mode, address }, { signal });
      const here = cutGraphTile(network, metric, address);
      if (made.status !== 'ok' || here.status !== 'ok') throw new Error('The tile is too big.');
      expect(gunzipSync(made.gzip)).toEqual(gunzipSync(here.gzip));
    }
    await pool.close();
  });

  test('F: a tile with too many roads is refused with their number', () => {
    const address = { z: 12, x: 2 ** 11, y: 2 ** 11 };
    const { network } = town.map;
    expect(cutGraphTile(network, town.live.metric, address, 6)).toEqual({ status: 'too-big', roads: 7 });
    expect(cutGraphTile(network, town.live.metric, address, 7).status).toBe('ok');
  });

  test.each([
    ['tile(0,0,11).mvt', 'InvalidOptions'],
    ['tile(0,0,20).mvt', 'InvalidOptions'],
    ['tile(4096,0,12).mvt', 'InvalidOptions'],
    ['tile(0,4096,12).mvt', 'InvalidOptions'],
    ['tile(0,0).mvt', 'InvalidQuery'],
    ['tile(0,0,12)', 'InvalidQuery'],
    ['tile(-1,0,12).mvt', 'InvalidQuery'],
    ['tile(0.5,0,12).mvt', 'InvalidQuery'],
    ['tile(99999999,0,12).mvt', 'InvalidQuery'],
    ['tile(NaN,0,12).mvt', 'InvalidQuery'],
    ['1,1;2,2', 'InvalidQuery'],
    ['tile(0,0,12).mvt?steps=true', 'InvalidQuery'],
  ])('F: %s is %s', async (tile, code) => {
    const { status, json } = await ask(tile);
    expect({ status, json }).toEqual({ status: 400, json: { code, message: expect.stringMatching(/\w/) } });
  });

  test('F: unknown profiles are refused, and a metric without an incident', async () => {
    expect((await ask(tileAt(14), 'rocket')).json.code).toBe('InvalidValue');
    town.gap = 'The driving metric does not have the incident i1 yet.';
    expect((await ask(tileAt(14))).status).toBe(503);
    expect((await ask(tileAt(14), 'walking')).status).toBe(200);
  });
});
