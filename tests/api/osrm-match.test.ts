import polyline from '@mapbox/polyline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matchOptions } from '#api/osrm/match-query.js';
import { tidyTrace } from '#api/osrm/tidy-trace.js';
import { getOsrmMatch } from '#schemas/http/osrm.js';
import { degPerM, type Json, type OsrmTown, openOsrmTown } from './osrm-town.js';

/**
 * 20 m per character, east and south of 0,0. BC is a toll road, DH a ferry, EF a one-way street eastwards. IJ
 * is not connected to the others.
 */
const drawing = `
A---------B---------C---------D
          |         |         |
          |         |         |
          E---------F         H





I-------------------J`;

let town: OsrmTown;

beforeAll(async () => {
  town = await openOsrmTown(drawing, {
    ways: {
      BC: { toll: 'yes' },
      DH: { highway: '', route: 'ferry', foot: 'yes', motor_vehicle: 'yes' },
      EF: { oneway: 'yes' },
    },
  });
});
afterAll(() => town.close());

const place = (text: string): [lng: number, lat: number] => town.place(text);
const ask = (places: string, query = '', profile = 'driving') => town.ask('match', places, query, profile);
const match = (places: string, query = '', profile = 'driving'): Promise<Json> =>
  town.answer('match', places, query, profile);
/** By point: its matching and waypoint, `0/1`; `-` for an outlier. */
const indices = ({ tracepoints }: Json): string =>
  tracepoints
    .map((each: Json) => (each === null ? '-' : `${each.matchings_index}/${each.waypoint_index}`))
    .join(' ');
const rounded = (value: number): number => 10 * Math.round(value / 10);

/** East on AB, south on BE, east on EF; some metres beside the roads. */
const drive = 'A+20+4 A+100-3 A+180+2 B+3-40 E+40+4 E+120-2';

describe('a trace', () => {
  test('is a matching with a leg between its points, and a tracepoint for each', async () => {
    const answer = await match(drive, 'steps=true&overview=full&geometries=geojson');
    expect(indices(answer)).toBe('0/0 0/1 0/2 0/3 0/4 0/5');
    const [matching] = answer.matchings;
    expect(matching.legs.map((leg: Json) => rounded(leg.distance))).toEqual([80, 80, 60, 60, 80]);
    expect(rounded(matching.distance)).toBe(360);
    expect(matching.confidence).toBeGreaterThan(0.5);
    expect(matching.confidence).toBeLessThanOrEqual(1);
    expect(matching.weight_name).toBe('duration');
    expect(matching.geometry.coordinates.length).toBeGreaterThan(3);
    for (const { steps } of matching.legs) {
      expect(steps[0].maneuver.type).toBe('depart');
      expect(steps.at(-1).maneuver.type).toBe('arrive');
    }
    expect(matching.legs[2].steps[1].maneuver.modifier).toBe('right');
    expect(answer.tracepoints[3]).toEqual({
      alternatives_count: expect.any(Number),
      waypoint_index: 3,
      matchings_index: 0,
      hint: expect.any(String),
      location: [expect.closeTo(place('B')[0], 6), expect.closeTo(place('B+0-40')[1], 5)],
      name: 'BE',
      distance: expect.closeTo(3, 1),
    });
    expect(answer.data_version).toMatch(/\.\d+$/);
  });

  test('a one-way street is driven in its direction; the way round is not trusted', async () => {
    const east = await match('E+20+0 E+100+0 E+180+0');
    expect([east.tracepoints[1].name, rounded(east.matchings[0].distance)]).toEqual(['EF', 160]);
    const west = await match('F-20+0 F-100+0');
    expect(west.matchings[0].distance).toBeGreaterThan(400);
    expect(west.matchings[0].confidence).toBeLessThan(0.2);
  });

  test('a point that no road is near is null, and the drive goes on behind it', async () => {
    const answer = await match('A+20+0 A+100+190 A+180+0');
    expect(indices(answer)).toBe('0/0 - 0/1');
    expect(rounded(answer.matchings[0].distance)).toBe(160);
  });

  test('is split where its points do not connect; both sides keep theirs', async () => {
    const answer = await match('A+20+0 A+100+0 I+200+0 I+300+0 J+0+0');
    expect(indices(answer)).toBe('0/0 0/1 1/0 1/1 1/2');
    expect(answer.matchings.map(({ distance }: Json) => rounded(distance))).toEqual([80, 200]);
  });

  test('a single point on another road is left out', async () => {
    const answer = await match('A+20+0 A+100+0 I+100+0 A+180+0');
    expect(indices(answer)).toBe('0/0 0/1 - 0/2');
  });

  test('a turn in the middle of a road ends one leg there and begins the next', async () => {
    const answer = await match('A+20+0 A+120+0 A+40+0', 'overview=full&geometries=geojson');
    expect(answer.matchings[0].legs.map((leg: Json) => rounded(leg.distance))).toEqual([100, 80]);
    const east = answer.matchings[0].geometry.coordinates.map(([lng]: Json) => rounded(lng / degPerM));
    expect([east[0], Math.max(...east), east.at(-1)]).toEqual([20, 120, 40]);
  });

  test('points in one place are legs of no length', async () => {
    const answer = await match('A+20+0 A+20+0 A+20+0', 'steps=true&annotations=true');
    expect(answer.matchings[0].distance).toBe(0);
    expect(answer.matchings[0].legs).toHaveLength(2);
  });

  test('alternatives_count says on how many other roads a point may be', async () => {
    const answer = await match('A+20+0 A+100+0 A+180+0 B+20+0', '');
    expect(answer.tracepoints.map((each: Json) => each.alternatives_count).slice(0, 2)).toEqual([0, 0]);
    // Behind the crossing, the next point decides.
    expect(answer.tracepoints[3].alternatives_count).toBeGreaterThan(0);
  });
});

