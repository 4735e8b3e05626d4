import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as limits from '#api/http/limits.js';
import { LogUnavailable } from '#platform/event-log/event-log.js';
import { Incident } from '#schemas/http/incidents.js';
import { incidentKind, incidentSource } from '#schemas/messages.js';
import { eventually } from '../eventually.js';
import { paperTown } from './paper-town.js';
import { type Ground, openGround, type ServedApi, serveApi } from './served-api.js';

let ground: Ground;
let served: ServedApi;
let token: string;
beforeAll(async () => {
  ground = await openGround();
  served = await serveApi(ground, paperTown());
  token = await ground.token('olle', 'operator');
});
afterAll(async () => {
  await served.close();
  await ground.close();
});

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const closure = (over: object = {}) => ({
  kind: 'closed',
  tileset_id: 'paper',
  edge_ids: ['1:0-1+', '3:1-2+'],
  expires_at: inAnHour(),
  note: 'New pipes',
  ...over,
});
const put = (id: string, body: unknown, there: ServedApi = served, as = token) =>
  there.call('PUT', `/v1/incidents/${id}`, { token: as, body });
const list = async () => (await served.call('GET', '/v1/incidents')).json.incidents as Incident[];

/** Records of an incident in the log. */
async function records(id: string) {
  const found = [];
  for await (const { key, value } of ground.log.read('traffic.incident.changed.v1', 0, 0))
    if (key === id && value !== null) found.push(ground.codecs.trafficIncidentChanged.decode(value));
  return found;
}

