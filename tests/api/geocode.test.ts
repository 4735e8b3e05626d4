import polyline from '@mapbox/polyline';
import { decode } from 'pluscodes';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enginePlanner } from '#api/engine/engine-planner.js';
import { engineRoads } from '#api/engine/engine-roads.js';
import { engineTraffic } from '#api/engine/engine-traffic.js';
import { modeMetrics } from '#api/engine/mode-metrics.js';
import { indexGeocoder } from '#api/geocode/index-geocoder.js';
import { RoadAccess } from '#geocoding/index/road-access.js';
import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import { guidanceLanguages } from '#routing-engine/guidance/guide.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { AutocompleteAnswer, GeocodeAnswer } from '#schemas/http/geocode.js';
import { NavAnswer } from '#schemas/http/nav.js';
import { proves } from '#tools/acceptance/proves.js';
import { type GeocodedTown, geocodeTown } from '../geocoding/address-town.js';
import { routePool } from './route-pool.js';
import { type Ground, openGround, type ServedApi, serveApi } from './served-api.js';

let town: GeocodedTown;
let pool: WorkerPool;
let ground: Ground;
let served: ServedApi;

beforeAll(async () => {
  town = await geocodeTown();
  const { network, index } = town;
  const live = { metric: freeFlowMetric(network, 'driving'), publishedMs: undefined };
  pool = routePool(network);
  const geocoder = indexGeocoder(index, network);
  ground = await openGround();
  served = await serveApi(
    ground,
    {
      roads: engineRoads(network, 'Testby'),
      planner: enginePlanner({ network, pool, driving: () => live, others: modeMetrics(network) }),
      traffic: engineTraffic(network, () => live),
    },
    { languages: guidanceLanguages, geocoder },
  );
});
afterAll(async () => {
  await served.close();
  await ground.close();
  await pool.close();
});

const query = (values: Readonly<Record<string, string>>): string => new URLSearchParams(values).toString();
const geocode = async (values: Readonly<Record<string, string>>) =>
  served.call('GET', `/v1/geocode?${query(values)}`);
const complete = async (values: Readonly<Record<string, string>>) =>
  served.call('GET', `/v1/autocomplete?${query(values)}`);
const nav = async (values: Readonly<Record<string, string>>) =>
  served.call('GET', `/v1/nav?${query(values)}`);

