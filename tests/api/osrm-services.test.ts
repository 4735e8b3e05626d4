import polyline from '@mapbox/polyline';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { nearestOptions } from '#api/osrm/nearest-query.js';
import { routeOptions } from '#api/osrm/route-query.js';
import { tableOptions } from '#api/osrm/table-query.js';
import { tripOptions } from '#api/osrm/trip-query.js';
import { applyChanges } from '#routing-engine/overlay/metric.js';
import { getOsrmNearest, getOsrmRoute, getOsrmTable, getOsrmTrip } from '#schemas/http/osrm.js';
import { degPerM, type Json, type OsrmTown, openOsrmTown } from './osrm-town.js';

/**
 * 20 m per character, east and south of 0,0. BC is a toll road, EF a one-way street eastwards, GH a ferry. IJ
 * is not connected to the others and 400 m away from them.
 */
const drawing = `
A---------B---------C---------D
          |         |
          |         |
          E---------F
          |
          G---------H




















                    I-----J`;

let town: OsrmTown;

beforeAll(async () => {
  town = await openOsrmTown(drawing, {
    ways: {
      BC: { toll: 'yes' },
      EF: { oneway: 'yes' },
      GH: { highway: '', route: 'ferry', foot: 'yes', motor_vehicle: 'yes' },
    },
  });
});
beforeEach(() => town.reset());
afterAll(() => town.close());

const place = (text: string): [lng: number, lat: number] => town.place(text);
const ask: OsrmTown['ask'] = (...question) => town.ask(...question);
const answer: OsrmTown['answer'] = (...question) => town.answer(...question);
const rounded = (rows: readonly (readonly (number | null)[])[]): (number | null)[][] =>
  rows.map((row) => row.map((each) => (each === null ? null : 10 * Math.round(each / 10))));

describe('nearest', () => {
  const names = async (places: string, query = ''): Promise<string[]> =>
    (await answer('nearest', places, query)).waypoints.map(({ name }: Json) => name);

  test('gives the nearest roads, nearest first, one for each piece', async () => {
    const { waypoints, data_version: version } = await answer('nearest', 'B+60-30', 'number=3');
    expect(waypoints.map(({ name }: Json) => name)).toEqual(['BC', 'EF', 'BE']);
    expect(waypoints.map(({ distance }: Json) => Math.round(distance))).toEqual([30, 30, 60]);
    expect(waypoints[0].location[0]).toBeCloseTo(place('B+60+0')[0], 6);
    expect(version).toMatch(/^\w+\.\d+$/);
    expect(await names('B+60-30')).toHaveLength(1);
    expect(await names('B+60-30', 'number=100')).toHaveLength(8);
  });

  test('nodes are the crossings before and behind the place, in a direction of travel', async () => {
    const [one] = (await answer('nearest', 'E+60-1')).waypoints;
    const { tail, head, nodeOsmId } = town.map.network.arrays;
    const edge = town.map.edge('E', 'F');
    expect(one.nodes).toEqual([nodeOsmId[tail[edge]!], nodeOsmId[head[edge]!]]);
  });

  test('honours the options of a place', async () => {
    expect(await names('B+60-20', 'exclude=toll')).toEqual(['EF']);
    expect(await names('B+60-20', 'radiuses=25')).toEqual(['BC']);
    expect(await names('B+60-20', 'bearings=180,20')).toEqual(['BE']);
    expect((await ask('nearest', 'B+60-20', 'radiuses=10')).json).toMatchObject({ code: 'NoSegment' });
    expect((await ask('nearest', 'B+60-20', 'exclude=toll&radiuses=25')).json.code).toBe('NoSegment');
    const [{ hint }] = (await answer('nearest', 'B+2-20')).waypoints;
    expect(await names('B+60-20', `hints=${hint}`)).toEqual(['BE']);
    expect(await names('G+30-5')).toEqual(['EG']);
    expect(await names('G+30-5', 'snapping=any')).toEqual(['GH']);
    // The one-way street has one direction, and the place is on its right side.
    expect(await names('E+60-5', 'approaches=curb')).toEqual(['EF']);
    const bare = await answer('nearest', 'A', 'skip_waypoints=true');
    expect(bare).not.toHaveProperty('waypoints');
    expect((await answer('nearest', 'A', 'generate_hints=false')).waypoints[0]).not.toHaveProperty('hint');
  });

  test('of several places, a list for each; one without a road does not refuse the others', async () => {
    const { waypoints } = await answer('nearest', 'A A+0+60 D', 'radiuses=;50;&number=2');
    expect(waypoints).toHaveLength(3);
    expect(waypoints[0].map(({ name }: Json) => name)).toEqual(['AB', 'BC']);
    expect(waypoints[1]).toEqual({ code: 'NoSegment', message: expect.stringMatching(/\w/) });
    expect(waypoints[2][0].name).toBe('CD');
  });
});

