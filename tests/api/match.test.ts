import polyline from '@mapbox/polyline';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TraceMatcher as AskTraces } from '#api/ports/trace-matcher.js';
import { PoolSaturated } from '#platform/worker-pool/worker-pool.js';
import { TraceTasks } from '#routing-engine/matching/match-task.js';
import { MatchAnswer, tracePointsMax } from '#schemas/http/match.js';
import { driveAlong } from '../processors/drivers.js';
import { gridNetwork } from '../processors/grid-network.js';
import { paperTown } from './paper-town.js';
import { type Ground, openGround, type ServedApi, serveApi } from './served-api.js';

const grid = await gridNetwork(6, 4, 200);
const desk = new TraceTasks(grid.network);
const way = grid.way([0, 1], [1, 1], [2, 1], [3, 1], [3, 2], [3, 3]);
const startMs = 1_795_000_000_000;
const drive = driveAlong(grid, way, { startMs, mps: 12, fromFraction: 0.3, toFraction: 0.7 });
const points = drive.map(({ lat, lng, timeMs }) => ({ lat, lng, timestamp: timeMs, accuracy: 5 }));

let ground: Ground;
let served: ServedApi;
let token: string;
let ask: AskTraces = async (task) => desk.answer(task);

beforeAll(async () => {
  ground = await openGround();
  served = await serveApi(ground, paperTown(), { traces: (task, options) => ask(task, options) });
  token = await ground.token('u', 'driver');
});
afterAll(async () => {
  await served.close();
  await ground.close();
});
const post = (body: unknown) => served.call('POST', '/v1/match', { token, body });

describe('POST /v1/match', () => {
  test('a recorded drive returns its roads, its line, and a place for each point', async () => {
    const { status, json } = await post({ points });
    expect(status).toBe(200);
    expect([...Value.Errors(MatchAnswer, json)]).toEqual([]);
    expect(json.code).toBe('Ok');
    expect(json.matchings).toHaveLength(1);
    const [matching] = json.matchings;
    expect(matching.edge_ids).toEqual(grid.ids(way));
    expect(matching.from_fraction).toBeCloseTo(0.3, 1);
    expect(matching.to_fraction).toBeCloseTo(0.7, 1);
    expect(Math.abs(matching.distance - 880)).toBeLessThan(25);
    const line = polyline.decode(matching.geometry, 6);
    expect(line.length).toBeGreaterThanOrEqual(3);
    expect(json.tracepoints).toHaveLength(points.length);
    for (const place of json.tracepoints) expect(place.distance).toBeLessThan(4);
    expect(json.tracepoints[0].name).toBe('Row 1');
  });

  test('an off-road point is null, and a gap in time starts another matching', async () => {
    const off = points.map((point, i) => (i > 20 && i < 40 ? { ...point, lat: point.lat + 0.5 } : point));
    const { json } = await post({ points: off });
    expect(json.tracepoints[30]).toBeNull();
    expect(json.matchings).toHaveLength(2);
    const silent = points.map((point, i) =>
      i < 30 ? point : { ...point, timestamp: point.timestamp + 60_000 },
    );
    expect((await post({ points: silent })).json.matchings).toHaveLength(1);
    expect((await post({ points: silent, gap_s: 30 })).json.matchings).toHaveLength(2);
    const far = points.map((point) => ({ ...point, lat: 10 }));
    expect((await post({ points: far })).json).toMatchObject({ code: 'NoMatch', matchings: [] });
  });

  test('F11: accepts points out of order, twice, from the future and at impossible places', async () => {
    const shuffled = points.toSorted((a, b) => (a.timestamp % 7_000) - (b.timestamp % 7_000));
    const odd = [...points, ...points, ...shuffled, { ...points[0]!, timestamp: Number.MAX_SAFE_INTEGER }];
    const { status, json } = await post({ points: odd });
    expect(status).toBe(200);
    expect(json.tracepoints).toHaveLength(odd.length);
    expect(
      json.tracepoints.slice(points.length, 2 * points.length).every((place: unknown) => place === null),
    ).toBe(true);
    expect(json.matchings[0].edge_ids).toEqual(grid.ids(way));
  });

  test('rejects a bad body with a problem that names the field', async () => {
    const [point] = points;
    for (const [body, pointer] of [
      [{}, '/points'],
      [{ points: [point] }, '/points'],
      [{ points: [point, { ...point, lat: 91 }] }, '/points/1/lat'],
      [{ points: [point, { ...point, timestamp: 'now' }] }, '/points/1/timestamp'],
      [{ points: [point, point], gap_s: 0 }, '/gap_s'],
      [{ points: [point, point], mode: 'flying' }, '/mode'],
    ] as const) {
      const { status, json } = await post(body);
      expect(status).toBe(400);
      expect(json.errors.map((error: { pointer: string }) => error.pointer).join()).toContain(pointer);
    }
    expect((await post({ points: Array.from({ length: tracePointsMax + 1 }, () => [0]) })).status).toBe(400);
    expect((await served.call('POST', '/v1/match', { token, body: 'x'.repeat(800 * 1024) })).status).toBe(
      413,
    );
    expect((await served.call('POST', '/v1/match', { body: { points } })).status).toBe(401);
  });

  test('reports that it is overloaded', async () => {
    ask = () => Promise.reject(new PoolSaturated());
    const { status, headers } = await post({ points });
    expect(status).toBe(503);
    expect(headers.get('retry-after')).not.toBeNull();
  });
});