describe('GET /v1/geocode', () => {
  proves('M-080', {
    asked: 'every field of a result and status',
    shown: 'one address: each field of the row with its type, its values, and the place within its viewport',
    control: {
      in: 'api/geocode/index-geocoder.ts',
      change: "index.isInterpolated(row) ? 'RANGE_INTERPOLATED' : 'ROOFTOP'",
      to: "index.isInterpolated(row) ? 'ROOFTOP' : 'RANGE_INTERPOLATED'",
    },
  });
  test('M-080: an address returns every field of the specification with its type', async () => {
    const { status, json } = await geocode({ address: 'Storgatan 2, Testby' });
    expect(status).toBe(200);
    expect([...Value.Errors(GeocodeAnswer, json)]).toEqual([]);
    expect(json.status).toBe('OK');
    expect(json.results[0]).toMatchObject({
      formatted_address: 'Storgatan 2, 123 45 Testby, Sweden',
      geometry: { location: { lat: 58.0019, lng: 12.0004 }, location_type: 'ROOFTOP' },
      place_id: 'n42.2',
      types: ['street_address'],
    });
    expect(json.results[0].partial_match).toBeUndefined();
    // The row's own list of fields, so that the schema cannot lose one.
    const corner = { lat: expect.any(Number), lng: expect.any(Number) };
    expect(json.results[0]).toMatchObject({
      formatted_address: expect.any(String),
      geometry: {
        location: corner,
        location_type: expect.any(String),
        viewport: { northeast: corner, southwest: corner },
      },
      place_id: expect.any(String),
      plus_code: { compound_code: expect.any(String), global_code: expect.any(String) },
      types: [expect.any(String)],
    });
    const { northeast, southwest } = json.results[0].geometry.viewport;
    expect(northeast.lat).toBeGreaterThan(58.0019);
    expect(northeast.lng).toBeGreaterThan(12.0004);
    expect(southwest.lat).toBeLessThan(58.0019);
    expect(southwest.lng).toBeLessThan(12.0004);
  });

  test.each([
    ['Storgatan 5 Testby', 'RANGE_INTERPOLATED', ['street_address']],
    ['Köpmansgatan', 'GEOMETRIC_CENTER', ['route']],
    ['Testby', 'APPROXIMATE', ['locality', 'political']],
    ['Kaffé Ångström', 'GEOMETRIC_CENTER', ['cafe', 'point_of_interest', 'establishment']],
  ])('%j is %s', async (address, type, types) => {
    const [first] = (await geocode({ address })).json.results;
    expect([first.geometry.location_type, first.types]).toEqual([type, types]);
  });

  proves('M-081', {
    asked: 'reverse geocoding returns it',
    shown: 'five kinds of places from either side',
    control: {
      in: 'api/geocode/index-geocoder.ts',
      change: 'placesAt(index, network, location)\n        .slice(0, limit)',
      to: 'placesAt(index, network, location)\n        .slice(-limit)',
    },
  });
  test('M-081: a coordinate and a place id can be read in either order', async () => {
    for (const address of [
      'Storgatan 2, Testby',
      'Storgatan 5, Testby',
      'Kaffé Ångström',
      'Malmköping',
      'Testby',
    ]) {
      const [there] = (await geocode({ address })).json.results;
      const { lat, lng } = there.geometry.location;
      const [back] = (await geocode({ latlng: `${lat},${lng}` })).json.results;
      expect(back).toEqual({ ...there, partial_match: undefined });
      const [byId] = (await geocode({ place_id: there.place_id })).json.results;
      expect(byId).toEqual({ ...there, partial_match: undefined });
    }
  });

  proves('M-082', {
    asked: 'decodes elsewhere to an area with the location',
    shown: 'three places by another library',
    control: {
      in: 'api/geocode/plus-code.ts',
      change: 'codec.encode(lat, lng)',
      to: 'codec.encode(town?.location.lat ?? lat, town?.location.lng ?? lng)',
    },
  });
  test('M-082: another library decodes the plus code to an area that contains the place', async () => {
    for (const address of ['Storgatan 2, Testby', 'Malmköping', 'Norra vägen']) {
      const [{ geometry, plus_code: code }] = (await geocode({ address })).json.results;
      const area = decode(code.global_code)!;
      expect(Math.abs(area.latitude - geometry.location.lat)).toBeLessThanOrEqual(
        area.latitudeResolution / 2 + 1e-6,
      );
      expect(Math.abs(area.longitude - geometry.location.lng)).toBeLessThanOrEqual(
        area.longitudeResolution / 2 + 1e-6,
      );
      expect(code.compound_code).toMatch(/^[2-9A-Z]{4}\+[2-9A-Z]{2} \S/);
      expect(code.global_code.endsWith(code.compound_code.split(' ')[0])).toBe(true);
    }
  });

  test('reverse geocoding lists results from the most exact to the town', async () => {
    const { json } = await geocode({ latlng: '58.0021,12.0004', limit: '9' });
    const kinds = json.results.map((each: { types: string[] }) => each.types[0]);
    expect(kinds[0]).toBe('street_address');
    expect(kinds.slice(-2)).toEqual(['route', 'locality']);
  });

  test('names use the requested language if the map has them in it', async () => {
    const name = async (language: string) =>
      (await geocode({ address: 'Kaffé Ångström', language })).json.results[0].formatted_address;
    expect(await name('sv')).toBe('Kaffé Ångström, Testby, Sverige');
    expect(await name('ru-RU')).toBe('Кофе Ангстрем, Тестбю, Швеция');
    expect(await name('en')).toBe('Steam Coffee, Testville, Sweden');
    expect(await name('tlh')).toMatch(/^Kaffé Ångström, Testby/);
  });

  test('each result identifies its edge, the position along it and the side', async () => {
    const [{ routable }] = (await geocode({ address: 'Storgatan 2, Testby' })).json.results;
    expect(routable.map((each: { mode: string }) => each.mode)).toEqual(['driving', 'bicycling', 'walking']);
    const edge = town.network.edgeByStableId(routable[0].edge_id)!;
    expect(town.network.edgeName(edge)).toBe('Storgatan');
    expect(routable[0].offset_m).toBeLessThan(town.network.edgeLengthM(edge));
    expect(['left', 'right']).toContain(routable[0].side);
  });

  test('a corrected word or an unknown house number gives a partial match', async () => {
    for (const address of ['Storgtan 2, Testby', 'Storgatan 99, Testby'])
      expect((await geocode({ address })).json.results[0].partial_match).toBe(true);
  });

  test.each([
    ['Atlantis'],
    ['存在しない住所'],
    ['улица Ленина 5'],
    ["'; drop table places; --"],
    ['9'.repeat(100)],
    ['\u0000\u0001'],
  ])('F: %j is ZERO_RESULTS', async (address) => {
    const { status, json } = await geocode({ address });
    expect({ status, json }).toEqual({ status: 200, json: { results: [], status: 'ZERO_RESULTS' } });
  });

  test.each([
    [{}, /exactly one/],
    [{ address: '' }, /empty/],
    [{ address: '   ' }, /empty/],
    [{ address: 'a'.repeat(201) }, /maximum is 200/],
    [{ address: 'a', latlng: '1,2' }, /exactly one/],
    [{ latlng: '12.0004,181' }, /longitude/],
    [{ latlng: '91,12' }, /swap/],
    [{ latlng: 'here' }, /lat,lng/],
    [{ latlng: '1,2,3' }, /lat,lng/],
    [{ address: 'Storgatan', bias: 'near' }, /bias/],
    [{ address: 'Storgatan', language: '../../etc' }, /language/],
  ])('F: %j is INVALID_REQUEST, and the error says why', async (values, said) => {
    const { status, json } = await geocode(values as Record<string, string>);
    expect(status).toBe(400);
    expect(json).toMatchObject({ status: 'INVALID_REQUEST', results: [] });
    expect(json.error_message).toMatch(said);
  });

  test('F: rejects a query of 10 kB by its length, and a limit out of range by its rule', async () => {
    expect((await geocode({ address: 'x'.repeat(10_000) })).status).toBe(414);
    expect((await geocode({ address: 'Storgatan', limit: '1000' })).status).toBe(400);
  });

  test('an unknown place id is ZERO_RESULTS', async () => {
    for (const id of ['n999999', 'constructor', '', '../x'])
      expect((await geocode({ place_id: id })).json).toEqual({ results: [], status: 'ZERO_RESULTS' });
  });

  test('reverse geocoding far from every feature finds nothing', async () => {
    expect((await geocode({ latlng: '-40,-100' })).json.status).toBe('ZERO_RESULTS');
  });
});