describe('the options', () => {
  const times = (...seconds: number[]) => `timestamps=${seconds.join(';')}`;

  test('a pause of more than ten usual intervals splits a trace, unless gaps=ignore', async () => {
    const places = 'A+20+0 A+60+0 A+100+0 A+140+0 A+180+0';
    expect(indices(await match(places, times(0, 5, 10, 15, 20)))).toBe('0/0 0/1 0/2 0/3 0/4');
    expect(indices(await match(places, times(0, 5, 10, 65, 70)))).toBe('0/0 0/1 0/2 1/0 1/1');
    expect(indices(await match(places, times(0, 5, 10, 60, 65)))).toBe('0/0 0/1 0/2 0/3 0/4');
    const ignored = await match(places, `${times(0, 5, 10, 999, 1_004)}&gaps=ignore`);
    expect(indices(ignored)).toBe('0/0 0/1 0/2 0/3 0/4');
  });

  test('timestamps exclude drives that are too fast, and may be equal', async () => {
    const places = 'A+0+0 A+40+0 C+160+0 D+0+0';
    expect(indices(await match(places, times(0, 4, 6, 10)))).toBe('0/0 0/1 1/0 1/1');
    expect(indices(await match(places, times(0, 4, 24, 28)))).toBe('0/0 0/1 0/2 0/3');
    expect(indices(await match('A+20+0 A+30+0 A+40+0', times(7, 7, 7)))).toBe('0/0 0/1 0/2');
    // Along one road, too. Whole seconds may be almost one second more.
    expect((await ask('I+10+0 J-10+0', times(0, 1))).json.code).toBe('NoMatch');
    expect(indices(await match('I+10+0 I+160+0', times(0, 1)))).toBe('0/0 0/1');
  });

  test('tidy leaves out points that are near the one before, in metres and in seconds', async () => {
    const places = 'A+20+0 A+24+3 A+100+0 A+103-2 A+180+0';
    const answer = await match(places, 'tidy=true');
    expect(indices(answer)).toBe('0/0 - 0/1 - 0/2');
    expect(answer.matchings[0].legs).toHaveLength(2);
    expect(indices(await match(places, `tidy=true&${times(0, 1, 2, 3, 9)}`))).toBe('0/0 - - - 0/1');
  });

  test('radiuses say how far a road may be, and by point', async () => {
    const { json } = await ask('A+20+40 A+100+40', 'radiuses=1;1');
    expect(json).toEqual({
      code: 'NoSegment',
      message: 'Could not find a matching segment for any coordinate.',
    });
    expect(indices(await match('A+20+40 A+100+40', 'radiuses=20;20'))).toBe('0/0 0/1');
    expect(indices(await match('A+20+40 A+100+0 A+180+0', 'radiuses=1;;'))).toBe('- 0/0 0/1');
  });

  test('waypoints are the ends of legs; the points between them have none', async () => {
    const answer = await match(drive, 'waypoints=0;3;5');
    expect(indices(answer)).toBe('0/0 0/null 0/null 0/1 0/null 0/2');
    expect(answer.matchings[0].legs.map((leg: Json) => rounded(leg.distance))).toEqual([220, 140]);
    const tidied = await match('A+20+0 A+24+3 A+100+0 A+180+0', 'tidy=true&waypoints=0;1;3');
    expect(indices(tidied)).toBe('0/0 - 0/null 0/1');
  });

  test.each([
    ['A+20+0 A+100+0 I+200+0 J+0+0', '0;3'],
    ['A+20+0 A+100+190 A+180+0', '0;1;2'],
    ['A+20+0 A+120+0 A+40+0', '0;2'],
  ])('waypoints of %s that one drive cannot have are NoMatch', async (places, waypoints) => {
    const { status, json } = await ask(places, `waypoints=${waypoints}`);
    expect([status, json]).toEqual([
      400,
      { code: 'NoMatch', message: 'Could not match the trace with the given waypoints.' },
    ]);
  });

  test('bearings exclude roads in other directions', async () => {
    // At the corner, both roads are near.
    const names = async (bearings: string) =>
      (await match('B+5-5 B+5-25', `bearings=${bearings}`)).tracepoints.map(({ name }: Json) => name);
    expect(await names('180,20;180,20')).toEqual(['BE', 'BE']);
    expect(['AB', 'BC']).toContain((await names('90,20;'))[0]);
    expect((await ask('A+20+0 A+100+0', 'bearings=0,10;0,10')).json.code).toBe('NoSegment');
  });

  test('hints keep a point on the road of an earlier answer, if that is near', async () => {
    const { tracepoints } = await match('B+0-30 B+0-50');
    const names = async (places: string) =>
      (await match(places, `hints=${tracepoints[0].hint};`)).tracepoints.map(({ name }: Json) => name);
    expect((await names('B+5-5 B+5-25'))[0]).toBe('BE');
    expect((await names('A+20+0 A+60+0'))[0]).toBe('AB');
  });

  test('approaches are those of the side of the road', async () => {
    const right = town.map.network.meta.drivingSide === 'right';
    const trace = right ? 'A+60-8 A+100-8' : 'A+60+8 A+100+8';
    expect(indices(await match(trace, 'approaches=curb;curb&radiuses=5;5'))).toBe('0/0 0/1');
    const against = await match(trace, 'approaches=opposite;opposite&radiuses=5;5');
    expect(against.matchings[0].distance).not.toBe((await match(trace)).matchings[0].distance);
  });

  test('exclude takes another road', async () => {
    const through = async (query: string) =>
      rounded((await match('A+100+0 C+100+0', query)).matchings[0].distance);
    expect([await through(''), await through('exclude=toll')]).toEqual([400, 520]);
  });

  test('a point may be on a ferry', async () => {
    const answer = await match('D+0-10 D+0-30 D+0-50');
    expect(answer.tracepoints.map(({ name }: Json) => name)).toEqual(['DH', 'DH', 'DH']);
  });

  test('skip_waypoints and generate_hints leave parts of the answer out', async () => {
    expect((await match(drive, 'skip_waypoints=true')).tracepoints).toBeUndefined();
    expect((await match(drive, 'generate_hints=false')).tracepoints[0].hint).toBeUndefined();
  });

  test('geometries, overview and annotations are those of the route service', async () => {
    const answer = await match(drive, 'overview=full&geometries=polyline6&annotations=true');
    const [matching] = answer.matchings;
    expect(polyline.decode(matching.geometry, 6).length).toBeGreaterThan(3);
    for (const { annotation, distance } of matching.legs) {
      const sum = annotation.distance.reduce((all: number, each: number) => all + each, 0);
      expect(Math.abs(sum - distance)).toBeLessThan(0.3);
    }
    const [plain] = (await match(drive, 'overview=false')).matchings;
    expect(plain.geometry).toBeUndefined();
    expect(plain.legs[0].steps).toEqual([]);
  });

  test('the profiles are those of the other services', async () => {
    const { json } = await ask('F-20+0 F-100+0 F-180+0', '', 'foot');
    expect(json.tracepoints[1].name).toBe('EF');
  });
});

