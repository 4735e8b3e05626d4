import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { engineRoads } from '#api/engine/engine-roads.js';
import { engineTraffic, type LiveMetric } from '#api/engine/engine-traffic.js';
import { feedEventsMax, feedFreshMs, feedKeptMs, speedsFreshMs } from '#api/http/limits.js';
import { applyChanges, freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { type IncidentChanged, incidentKind, incidentSource } from '#schemas/messages.js';
import { readDatex2 } from '#traffic-exchange/datex2/read-datex2.js';
import type { ReadFeed } from '#traffic-exchange/events/road-event.js';
import { EdgeLines } from '#traffic-exchange/feeds/lines-of-edges.js';
import { EventMatcher } from '#traffic-exchange/feeds/match-event.js';
import { readWzdx } from '#traffic-exchange/wzdx/read-wzdx.js';
import { eventually } from '../eventually.js';
import { type DrawnTown, drawTown } from './drawn-town.js';
import { paperTown } from './paper-town.js';
import { type Called, type Ground, openGround, type ServedApi, serveApi } from './served-api.js';

let town: DrawnTown;
let ground: Ground;
let served: ServedApi;
let token: string;
let live: LiveMetric;
let described = 0;
/** The clock of the server, which stands still. */
let nowMs = Date.now();

beforeAll(async () => {
  town = await drawTown('A B C D', [
    { way: 'AB', highway: 'primary', tags: { name: 'Avenyn' } },
    { way: 'BC', highway: 'primary' },
    { way: 'CD', highway: 'footway' },
  ]);
  ground = await openGround();
  const { network } = town;
  live = { metric: freeFlowMetric(network, 'driving'), publishedMs: undefined };
  const lines = new EdgeLines(network);
  served = await serveApi(
    ground,
    {
      ...paperTown(),
      roads: engineRoads(network, 'Drawn Town'),
      traffic: engineTraffic(network, () => live),
    },
    {
      nowMs: () => nowMs,
      lines: {
        of(edges) {
          described++;
          return lines.of(edges);
        },
      },
    },
  );
  token = await ground.token('olle', 'operator');
});
afterEach(() => {
  nowMs += feedFreshMs;
});
afterAll(async () => {
  await served.close();
  await ground.close();
  await town.remove();
});

const paths = { wzdx: '/v1/traffic/feed.wzdx.json', datex2: '/v1/traffic/feed.datex2.xml' } as const;
const textOf = ({ bytes }: Called): string => Buffer.from(bytes).toString();
const readers = { wzdx: readWzdx, datex2: readDatex2 };
const feed = async (format: keyof typeof paths): Promise<ReadFeed> => {
  nowMs += feedFreshMs;
  return readers[format](textOf(await served.call('GET', paths[format])));
};
const edgeIdsOf = (read: ReadFeed): string[] => {
  const matcher = new EventMatcher(town.network);
  return read.events.flatMap((event) => {
    const matched = matcher.match(event);
    return matched.kind === 'edges' ? matched.edges.map((edge) => town.network.edgeId(edge)) : [];
  });
};

describe('feeds for other platforms', () => {
  test('have what operators report, on the same edges, until it ends', async () => {
    const body = { kind: 'closed', at: town.place('A'), expires_in_s: 3_600, note: 'Rör & kablar' };
    const { json } = await served.call('POST', '/v1/incidents', { token, body });
    for (const format of ['wzdx', 'datex2'] as const) {
      const read = await feed(format);
      expect(read.events).toHaveLength(2);
      expect(new Set(edgeIdsOf(read))).toEqual(new Set(json.edge_ids));
      expect(read.events[0]!.description).toContain('Rör & kablar');
    }
    await served.call('DELETE', `/v1/incidents/${json.incident_id}`, { token });
    for (const format of ['wzdx', 'datex2'] as const) expect((await feed(format)).events).toEqual([]);
  });

  test('leave out what was imported from another feed', async () => {
    const edge = town.network.edgeId(town.edge('B', 'C'));
    const expires_at = new Date(nowMs + 3_600_000).toISOString();
    const body = { kind: 'closed', tileset_id: town.network.tilesetId, edge_ids: [edge], expires_at };
    expect((await served.call('PUT', '/v1/incidents/other:1', { token, body })).status).toBe(200);
    for (const format of ['wzdx', 'datex2'] as const) expect((await feed(format)).events).toEqual([]);
    await served.call('DELETE', '/v1/incidents/other:1', { token });
  });

  test('have a road that is blocked for all, without the footpaths of the incident', async () => {
    const post = async (from: string, to: string) => {
      const edge_id = town.network.edgeId(town.edge(from, to));
      const body = { kind: 'blocked', edge_id, both_directions: false, expires_in_s: 3_600 };
      return (await served.call('POST', '/v1/incidents', { token, body })).json;
    };
    const [road, path] = [await post('B', 'C'), await post('C', 'D')];
    for (const format of ['wzdx', 'datex2'] as const) {
      const read = await feed(format);
      expect(read.events.map(({ effect }) => effect)).toEqual([{ kind: 'closed' }]);
      expect(edgeIdsOf(read)).toEqual(road.edge_ids);
    }
    for (const { incident_id } of [road, path])
      await served.call('DELETE', `/v1/incidents/${incident_id}`, { token });
  });

  test('are written once for all who ask, and have a tag', async () => {
    const first = await served.call('GET', paths.wzdx);
    expect(first.headers.get('content-type')).toBe('application/geo+json');
    expect((await served.call('GET', paths.datex2)).headers.get('content-type')).toBe('application/xml');
    const etag = first.headers.get('etag')!;
    expect((await served.call('GET', paths.wzdx)).bytes).toEqual(first.bytes);
    const asked = { headers: { 'if-none-match': etag } };
    expect((await served.call('GET', paths.wzdx, asked)).status).toBe(304);
    const plain = { headers: { 'if-none-match': etag, 'accept-encoding': 'identity' } };
    expect((await served.call('GET', paths.wzdx, plain)).status).toBe(200);
    nowMs += feedKeptMs;
    expect((await served.call('GET', paths.wzdx, asked)).status).toBe(200);
  });

  test('are not written more often than once a second', async () => {
    nowMs += feedKeptMs;
    const before = await served.call('GET', paths.wzdx);
    const body = { kind: 'slow', speed_kph: 10, at: town.place('A'), expires_in_s: 3_600 };
    const { json } = await served.call('POST', '/v1/incidents', { token, body });
    expect((await served.call('GET', paths.wzdx)).bytes).toEqual(before.bytes);
    const { events } = await feed('wzdx');
    expect(events.map(({ effect }) => effect)).toEqual([
      { kind: 'slow', speedKph: 10 },
      { kind: 'slow', speedKph: 10 },
    ]);
    await served.call('DELETE', `/v1/incidents/${json.incident_id}`, { token });
  });

  test('have the speeds of slow edges, the slowest first, and say nothing of an empty town', async () => {
    const path = '/v1/traffic/speeds.datex2.xml';
    expect((await served.call('GET', path)).status).toBe(204);
    const edge = (from: string, to: string): number => town.edge(from, to);
    const changes = [
      { edge: edge('A', 'B'), speedKph: 20 },
      { edge: edge('B', 'A'), speedKph: 10 },
      { edge: edge('B', 'C'), closed: true },
    ] as const;
    live = { metric: applyChanges(town.network, live.metric, changes, 7), publishedMs: nowMs - 500 };
    expect((await served.call('GET', path)).status).toBe(204);
    nowMs += speedsFreshMs;
    const answer = await served.call('GET', path);
    expect(answer.headers.get('content-type')).toBe('application/xml');
    const text = textOf(answer);
    expect(text).toContain(new Date(live.publishedMs!).toISOString());
    const speeds = [...text.matchAll(/averageVehicleSpeed><com:speed>([\d.]+)</g)].map(([, kph]) =>
      Number(kph),
    );
    expect(speeds.map(Math.round)).toEqual([10, 20]);
    const lines = [...text.matchAll(/<loc:posList>(.*?)<\/loc:posList>/g)].map(([, list]) =>
      list!.split(' '),
    );
    expect(lines.map((list) => Number(list[1]))).toEqual([town.place('B').lng, town.place('A').lng]);
    expect(text.match(/openlrLinear>/g)).toHaveLength(4);
    nowMs += feedKeptMs;
    const before = described;
    await served.call('GET', path);
    expect(described).toBe(before);
  });

  test('are bounded, describe each incident once and leave out roads that are gone', async () => {
    const { network } = town;
    const record = (i: number, edgeId: string): IncidentChanged => ({
      incidentId: `many-${i}`,
      kind: incidentKind.closed,
      source: incidentSource.detected,
      active: true,
      tilesetId: network.tilesetId,
      edgeIds: [edgeId],
      speedKph: 0,
      startedMs: 1_000 + i,
      expiresMs: 0,
      evidence: '4 of 4 guided drivers turned away',
      lastEvidenceMs: 0,
    });
    const all = feedEventsMax + 10;
    const edge = network.edgeId(town.edge('A', 'B'));
    await ground.log.append(
      'traffic.incident.changed.v1',
      Array.from({ length: all }, (_, i) => {
        const incident = record(i, i === all - 1 ? '99:1-2+' : edge);
        return { key: incident.incidentId, value: ground.codecs.trafficIncidentChanged.encode(incident) };
      }),
    );
    await eventually(async () => expect((await served.call('GET', '/v1/status')).json.incidents).toBe(all));
    described = 0;
    const { events } = await feed('wzdx');
    // The newest one is on a road that is gone.
    expect(events).toHaveLength(feedEventsMax - 1);
    expect(events[0]!.id).toBe(`many-${all - 2}`);
    expect(described).toBe(feedEventsMax);
    nowMs += feedKeptMs;
    await feed('wzdx');
    expect(described).toBe(feedEventsMax);
  }, 180_000);
});