describe('GET /v1/autocomplete', () => {
  test('offers names that start with the input, with the distance from the user', async () => {
    const { json } = await complete({ input: 'köpm', bias: '58.002,12.0' });
    expect([...Value.Errors(AutocompleteAnswer, json)]).toEqual([]);
    expect(json.predictions[0]).toMatchObject({
      description: 'Köpmansgatan, Testby, Sweden',
      structured_formatting: { main_text: 'Köpmansgatan', secondary_text: 'Testby, Sweden' },
      distance_meters: expect.any(Number),
    });
    const id = json.predictions[0].place_id;
    expect((await geocode({ place_id: id })).json.results[0].types).toEqual(['route']);
  });

  test('no match is ZERO_RESULTS, an empty input INVALID_REQUEST', async () => {
    expect((await complete({ input: 'qqqq' })).json).toEqual({ predictions: [], status: 'ZERO_RESULTS' });
    for (const values of [{}, { input: '' }, { input: 'x'.repeat(300) }])
      expect(await complete(values)).toMatchObject({ status: 400, json: { status: 'INVALID_REQUEST' } });
  });
});

describe('GET /v1/nav with addresses', () => {
  proves('M-020', {
    asked: 'two addresses: every field of the response table with its type',
    shown: 'each field of the table with its type, by the list of the row and by the schema',
    control: {
      in: 'api/nav/nav-answer.ts',
      change: '    duration: durationQuantity(best.durationS, style.language),\n',
      to: '',
    },
  });
  test('M-020: two addresses return every field of the specification', async () => {
    const { status, json } = await nav({ origin: 'Storgatan 2, Testby', destination: 'Norra vägen' });
    expect(status).toBe(200);
    expect([...Value.Errors(NavAnswer, json)]).toEqual([]);
    expect(json).toMatchObject({
      status: 'OK',
      travel_mode: 'DRIVING',
      geocoded_waypoints: [
        { geocoder_status: 'OK', partial_match: false, place_id: 'n42.2', types: ['street_address'] },
        { geocoder_status: 'OK', partial_match: false, place_id: 's100', types: ['route'] },
      ],
    });
    const quantity = { text: expect.stringMatching(/^\d/), value: expect.any(Number) };
    const place = { lat: expect.any(Number), lng: expect.any(Number) };
    const geocoded = {
      geocoder_status: expect.any(String),
      partial_match: expect.any(Boolean),
      place_id: expect.any(String),
      types: [expect.any(String)],
    };
    // The response table of the specification, so that the schema cannot lose a field.
    expect(json).toMatchObject({
      distance: quantity,
      duration: quantity,
      start_location: place,
      end_location: place,
      html_instructions: expect.stringMatching(/<b>.+<\/b>/),
      polyline: { points: expect.any(String) },
      geocoded_waypoints: [geocoded, geocoded],
      travel_mode: expect.any(String),
    });
    expect(polyline.decode(json.polyline.points).length).toBeGreaterThan(1);
  });

  test('the route starts at the position from the index, in either direction of the road', async () => {
    const east = await nav({ origin: 'Storgatan 2, Testby', destination: 'Kaffé Ångström' });
    const west = await nav({ origin: 'Storgatan 2, Testby', destination: 'Köpmansgatan' });
    const access = new RoadAccess(town.index, town.network).to(town.index.rowOf('n42.2')!, 'driving')!;
    for (const { json } of [east, west]) {
      const [lat] = polyline.decode(json.polyline.points)[0]!;
      expect(lat).toBeCloseTo(58.002, 4);
      expect(json.start_location.lng).toBeCloseTo(12.0004, 4);
    }
    expect(access.fraction).toBeGreaterThan(0);
    // A destination in a one-way street is reached in its direction.
    expect(east.json.status).toBe('OK');
  });

  proves('M-027', {
    asked: 'NOT_FOUND, partial_match, ZERO_RESULTS',
    shown: 'an unknown address is NOT_FOUND, a misspelled one partial_match; ZERO_RESULTS in the test below',
    control: {
      in: 'api/nav/nav-answer.ts',
      change: 'places.map((place) => (place === undefined ? notFound : waypoint(place, undefined)))',
      to: 'places.map(() => notFound)',
    },
  });
  test('M-027: an unknown address is NOT_FOUND at its end, a misspelled one a partial match', async () => {
    const unknown = (await nav({ origin: 'Atlantis', destination: 'Storgatan 2, Testby' })).json;
    expect(unknown).toMatchObject({
      status: 'NOT_FOUND',
      routes: [],
      tileset_id: town.network.tilesetId,
      geocoded_waypoints: [
        { geocoder_status: 'NOT_FOUND', place_id: '' },
        { geocoder_status: 'OK', place_id: 'n42.2' },
      ],
    });
    expect([...Value.Errors(NavAnswer, unknown)]).toEqual([]);
    const partial = (await nav({ origin: 'Köpmansgtan', destination: 'place_id:n42.2' })).json;
    expect(partial.status).toBe('OK');
    expect(partial.geocoded_waypoints.map((each: { partial_match: boolean }) => each.partial_match)).toEqual([
      true,
      false,
    ]);
  });

  proves('M-027', {
    asked: 'no way → ZERO_RESULTS',
    shown: 'from a town to a place that no road joins to it',
    control: {
      in: 'api/nav/nav-answer.ts',
      change: "status: 'ZERO_RESULTS',",
      to: "status: 'NOT_FOUND',",
    },
  });
  test('M-027: without a route the answer is ZERO_RESULTS: Malmköping is connected to nothing', async () => {
    const { json } = await nav({ origin: 'Storgatan 2, Testby', destination: 'Malmköping' });
    expect(json).toMatchObject({ status: 'ZERO_RESULTS', routes: [] });
    expect(json.geocoded_waypoints[1].place_id).toBe('n31');
  });

  test('F: names that contain HTML are escaped in the instructions', async () => {
    const { json } = await nav({ origin: '<b>Bold & Sons 7', destination: 'Södra vägen', mode: 'walking' });
    expect(json.status).toBe('OK');
    expect(json.html_instructions).toContain('&lt;b&gt;Bold &amp; Sons');
    const steps: { html_instructions: string }[] = json.routes[0].legs[0].steps;
    for (const html of [json.html_instructions, ...steps.map((each) => each.html_instructions)])
      expect(html.replace(/<\/?(?:b|div)>/g, '')).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
  });

  test('plans a departure hours ahead without live traffic, and rejects one in the past', async () => {
    const ahead = await nav({
      origin: 'Norra vägen',
      destination: 'Södra vägen',
      departure_time: String(Math.round(Date.now() / 1_000) + 7_200),
    });
    expect(ahead.json).toMatchObject({ status: 'OK', evidence: { live_edges: 0, metric_age_s: null } });
    const past = await nav({
      origin: 'Norra vägen',
      destination: 'Södra vägen',
      departure_time: '1000',
    });
    const message = 'The departure must not be in the past or more than a year ahead.';
    expect(past).toMatchObject({
      status: 400,
      json: { errors: [{ pointer: '/query/departure_time', message }] },
    });
  });

  test('answers in the requested language and units', async () => {
    const { json } = await nav({
      origin: 'Norra vägen',
      destination: 'Södra vägen',
      language: 'de',
      units: 'imperial',
    });
    expect(json.distance.text).toMatch(/ft|mi/);
    expect(json.html_instructions).toMatch(/erreicht|Ziel/);
    expect((await nav({ origin: 'a', destination: 'b', language: 'tlh' })).status).toBe(400);
  });
});