describe('errors have the codes of OSRM', () => {
  test.each([
    ['A', '', 'InvalidOptions'],
    ['A D', 'timestamps=0', 'InvalidOptions'],
    ['A D', 'timestamps=5;4', 'InvalidValue'],
    ['A D', 'timestamps=0;-1', 'InvalidQuery'],
    ['A D', 'timestamps=0;', 'InvalidQuery'],
    ['A D', 'timestamps=0;NaN', 'InvalidQuery'],
    ['A D', 'timestamps=0;12345678901', 'InvalidQuery'],
    ['A D', 'gaps=none', 'InvalidQuery'],
    ['A D', 'tidy=1', 'InvalidQuery'],
    ['A D', 'waypoints=0;2', 'InvalidOptions'],
    ['A B D', 'waypoints=1;2', 'InvalidValue'],
    ['A D', 'radiuses=5', 'InvalidOptions'],
    ['A D', 'radiuses=-5;5', 'InvalidOptions'],
    ['A D', 'annotations=nodes', 'InvalidValue'],
    ['A D', 'alternatives=1', 'InvalidQuery'],
    ['A D', 'continue_straight=true', 'InvalidQuery'],
    ['A D', 'language=tlh', 'InvalidValue'],
    ['A D', 'hints=banana;', 'InvalidValue'],
    ['A+20+0 I+20+0', '', 'NoMatch'],
  ])('F: %s with %s is %s', async (places, query, code) => {
    const { status, json } = await ask(places, query);
    expect({ status, json }).toEqual({ status: 400, json: { code, message: expect.stringMatching(/\w/) } });
  });

  test('a hundred points are matched, and one more is TooBig', async () => {
    const line = (count: number) =>
      polyline.encode(Array.from({ length: count }, (_, at) => [place('A')[1], place(`A+${at}+0`)[0]]));
    const called = async (count: number) =>
      (
        await town.served.call(
          'GET',
          `/v1/osrm/match/v1/driving/polyline(${encodeURIComponent(line(count))})`,
        )
      ).json;
    const hundred = await called(100);
    expect([hundred.code, hundred.matchings[0].legs.length]).toEqual(['Ok', 99]);
    expect((await called(101)).code).toBe('TooBig');
  });

  test('every described option is read, and every option that is read is described', () => {
    expect(Object.keys(matchOptions).toSorted()).toEqual(
      Object.keys(getOsrmMatch.query.properties).toSorted(),
    );
  });
});

test('a tidied trace has its first and last point, and each that is far enough from the one before', () => {
  const at = (...metres: number[]) => metres.map((each) => ({ lat: 0, lng: each * degPerM }));
  expect(tidyTrace(at(0, 10, 20, 30, 40), undefined)).toEqual([0, 2, 4]);
  expect(tidyTrace(at(0, 100, 200), [0, 4, 8])).toEqual([0, 2]);
  expect(tidyTrace(at(0, 100, 200, 300), [0, 4, 8, 12])).toEqual([0, 2, 3]);
  // Back and forth is far along the trace.
  expect(tidyTrace(at(0, 10, 0, 10), undefined)).toEqual([0, 2, 3]);
  expect(tidyTrace(at(0, 1), undefined)).toEqual([0, 1]);
});
