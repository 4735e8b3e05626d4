import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { roadProposalRoutes } from '#api/new-roads/road-proposal-routes.js';
import { RoadProposalStore } from '#api/new-roads/road-proposal-store.js';
import { createJwtAuthenticator } from '#platform/auth/jwt-authenticator.js';
import { createHttpServer, type HttpServer } from '#platform/http/server/http-server.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { getAcceptedRoads, listRoadProposals } from '#schemas/http/road-proposals.js';
import type { RoadProposed, RoadReviewed } from '#schemas/messages.js';
import { type Ground, openGround } from './served-api.js';

const proposed = (roadId: string, passes: number, tilesetId = 'now'): RoadProposed => ({
  ...{ roadId, tilesetId, passes, drivers: 3, oneWay: false, lastMs: 1_795_000_000_000 },
  latE7: [577_000_000, 577_010_000],
  lngE7: [119_600_000, 119_610_000],
});
const book = new RoadProposalStore(() => 'now');
let ground: Ground;
let server: HttpServer;
let url: string;
let operator: string;

beforeAll(async () => {
  ground = await openGround();
  const routes = roadProposalRoutes({
    ...{ book, log: ground.log, codec: ground.codecs.mapRoadReviewed },
    nowMs: () => 1_795_000_100_000,
  });
  const authenticator = createJwtAuthenticator({
    ...{ keys: ground.issuer.keys, issuer: 'https://issuer.test', audience: 'meridian' },
  });
  server = createHttpServer({
    ...{ name: 'internal', listener: 'internal', routes, sockets: [], authenticator },
    ...{ logger: silentLogger, metrics: createMetrics({ processMetrics: false }) },
  });
  const { port } = await server.listen(0);
  url = `http://127.0.0.1:${port}`;
  operator = await ground.token('op-7', 'operator');
  for (const road of [proposed('r1', 4), proposed('r2', 9), proposed('old', 50, 'before')])
    book.applyProposal(road);
});
afterAll(async () => {
  await server.drain(1_000);
  await ground.close();
});

async function call(method: string, path: string, body?: unknown, token = operator) {
  const answer = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: responses of three operations arrive here
  return { status: answer.status, json: (await answer.json()) as any };
}
const recorded = async (): Promise<RoadReviewed[]> => {
  const reviews: RoadReviewed[] = [];
  for await (const { value } of ground.log.read(ground.codecs.mapRoadReviewed.topic.name, 0, 0))
    if (value !== null) reviews.push(ground.codecs.mapRoadReviewed.decode(value));
  return reviews;
};

describe('the review of proposed roads', () => {
  test('lists those of the current map, most driven first', async () => {
    const { status, json } = await call('GET', '/v1/road-proposals');
    expect(status).toBe(200);
    expect([...Value.Errors(listRoadProposals.responses[200].schema, json)]).toEqual([]);
    expect(json.roads.map(({ road_id }: { road_id: string }) => road_id)).toEqual(['r2', 'r1']);
    expect((await call('GET', '/v1/accepted-roads')).json.features).toEqual([]);
  });

  test('logs an accepted road with its reviewer and lists it with its tags', async () => {
    const { status, json } = await call('POST', '/v1/road-proposals/r1/review', {
      ...{ accept: true, highway: 'residential', name: 'New street', one_way: true },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({ road_id: 'r1', state: 'accepted' });
    expect(await recorded()).toMatchObject([
      { roadId: 'r1', accepted: true, highway: 'residential', reviewer: 'op-7', oneWay: true },
    ]);
    // Later drives propose the road again at a slightly different place: the accepted one stays.
    book.applyProposal({ ...proposed('r1', 8), latE7: [577_000_500, 577_010_500] });
    const roads = await call('GET', '/v1/accepted-roads');
    expect([...Value.Errors(getAcceptedRoads.responses[200].schema, roads.json)]).toEqual([]);
    expect(roads.json.features).toEqual([
      {
        ...{ type: 'Feature', id: 'r1' },
        geometry: {
          type: 'LineString',
          coordinates: [
            [11.96, 57.7],
            [11.961, 57.701],
          ],
        },
        properties: { highway: 'residential', name: 'New street', oneway: 'yes', source: 'drives' },
      },
    ]);
  });

  test('a later rejection replaces the acceptance', async () => {
    expect(
      (await call('POST', '/v1/road-proposals/r1/review', { accept: false, note: 'a yard' })).json.state,
    ).toBe('refused');
    expect((await call('GET', '/v1/accepted-roads')).json.features).toEqual([]);
    expect((await call('GET', '/v1/road-proposals?state=refused')).json.roads).toHaveLength(1);
    expect((await call('GET', '/v1/road-proposals?state=proposed')).json.roads).toHaveLength(1);
  });

  test('rejects an unknown proposal and a user without permission', async () => {
    expect((await call('POST', '/v1/road-proposals/none/review', { accept: true })).status).toBe(404);
    expect((await call('POST', '/v1/road-proposals/old/review', { accept: true })).status).toBe(404);
    expect(
      (await call('POST', '/v1/road-proposals/r2/review', { accept: true, highway: 'motorway' })).status,
    ).toBe(400);
    const driver = await ground.token('u', 'driver');
    expect((await call('POST', '/v1/road-proposals/r2/review', { accept: true }, driver)).status).toBe(403);
    expect((await call('GET', '/v1/road-proposals', undefined, driver)).status).toBe(403);
  });
});