describe('table', () => {
  test('gives durations and distances of the quickest routes, row by row', async () => {
    const table = await answer('table', 'A D E', 'annotations=distance,duration');
    expect(rounded(table.distances)).toEqual([
      [0, 600, 260],
      [600, 0, 460],
      [260, 460, 0],
    ]);
    expect(table.sources.map(({ name }: Json) => name)).toHaveLength(3);
    for (const [row, from] of ['A', 'D', 'E'].entries())
      for (const [column, to] of ['A', 'D', 'E'].entries()) {
        const { routes } = await answer('route', `${from} ${to}`);
        expect([table.durations[row][column], table.distances[row][column]]).toEqual([
          routes[0].duration,
          routes[0].distance,
        ]);
      }
    expect(await answer('table', 'A D')).not.toHaveProperty('distances');
    expect(await answer('table', 'A D', 'annotations=distance')).not.toHaveProperty('durations');
  });

  test('sources and destinations choose rows and columns', async () => {
    const query = 'annotations=distance&sources=2;0&destinations=1';
    const { distances, sources, destinations } = await answer('table', 'A D E', query);
    expect(rounded(distances)).toEqual([[460], [600]]);
    expect([sources.length, destinations.length]).toEqual([2, 1]);
    const all = await answer('table', 'A D E', 'sources=all&destinations=all');
    expect(all.durations).toEqual((await answer('table', 'A D E')).durations);
    const bare = await answer('table', 'A D', 'skip_waypoints=true');
    expect([bare.sources, bare.destinations]).toEqual([undefined, undefined]);
  });

  test('follows the traffic, the profile and the options of places', async () => {
    const free = (await answer('table', 'A D')).durations[0][1];
    const { map, live } = town;
    const changes = (['B', 'C'] as const).flatMap((from, at) => [
      { edge: map.edge(from, ['C', 'D'][at]!), speedKph: 5 },
    ]);
    town.live = { metric: applyChanges(map.network, live.metric, changes, 1), publishedMs: 1 };
    const slow = (await answer('table', 'A D')).durations[0][1];
    expect(slow).toBeGreaterThan(2 * free);
    expect(slow).toBe((await answer('route', 'A D')).routes[0].duration);
    const walked = (await answer('table', 'A D', '', 'walking')).durations[0][1];
    expect(walked).toBe((await answer('route', 'A D', '', 'walking')).routes[0].duration);
    const distances = async (query: string) =>
      rounded((await answer('table', 'A D', `annotations=distance&${query}`)).distances);
    expect((await distances('exclude=toll'))[0]).toEqual([0, 720]);
  });

  test('depart_at: counts live traffic for a departure soon, not for one hours ahead', async () => {
    const free = (await answer('table', 'A D')).durations[0][1];
    const { map, live } = town;
    const slow = [{ edge: map.edge('B', 'C'), speedKph: 5 }];
    town.live = { metric: applyChanges(map.network, live.metric, slow, 1), publishedMs: 1 };
    const at = async (time: string) =>
      (await answer('table', 'A D', `depart_at=${encodeURIComponent(time)}`)).durations[0][1];
    const inMinutes = (minutes: number): string => new Date(Date.now() + 60_000 * minutes).toISOString();
    expect(await at('now')).toBeGreaterThan(1.2 * free);
    expect(await at(inMinutes(25))).toBe(await at('now'));
    expect(await at(inMinutes(40))).toBe(free);
    expect(await at(String(Math.round(Date.now() / 1_000) + 7_200))).toBe(free);
    for (const wrong of ['soon', '1', inMinutes(-20), '99999999999'])
      expect((await ask('table', 'A D', `depart_at=${wrong}`)).json).toMatchObject({
        code: 'InvalidValue',
        message: expect.stringMatching(/^depart_at: /),
      });
  });

  test('a place without a route is moved to a road with one, and the answer says where', async () => {
    const {
      distances,
      sources,
      moved_cells: moved,
      moved_ends: ends,
    } = await answer('table', 'A I+40+0 J', 'annotations=distance');
    expect(rounded(distances)[1]![2]).toBe(80);
    expect(distances[0][1]).not.toBeNull();
    expect(moved).toEqual([
      [0, 1],
      [0, 2],
      [1, 0],
      [2, 0],
    ]);
    expect(ends).toEqual(['destination', 'destination', 'source', 'source']);
    expect(sources[1].distance).toBeLessThan(1);
    expect(sources[1].moved.distance).toBeGreaterThan(300);
    expect(sources[0]).not.toHaveProperty('moved');
  });

  test('estimates cells without a route, and scales durations', async () => {
    const near = 'radiuses=20;20;20&annotations=duration,distance';
    const without = await answer('table', 'A I+40+3 J', near);
    expect(without.durations[0][1]).toBeNull();
    expect(without).not.toHaveProperty('fallback_speed_cells');
    const straightM = (a: string, b: string): number => {
      const [from, to] = [place(a), place(b)];
      return Math.hypot(from[0] - to[0], from[1] - to[1]) / degPerM;
    };
    const filled = await answer('table', 'A I+40+3 J', `${near}&fallback_speed=10`);
    expect(filled.fallback_speed_cells).toEqual([
      [0, 1],
      [0, 2],
      [1, 0],
      [2, 0],
    ]);
    expect(Math.abs(filled.distances[0][1] - straightM('A', 'I+40+3'))).toBeLessThan(0.2);
    expect(filled.durations[0][1]).toBeCloseTo(filled.distances[0][1] / 10, 1);
    expect(filled.durations[1][2]).toBe(without.durations[1][2]);
    const snapped = await answer(
      'table',
      'A I+40+3 J',
      `${near}&fallback_speed=10&fallback_coordinate=snapped`,
    );
    expect(Math.abs(snapped.distances[0][1] - straightM('A', 'I+40+0'))).toBeLessThan(0.2);
    const doubled = await answer('table', 'A I+40+3 J', `${near}&fallback_speed=10&scale_factor=2.5`);
    expect(doubled.durations[0][1]).toBeCloseTo(2.5 * filled.durations[0][1], 0);
    expect(doubled.distances).toEqual(filled.distances);
    const most = await answer('table', 'A D', 'scale_factor=999999999999');
    expect(most.durations[0]).toEqual([0, 214_748_364.6]);
  });

  test('a hundred places by a hundred are answered, more cells are TooBig', async () => {
    const line = (count: number) =>
      polyline.encode(Array.from({ length: count }, (_, at) => [place('A')[1], place(`A+${5 * at}+0`)[0]]));
    const called = async (count: number, query = '') =>
      (
        await town.served.call(
          'GET',
          `/v1/osrm/table/v1/driving/polyline(${encodeURIComponent(line(count))})?${query}`,
        )
      ).json;
    const { durations, distances } = await called(100, 'annotations=duration,distance');
    expect([durations.length, durations[99].length]).toEqual([100, 100]);
    expect(Math.abs(distances[0][99] - 495)).toBeLessThan(2);
    expect(await called(101)).toMatchObject({ code: 'TooBig', message: expect.stringContaining('10201') });
    expect((await called(101, 'sources=0')).durations[0]).toHaveLength(101);
  });
});