describe('PUT /v1/incidents/{id}', () => {
  test('writes an incident under an id of the client, once', async () => {
    const body = closure();
    const { status, json } = await put('city:works-1', body);
    expect(status).toBe(200);
    expect([...Value.Errors(Incident, json)]).toEqual([]);
    expect(json).toMatchObject({
      incident_id: 'city:works-1',
      kind: 'closed',
      source: 'operator',
      edge_ids: ['1:0-1+', '3:1-2+'],
      expires_at: body.expires_at,
      evidence: 'New pipes',
    });
    expect((await put('city:works-1', body)).json).toEqual(json);
    expect(await records('city:works-1')).toHaveLength(1);
    expect((await list()).filter(({ incident_id }) => incident_id === 'city:works-1')).toEqual([json]);
  });

  test.each([
    ['another end', { expires_at: new Date(Date.now() + 7_200_000).toISOString() }],
    ['other roads', { edge_ids: ['1:0-1+'] }],
    ['another text', { note: 'Old pipes' }],
    ['another effect', { kind: 'slow', speed_kph: 12.3 }],
    ['another kind', { kind: 'blocked' }],
  ])('writes %s again, and keeps the start', async (what, over) => {
    const id = `city:${what.replace(' ', '-')}`;
    const body = closure();
    const before = await put(id, body);
    const changed = { ...body, ...over };
    const after = await put(id, changed);
    expect(after.json.started_at).toBe(before.json.started_at);
    expect(await records(id)).toHaveLength(2);
    expect((await put(id, changed)).json).toEqual(after.json);
    expect(await records(id)).toHaveLength(2);
  });

  test('an incident that was ended begins again', async () => {
    const body = closure();
    await put('city:again', body);
    // As a page writes the id in a path.
    expect((await served.call('DELETE', '/v1/incidents/city%3Aagain', { token })).status).toBe(204);
    expect((await put('city:again', body)).status).toBe(200);
    expect((await records('city:again')).map(({ active }) => active)).toEqual([true, false, true]);
  });

  test.each([
    ['an edge that is not on the map', 'city:a', closure({ edge_ids: ['1:0-1+', '77:1-2+'] }), /edge_ids\/1/],
    ['no edges', 'city:a', closure({ edge_ids: [] }), /edge_ids/],
    ['an edge twice', 'city:a', closure({ edge_ids: ['1:0-1+', '1:0-1+'] }), /edge_ids/],
    ['edges of another tileset', 'city:a', closure({ tileset_id: 'old' }), /tileset paper now/],
    ['slow without a speed', 'city:a', closure({ kind: 'slow' }), /speed_kph/],
    ['blocked with a speed', 'city:a', closure({ kind: 'blocked', speed_kph: 30 }), /speed_kph/],
    ['closed with a speed', 'city:a', closure({ speed_kph: 30 }), /speed_kph/],
    ['an end in the past', 'city:a', closure({ expires_at: '2020-01-01T00:00:00Z' }), /expires_at/],
    [
      'an end in 31 days',
      'city:a',
      closure({ expires_at: new Date(Date.now() + 31 * 86_400_000) }),
      /next 30/,
    ],
    ['an end without a zone', 'city:a', closure({ expires_at: '2040-01-01T00:00:00' }), /expires_at/],
    ['a place', 'city:a', closure({ at: { lat: 57.7, lng: 11.96 } }), /at/],
  ])('refuses %s', async (_what, id, body, said) => {
    const { status, json, headers } = await put(id, body);
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(JSON.stringify(json)).toMatch(said);
    expect(await records(id)).toEqual([]);
  });

  test.each(['works', '6f0a6d4e-0000-4000-8000-000000000000', 'detected-1', 'City:1', 'city:', 'city:a%2Fb'])(
    'has no incident %s: the id is not one of a feed',
    async (id) => {
      expect((await put(id, closure())).status).toBe(404);
    },
  );

  test('is for operators and staff', async () => {
    for (const scope of ['driver', 'customer', 'service'] as const)
      expect((await put('city:a', closure(), served, await ground.token('x', scope))).status).toBe(403);
    expect((await put('city:staff', closure(), served, await ground.token('siv', 'desk'))).status).toBe(200);
  });

  test('answers 503 and shows no change if the log rejects the record', async () => {
    const refusing = {
      ...ground.log,
      consume: ground.log.consume.bind(ground.log),
      offsets: ground.log.offsets.bind(ground.log),
      append: () => Promise.reject(new LogUnavailable('the disk is full', { retriable: true })),
    };
    const there = await serveApi(ground, paperTown(), { log: refusing as unknown as Ground['log'] });
    try {
      const answer = await put('city:lost', closure(), there);
      expect(answer).toMatchObject({ status: 503, json: { code: 'unavailable' } });
      expect(answer.json.detail).toMatch(/writing the same incident again changes nothing/);
      const { incidents } = (await there.call('GET', '/v1/incidents')).json;
      expect(incidents.map(({ incident_id }: Incident) => incident_id)).not.toContain('city:lost');
    } finally {
      await there.close();
    }
  });

  test('takes no further incident at the limit, and still changes those that it has', async () => {
    const own = await openGround();
    const there = await serveApi(own, paperTown());
    const operator = await own.token('olle', 'operator');
    try {
      await own.log.append(
        'traffic.incident.changed.v1',
        Array.from({ length: limits.incidentsMax - 1 }, (_, i) => ({
          key: `i${i}`,
          value: own.codecs.trafficIncidentChanged.encode({
            incidentId: `i${i}`,
            kind: incidentKind.closed,
            source: incidentSource.operator,
            active: true,
            tilesetId: 'paper',
            edgeIds: ['1:0-1+'],
            speedKph: 0,
            startedMs: 1,
            expiresMs: 0,
            evidence: '',
            lastEvidenceMs: 0,
          }),
        })),
      );
      await eventually(async () =>
        expect((await there.call('GET', '/v1/status')).json.incidents).toBe(limits.incidentsMax - 1),
      );
      expect((await put('city:last', closure(), there, operator)).status).toBe(200);
      expect((await put('city:more', closure(), there, operator)).status).toBe(503);
      expect((await put('city:last', closure({ note: 'x' }), there, operator)).status).toBe(200);
    } finally {
      await there.close();
      await own.close();
    }
  });
});
