import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { tileAt } from '#map-tiles/format/web-mercator.js';
import type { Incident } from '#schemas/http/incidents.js';
import type { StatusAnswer, TrafficAnswer } from '#schemas/http/map.js';
import type { NavAnswer } from '#schemas/http/nav.js';
import { proves } from '#tools/acceptance/proves.js';
import { type NavSocket, openNavSocket } from '../main-job/nav-socket.js';
import { meridian, type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { encodePbf, type Fixture } from '../tile-builder/osm-fixture.js';
import { unlimited } from './drivers-of.js';

/** As in docs/freshness.md. */
const trafficWithinMs = 10_000;
const releaseWithinMs = 20_000;

const [columns, rows] = [6, 5];
const place = (column: number, row: number) => ({ lng: 12 + column * 0.006, lat: 58 + row * 0.003 });
const crossing = (column: number, row: number): number => 1 + row * columns + column;
const upTo = (end: number): number[] => Array.from({ length: end }, (_, i) => i);
const street = (id: number, name: string, refs: readonly number[]) => ({
  id,
  refs,
  tags: { highway: 'residential', name, maxspeed: '30' },
});
const house = (column: number) => ({
  id: 900,
  ...place(column, 2.1),
  tags: { 'addr:street': 'Row 2', 'addr:housenumber': '7', 'addr:city': 'Gridby' },
});

/** Streets that cross every 330 metres; a house; a town. */
const before: Fixture = {
  nodes: [
    ...upTo(rows).flatMap((row) =>
      upTo(columns).map((column) => ({ id: crossing(column, row), ...place(column, row) })),
    ),
    // The middle of Row 0 between columns 1 and 2, and a place south of it.
    { id: 700, ...place(1.5, 0) },
    { id: 701, ...place(1.5, -0.5) },
    house(0.2),
    { id: 901, ...place(2, 3.5), tags: { place: 'town', name: 'Gridby' } },
  ],
  ways: [
    street(100, 'Row 0', [crossing(0, 0), crossing(1, 0), 700, ...[2, 3, 4, 5].map((c) => crossing(c, 0))]),
    ...[1, 2, 3, 4].map((row) =>
      street(
        100 + row,
        `Row ${row}`,
        upTo(columns).map((column) => crossing(column, row)),
      ),
    ),
    ...upTo(columns).map((column) =>
      street(
        200 + column,
        `Column ${column}`,
        upTo(rows).map((row) => crossing(column, row)),
      ),
    ),
  ],
};
/**
 * Row 2 is cut between columns 2 and 3; a road south joins Row 0 in the middle of a block; the house was
 * rebuilt elsewhere; there is a new café.
 */
const after: Fixture = {
  nodes: [
    ...before.nodes.map((node) => (node.id === 900 ? house(0.6) : node)),
    { id: 902, ...place(3, 1.1), tags: { amenity: 'cafe', name: 'Newcomer' } },
  ],
  ways: [
    ...before.ways.filter(({ id }) => id !== 102),
    street(
      102,
      'Row 2',
      [0, 1, 2].map((column) => crossing(column, 2)),
    ),
    street(
      302,
      'Row 2',
      [3, 4, 5].map((column) => crossing(column, 2)),
    ),
    street(400, 'South', [700, 701]),
  ],
};

/** Waits for each of several things, all within one time from now. */
function within(timeMs: number): (wanted: () => Promise<void>) => Promise<void> {
  const endMs = performance.now() + timeMs;
  return (wanted) => vi.waitFor(wanted, { timeout: Math.max(0, endMs - performance.now()), interval: 50 });
}

interface Seen {
  readonly what: string;
  readonly status: number;
  /** The releases to which the parts of a response belong; a list of one if it is consistent. */
  readonly releases: readonly string[];
}

describe('a new release of the map under load', () => {
  let data: string;
  let api: RunningProgram;
  let processors: RunningProgram;
  let navigation: NavSocket;
  const env = () => ({ MERIDIAN_DATA: data });

  const build = async (name: string, fixture: Fixture): Promise<string> => {
    const file = join(data, `${name}.osm.pbf`);
    await writeFile(file, encodePbf(fixture));
    const options = ['--map-zoom', '14', '--png-zoom', '8', '--json'];
    const { code, stdout, stderr } = await meridian(['tiles', 'build', file, ...options], env());
    expect(code, stderr).toBe(0);
    return (JSON.parse(stdout) as { readonly tilesetId: string }).tilesetId;
  };
  const get = async <Body>(path: string): Promise<Body> =>
    (await fetch(api.url + path)).json() as Promise<Body>;

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-swap-'));
    await build('before', before);
    [processors, api] = await Promise.all([
      startProgram('processors', { data, args: ['customization', 'reroute'] }),
      // The build uses the other core: slow requests then should wait, not be shed.
      startProgram('api', { data, env: { ...unlimited, TURN_BUDGET_MS: '10000' } }),
    ]);
  });
  afterAll(async () => {
    navigation?.close();
    await Promise.all([processors, api].map((program) => program?.stop()));
    await rm(data, { recursive: true, force: true });
  });

  proves('M-028', {
    asked: 'map, traffic and places current within a bound, no restart',
    shown: 'of a closure traffic and routes in 10 s; of a release roads, a new place, map and tile in 20 s',
    settings: [
      'TURN_BUDGET_MS 10,000',
      'no rate limits',
      'of the processors customization and reroute alone',
      'a drawn town of 30 crossings',
      'map tiles to zoom 14, PNG to 8, instead of 16 and 12',
      '20 s from the end of the build',
    ],
    control: {
      in: 'cli/releases/follow-releases.ts',
      change: 'lookEveryMs = 2_000',
      to: 'lookEveryMs = 200_000',
    },
  });
  proves('M-028', {
    asked: 'after a traffic change every store that serves answers is current within its stated bound',
    shown: 'traffic and routes have a closure within 10 s of its request, together',
    settings: [
      'TURN_BUDGET_MS 10,000',
      'no rate limits',
      'of the processors customization and reroute alone',
      'a drawn town of 30 crossings',
    ],
    control: {
      in: 'processors/limits.ts',
      change: 'coalesceMs = 25;',
      to: 'coalesceMs = 25_000;',
    },
  });
  proves('M-043', {
    asked: 'built again with new data without downtime',
    shown: 'under load a second extract is built and served: every answer is 200 and of one release',
    settings: [
      'TURN_BUDGET_MS 10,000',
      'no rate limits',
      'map tiles to zoom 14, PNG to 8, instead of 16 and 12',
      'processors customization and reroute alone',
    ],
    control: {
      in: 'cli/releases/follow-releases.ts',
      change: 'lookEveryMs = 2_000',
      to: 'lookEveryMs = 200_000',
    },
  });
  it('M-028, M-043: answers have one release, none fails, closures stay, navigations update', async () => {
    const { tileset } = await get<StatusAnswer>('/v1/status');
    const cafe = async () => (await get<{ readonly status: string }>('/v1/geocode?address=Newcomer')).status;
    const mapUrl = async () => (await get<{ readonly tiles: readonly string[] }>('/v1/tiles.json')).tiles[0];
    const along = async () =>
      (await get<NavAnswer>('/v1/nav?origin=58,12.0048&destination=58,12.0174')).distance;
    // Names in the tile of the road that is new.
    const onMap = async () => {
      const { z, x, y } = tileAt(place(1.5, -0.25).lat, place(1.5, -0.25).lng, 14);
      const url = (await mapUrl())!.replace('{z}/{x}/{y}', `${z}/${x}/${y}`);
      const answer = await fetch(url);
      expect(answer.status).toBe(200);
      const { layers } = new VectorTile(new PbfReader(new Uint8Array(await answer.arrayBuffer())));
      return Object.values(layers).flatMap((layer) =>
        Array.from({ length: layer.length }, (_, i) => layer.feature(i).properties['name']),
      );
    };
    const [mapBefore, alongBefore] = [await mapUrl(), await along()];
    expect(await cafe()).toBe('ZERO_RESULTS');
    expect(await onMap()).toContain('Row 0');
    expect(await onMap()).not.toContain('South');
    const ofClosure = within(trafficWithinMs);
    const closed = await fetch(`${api.url}/v1/incidents`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await api.token('op', 'operator')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ kind: 'closed', at: place(1.2, 0), expires_in_s: 3_600 }),
    });
    const { edge_ids: closedIds } = (await closed.json()) as Incident;
    expect(closedIds).toHaveLength(2);
    await ofClosure(async () => expect((await get<TrafficAnswer>('/v1/traffic')).features).toHaveLength(2));
    // The way through the closed block is longer by now.
    await ofClosure(async () => expect((await along())!.value).toBeGreaterThan(alongBefore!.value));
    navigation = await openNavSocket(api.url, await api.token('navigator', 'driver'));
    navigation.send({ type: 'start', origin: place(0.1, 2), destination: place(4.9, 2) });
    const { route } = await navigation.next('started');

    // The parts that distinguish the releases: the tileset, the position of the house, the closed edges, the
    // named map.
    const houseAt = (lng: number): string => (lng < 12.002 ? 'old' : 'new');
    const tilesetIs = (id: string): string => (id === tileset.id ? 'old' : 'new');
    const asks: Readonly<Record<string, (body: never) => string[]>> = {
      [`/v1/nav?origin=${encodeURIComponent('Row 2 7, Gridby')}&destination=58.009,12.02`]: (
        answer: NavAnswer,
      ) => [tilesetIs(answer.tileset_id), houseAt(answer.start_location!.lng)],
      [`/v1/geocode?address=${encodeURIComponent('Row 2 7, Gridby')}`]: (answer: {
        readonly results: readonly { readonly geometry: { readonly location: { readonly lng: number } } }[];
      }) => [houseAt(answer.results[0]!.geometry.location.lng)],
      '/v1/traffic': ({ tileset_id, features }: TrafficAnswer) => [
        tilesetIs(tileset_id),
        // The closed block has two directions; on the new roads it has two pieces, and so four edges are
        // closed.
        ...features.map(({ properties }) => (properties.closed ? tilesetIs(tileset_id) : 'not closed')),
        features.length === 2 ? 'old' : features.length === 4 ? 'new' : `${features.length} edges`,
      ],
    };
    const seen: Seen[] = [];
    let going = true;
    const load = Object.entries(asks).flatMap(([path, releasesOf]) =>
      upTo(2).map(async () => {
        while (going) {
          const answer = await fetch(api.url + path);
          const body = (await answer.json()) as never;
          const releases = answer.status === 200 ? [...new Set(releasesOf(body))] : [];
          seen.push({ what: path, status: answer.status, releases });
        }
      }),
    );
    const tilesetId = await build('after', after);
    const ofRelease = within(releaseWithinMs);
    await ofRelease(async () => expect((await get<StatusAnswer>('/v1/status')).tileset.id).toBe(tilesetId));
    await ofRelease(async () => expect(await cafe()).toBe('OK'));
    await ofRelease(async () => expect(await mapUrl()).not.toBe(mapBefore));
    await ofRelease(async () => expect(await onMap()).toContain('South'));
    const reroute = await navigation.next('reroute');
    // Places, routes and traffic are parts of one release: none of them is older than the status.
    const since = seen.length;
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(since + 50), {
      timeout: 60_000,
      interval: 20,
    });
    going = false;
    await Promise.all(load);

    expect(seen.filter(({ status }) => status !== 200)).toEqual([]);
    expect(seen.filter(({ releases }) => releases.length !== 1)).toEqual([]);
    const afterwards = seen.slice(since + load.length).flatMap(({ releases }) => releases);
    expect(new Set(afterwards)).toEqual(new Set(['new']));
    for (const path of Object.keys(asks)) {
      const order = seen.filter(({ what }) => what === path).map(({ releases }) => releases[0]);
      expect(new Set(order)).toEqual(new Set(['old', 'new']));
    }
    expect(reroute.reason).toBe('A road on your route is no longer on the map');
    expect(
      reroute.route.edge_ids.filter((id) => id.startsWith('102:') && route.edge_ids.includes(id)),
    ).not.toEqual([]);
    expect(reroute.route.edge_ids.some((id) => id.startsWith('302:'))).toBe(true);
  });
});