describe('trip', () => {
  const order = ({ waypoints }: Json): number[] => waypoints.map(({ waypoint_index: index }: Json) => index);

  test('visits the places in the best order and returns', async () => {
    const trip = await answer('trip', 'A D B F E', 'steps=true&overview=full');
    expect(trip.trips).toHaveLength(1);
    const [{ legs, distance, duration }] = trip.trips;
    expect(legs).toHaveLength(5);
    expect(order(trip)[0]).toBe(0);
    expect([...order(trip)].sort()).toEqual([0, 1, 2, 3, 4]);
    expect(trip.waypoints.every(({ trips_index: index }: Json) => index === 0)).toBe(true);
    const sum = legs.reduce((all: number, leg: Json) => all + leg.duration, 0);
    expect(Math.abs(sum - duration)).toBeLessThan(0.5);
    expect(Math.abs(distance - 1_320)).toBeLessThan(15);
    expect(legs[0].steps.at(-1).maneuver.type).toBe('arrive');
    // Each leg is the route between its two places.
    const visited = ['A', 'D', 'B', 'F', 'E'].sort(
      (a, b) => order(trip)['ADBFE'.indexOf(a)]! - order(trip)['ADBFE'.indexOf(b)]!,
    );
    for (const [at, leg] of legs.entries()) {
      const { routes } = await answer('route', `${visited[at]} ${visited[(at + 1) % 5]}`);
      expect([leg.duration, leg.distance]).toEqual([routes[0].duration, routes[0].distance]);
    }
  });

  test('begins and ends where it is asked to', async () => {
    const legsOf = async (query: string) => {
      const trip = await answer('trip', 'B D A', query);
      return [order(trip), trip.trips[0].legs.length];
    };
    expect(await legsOf('roundtrip=false&source=first')).toEqual([[0, 2, 1], 2]);
    expect(await legsOf('roundtrip=false&destination=last')).toEqual([[1, 0, 2], 2]);
    expect(await legsOf('roundtrip=false&source=first&destination=last')).toEqual([[0, 1, 2], 2]);
    expect(await legsOf('source=first&destination=last')).toEqual([[0, 1, 2], 3]);
    expect((await legsOf('destination=last'))[1]).toBe(3);
    expect((await answer('trip', 'B D A', 'destination=last')).waypoints[2].waypoint_index).toBe(0);
    expect((await ask('trip', 'B D A', 'roundtrip=false')).json).toMatchObject({
      code: 'NotImplemented',
    });
    expect((await ask('trip', 'B D A', 'roundtrip=false&source=any&destination=any')).status).toBe(400);
  });

  test('the same place twice is a trip; places that do not reach one another are NoTrips', async () => {
    const twice = await answer('trip', 'A A');
    expect(twice.trips[0].legs).toHaveLength(2);
    expect(twice.trips[0].distance).toBe(0);
    const far = await ask('trip', 'A I+40+0', 'radiuses=20;20');
    expect([far.status, far.json]).toEqual([
      400,
      { code: 'NoTrips', message: 'No trip visiting all destinations possible.' },
    ]);
    // Without a radius, the place is moved, as for a route.
    const trip = await answer('trip', 'A I+40+0');
    expect(trip.waypoints[1].distance).toBeGreaterThan(300);
    expect(trip.warnings).toEqual([expect.stringMatching(/^Coordinate 1 is reached \d+ m away: /)]);
    expect(await answer('trip', 'A B')).not.toHaveProperty('warnings');
  });

  test('a hundred places are visited, and one more is TooBig', async () => {
    const line = (count: number) =>
      polyline.encode(
        Array.from({ length: count }, (_, at) => [place('A')[1], place(`A+${(37 * at) % 600}+0`)[0]]),
      );
    const called = async (count: number) =>
      (await town.served.call('GET', `/v1/osrm/trip/v1/driving/polyline(${encodeURIComponent(line(count))})`))
        .json;
    const hundred = await called(100);
    expect(hundred.code).toBe('Ok');
    expect(hundred.trips[0].legs).toHaveLength(100);
    expect(hundred.trips[0].distance).toBeLessThan(1_230);
    expect((await called(101)).code).toBe('TooBig');
  });
});

