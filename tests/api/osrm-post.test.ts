import polyline from '@mapbox/polyline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  getOsrmMatch,
  getOsrmNearest,
  getOsrmRoute,
  getOsrmTable,
  getOsrmTrip,
  postOsrmMatch,
  postOsrmNearest,
  postOsrmRoute,
  postOsrmTable,
  postOsrmTrip,
} from '#schemas/http/osrm.js';
import { degPerM, type Json, type OsrmTown, openOsrmTown } from './osrm-town.js';

/** 20 m per character; BC is a toll road. */
const drawing = `
A---------B---------C---------D
          |         |
          E---------F`;

let town: OsrmTown;
beforeAll(async () => {
  town = await openOsrmTown(drawing, { ways: { BC: { toll: 'yes' } } });
});
afterAll(() => town.close());

const post = (service: string, body: Json, profile = 'driving') =>
  town.served.call('POST', `/v1/osrm/${service}/v1/${profile}`, { body });
const coordinates = (places: string) =>
  places.split(' ').map((place) => town.place(place).map((value) => Number(value.toFixed(7))));

/** The answer to a body is that to an address. */
async function isSame(service: string, places: string, query: string, options: Json): Promise<Json> {
  const [got, posted] = [
    await town.ask(service, places, query),
    await post(service, { coordinates: coordinates(places), ...options }),
  ];
  expect([posted.status, posted.json]).toEqual([got.status, got.json]);
  return posted.json;
}

describe('questions in a JSON body', () => {
  test('route with lists, pairs, nulls, numbers and toggles', async () => {
    const plain = await isSame('route', 'A D', '', {});
    expect(plain).toMatchObject({ code: 'Ok', routes: [{ distance: expect.closeTo(600, 0) }] });
    const answer = await isSame(
      'route',
      'A C D',
      'steps=true&alternatives=2&exclude=toll,ferry&annotations=distance,speed&waypoints=0;2&bearings=90,20;;' +
        '&radiuses=unlimited;20;5.5&approaches=;curb;&overview=full&continue_straight=true',
      {
        ...{ steps: true, alternatives: 2, exclude: ['toll', 'ferry'], annotations: ['distance', 'speed'] },
        ...{ waypoints: [0, 2], bearings: [[90, 20], null, null], radiuses: ['unlimited', 20, 5.5] },
        ...{ approaches: [null, 'curb', null], overview: 'full', continue_straight: true },
      },
    );
    expect(answer.routes[0].distance).toBeGreaterThan(600);
    const hints = answer.waypoints.map(({ hint }: Json) => hint);
    await isSame('route', 'A C D', `hints=${hints.join(';')}`, { hints });
  });

  test('table, nearest, match and trip', async () => {
    await isSame('table', 'A C D', 'sources=0&destinations=1;2&annotations=duration,distance', {
      ...{ sources: [0], destinations: [1, 2], annotations: ['duration', 'distance'] },
    });
    await isSame('nearest', 'A C', 'number=2', { number: 2 });
    await isSame('match', 'A B C', 'timestamps=0;20;40&gaps=ignore&tidy=true', {
      ...{ timestamps: [0, 20, 40], gaps: 'ignore', tidy: true },
    });
    await isSame('trip', 'A C D', 'roundtrip=false&source=first', { roundtrip: false, source: 'first' });
  });

  test('more places than an address has room for', async () => {
    const places = Array.from({ length: 500 }, (_, at) => [
      Number((at * degPerM).toFixed(7)),
      Number((-20 * degPerM).toFixed(7)),
    ]);
    const { status, json } = await post('table', { coordinates: places, sources: [0] });
    expect([status, json.durations[0].length]).toEqual([200, 500]);
    const line = polyline.encode(places.map(([lng, lat]) => [lat!, lng!]));
    const encoded = await post('table', { coordinates: `polyline(${line})`, sources: [0] });
    expect(encoded.json.destinations).toHaveLength(500);
    expect((await post('table', { coordinates: [...places, [0, 0]], sources: [0] })).json.code).toBe(
      'TooBig',
    );
  });

  test.each([
    ['[]', 'InvalidQuery'],
    ['null', 'InvalidQuery'],
    ['{', 'InvalidQuery'],
    ['{}', 'InvalidQuery'],
    ['{"coordinates": null}', 'InvalidQuery'],
    ['{"coordinates": []}', 'InvalidQuery'],
    ['{"coordinates": [0, 0]}', 'InvalidQuery'],
    ['{"coordinates": [[0, 0], [0]]}', 'InvalidQuery'],
    ['{"coordinates": [[0, 0], [0, 0, 0]]}', 'InvalidQuery'],
    ['{"coordinates": [[0, 0], [0, [0]]]}', 'InvalidQuery'],
    ['{"coordinates": [[0, 0], [0, "x"]]}', 'InvalidQuery'],
    ['{"coordinates": [[0, 0], "0,0;0,0"]}', 'InvalidQuery'],
    ['{"coordinates": [[0, 0], [0, 91]]}', 'InvalidValue'],
    ['{"coordinates": [[0, 0]]}', 'InvalidOptions'],
    ['{"coordinates": [[0, 0], [0, 0]], "steps": {}}', 'InvalidQuery'],
    ['{"coordinates": [[0, 0], [0, 0]], "steps": null}', 'InvalidQuery'],
    ['{"coordinates": [[0, 0], [0, 0]], "overview": "sometimes"}', 'InvalidQuery'],
    ['{"coordinates": [[0, 0], [0, 0]], "radiuses": [5]}', 'InvalidOptions'],
    ['{"coordinates": [[0, 0], [0, 0]], "radiuses": ["5;5"]}', 'InvalidQuery'],
    ['{"coordinates": [[0, 0], [0, 0]], "exclude": ["toll,ferry"]}', 'InvalidQuery'],
    ['{"coordinates": [[0, 0], [0, 0]], "exclude": [["toll", "ferry"]]}', 'InvalidQuery'],
    ['{"coordinates": [[0, 0], [0, 0]], "bears": 1}', 'InvalidQuery'],
    ['{"coordinates": [[0, 0], [0, 0]], "__proto__": 1}', 'InvalidQuery'],
  ])('F: %s is %s', async (body, code) => {
    const { status, json } = await post('route', body);
    expect({ status, json }).toEqual({ status: 400, json: { code, message: expect.stringMatching(/\w/) } });
  });

  test('F: other types and long bodies are refused, and unknown profiles', async () => {
    const path = '/v1/osrm/route/v1/driving';
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=b' };
    expect((await town.served.call('POST', path, form)).status).toBe(415);
    expect((await post('route', `"${'x'.repeat(70_000)}"`)).status).toBe(413);
    expect((await post('route', { coordinates: coordinates('A D') }, 'rocket')).json.code).toBe(
      'InvalidValue',
    );
  });

  test('both operations of a service describe the same options', () => {
    for (const [get, { body }] of [
      [getOsrmMatch, postOsrmMatch],
      [getOsrmNearest, postOsrmNearest],
      [getOsrmRoute, postOsrmRoute],
      [getOsrmTable, postOsrmTable],
      [getOsrmTrip, postOsrmTrip],
    ] as const)
      expect(Object.keys(body.describedBy.properties).toSorted()).toEqual(
        ['coordinates', ...Object.keys(get.query.properties)].toSorted(),
      );
  });
});