describe('errors have the codes of OSRM', () => {
  test.each([
    ['nearest', 'A', 'number=0', 'InvalidOptions'],
    ['nearest', 'A', 'number=-1', 'InvalidQuery'],
    ['nearest', 'A', 'number=NaN', 'InvalidQuery'],
    ['nearest', 'A', 'number=1.5', 'InvalidQuery'],
    ['nearest', 'A', 'number=101', 'TooBig'],
    ['nearest', 'A', 'number=999999999', 'TooBig'],
    ['nearest', 'A', 'steps=true', 'InvalidQuery'],
    ['nearest', 'A', 'bearings=0,10;', 'InvalidOptions'],
    ['table', 'A', '', 'InvalidOptions'],
    ['table', 'A D', 'sources=2', 'InvalidOptions'],
    ['table', 'A D', 'destinations=0;2', 'InvalidOptions'],
    ['table', 'A D', 'sources=', 'InvalidQuery'],
    ['table', 'A D', 'sources=0;', 'InvalidQuery'],
    ['table', 'A D', 'sources=-1', 'InvalidQuery'],
    ['table', 'A D', 'annotations=true', 'InvalidQuery'],
    ['table', 'A D', 'annotations=', 'InvalidQuery'],
    ['table', 'A D', 'annotations=duration,speed', 'InvalidQuery'],
    ['table', 'A D', 'fallback_speed=0', 'InvalidOptions'],
    ['table', 'A D', 'fallback_speed=-3', 'InvalidOptions'],
    ['table', 'A D', 'fallback_speed=NaN', 'InvalidQuery'],
    ['table', 'A D', 'fallback_speed=1e3', 'Ok'],
    ['table', 'A D', 'fallback_speed=1e999', 'InvalidQuery'],
    ['table', 'A D', 'fallback_coordinate=other', 'InvalidQuery'],
    ['table', 'A D', 'scale_factor=0', 'InvalidOptions'],
    ['table', 'A D', 'scale_factor=Infinity', 'InvalidQuery'],
    ['table', 'A D', 'steps=true', 'InvalidQuery'],
    ['table', 'A D', 'exclude=bears', 'InvalidValue'],
    ['table', 'A D', 'hints=banana;', 'InvalidValue'],
    ['table', 'A D', 'radiuses=0.01;', 'Ok'],
    ['table', 'A+0+20 D', 'radiuses=1;', 'NoSegment'],
    ['trip', 'A', '', 'InvalidOptions'],
    ['trip', 'A D', 'source=last', 'InvalidQuery'],
    ['trip', 'A D', 'destination=first', 'InvalidQuery'],
    ['trip', 'A D', 'roundtrip=maybe', 'InvalidQuery'],
    ['trip', 'A D', 'roundtrip=false', 'NotImplemented'],
    ['trip', 'A D', 'annotations=nodes', 'InvalidValue'],
    ['trip', 'A D', 'alternatives=1', 'InvalidQuery'],
    ['trip', 'A D', 'waypoints=0;1', 'InvalidQuery'],
    ['trip', 'A D', 'language=tlh', 'InvalidValue'],
    ['trip', 'A+0+20 D', 'radiuses=1;', 'NoSegment'],
    ['nearest', 'A', 'format=flatbuffers', 'InvalidValue'],
    ['table', 'A D', '__proto__=1', 'InvalidQuery'],
  ])('F: %s of %s with %s is %s', async (service, places, query, code) => {
    const { status, json } = await ask(service, places, query);
    if (code === 'Ok') expect(json.code).toBe('Ok');
    else
      expect({ status, json }).toEqual({ status: 400, json: { code, message: expect.stringMatching(/\w/) } });
  });

  test.each(['nearest', 'table', 'trip'])('F: %s refuses coordinates that are none', async (service) => {
    const called = async (path: string) => {
      const { status, json } = await town.served.call('GET', `/v1/osrm/${service}/v1/${path}`);
      return `${status} ${json.code}`;
    };
    expect(await called('driving/NaN,NaN;0,0')).toBe('400 InvalidQuery');
    expect(await called('driving/0,91;0,0')).toBe('400 InvalidValue');
    expect(await called('driving/999999999999,0;0,0')).toBe('400 InvalidValue');
    expect(await called('rocket/0,0;0,0')).toBe('400 InvalidValue');
    expect(await called('driving/-100,-40;-100,-40')).toBe(
      service === 'nearest' ? '200 Ok' : '400 NoSegment',
    );
  });

  test('numbers are read as programs write them', async () => {
    const [lng, lat] = [0.001_798_642_025_270_044_8, -1e-7];
    const { status, json } = await town.served.call('GET', `/v1/osrm/nearest/v1/car/${lng},${lat}`);
    // The first road is 20 m south of the equator.
    expect({ status, distance: json.waypoints?.[0].distance }).toEqual({
      status: 200,
      distance: expect.closeTo(20, 0),
    });
  });

  test('I7: while the metric lacks an incident, driving is refused with a retry delay', async () => {
    town.gap = 'The driving metric does not have the incident i1 yet.';
    for (const service of ['table', 'trip', 'nearest']) {
      const { status, headers, json } = await ask(service, 'A D');
      expect([status, headers.get('retry-after'), json.detail]).toEqual([503, '1', town.gap]);
    }
    expect((await ask('table', 'A D', '', 'walking')).status).toBe(200);
  });

  test('every described option is read, and every option that is read is described', () => {
    const pairs = [
      [nearestOptions, getOsrmNearest],
      [routeOptions, getOsrmRoute],
      [tableOptions, getOsrmTable],
      [tripOptions, getOsrmTrip],
    ] as const;
    for (const [read, described] of pairs)
      expect(Object.keys(read).toSorted()).toEqual(Object.keys(described.query.properties).toSorted());
  });
});
