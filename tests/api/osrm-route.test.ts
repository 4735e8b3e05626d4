import polyline from '@mapbox/polyline';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { applyChanges } from '#routing-engine/overlay/metric.js';
import { proves } from '#tools/acceptance/proves.js';
import { type Json, type OsrmTown, openOsrmTown } from './osrm-town.js';

/**
 * 20 m per character, east and south of 0,0. BC is a toll road, GH a ferry; IJ is not connected to the
 * others, and no vehicle turns around at K.
 */
const drawing = `
                              K
                              |
                              |
A---------B---------C---------D
          |         |
          |         |
          |         |
          E---------F
          |
          |
          G---------H

                    I-----J`;

let town: OsrmTown;

beforeAll(async () => {
  town = await openOsrmTown(drawing, {
    ways: {
      BC: { toll: 'yes' },
      AB: { ref: 'D 1;D 2' },
      GH: { highway: '', route: 'ferry', foot: 'yes', motor_vehicle: 'yes' },
    },
    restrictions: [['no_u_turn', 'KD', 'K', 'KD']],
  });
});
beforeEach(() => town.reset());
afterAll(() => town.close());

const place = (text: string): [lng: number, lat: number] => town.place(text);
const ask = (places: string, query = '', profile = 'driving') => town.ask('route', places, query, profile);
const route = (places: string, query = '', profile = 'driving'): Promise<Json> =>
  town.answer('route', places, query, profile);
const coordinates = (places: string): string => town.coordinates(places);
/** Metres of the best route, to the next ten. */
const metres = async (places: string, query = '', profile = 'driving'): Promise<number> =>
  10 * Math.round((await route(places, query, profile)).routes[0].distance / 10);
const names = async (places: string, query = ''): Promise<string[]> =>
  (await route(places, query)).waypoints.map(({ name }: { name: string }) => name);

describe('each option of the route service takes effect', () => {
  test('radiuses: uses no road that is farther away', async () => {
    expect(await metres('A+50+19 D-50+0', 'radiuses=25;')).toBe(500);
    expect(await ask('A+50+19 D-50+0', 'radiuses=0.01;')).toMatchObject({
      status: 400,
      json: { code: 'NoSegment', message: 'Could not find a matching segment for coordinate 0' },
    });
    expect((await ask('A D-50+19', 'radiuses=;0')).json.code).toBe('NoSegment');
    expect(await metres('A+50+0 D-50+0', 'radiuses=0.5;0.5')).toBe(500);
    // The default is a kilometre, the maximum is five.
    expect((await ask('A-1200+0 D')).json.code).toBe('NoSegment');
    expect(await metres('A-1200+0 D', 'radiuses=unlimited;')).toBe(600);
    expect(await metres('A-1200+0 D', 'radiuses=1300;unlimited')).toBe(600);
    expect((await ask('A-5200+0 D', 'radiuses=unlimited;')).json.code).toBe('NoSegment');
  });

  test('bearings: uses a road in the requested direction', async () => {
    expect(await metres('B+90+5 C+50+0', 'bearings=90,10;')).toBe(160);
    expect(await metres('B+90+5 C+50+0', 'bearings=80,10;')).toBe(160);
    // Westwards, and back around the block or over the dead end.
    expect(await metres('B+90+5 C+50+0', 'bearings=270,10;')).toBeGreaterThan(300);
    expect(await metres('B+90+5 C+50+0', 'bearings=270,180;')).toBe(160);
    expect(await names('B+90+5 C+50+0', 'bearings=360,20;')).toEqual(['BE', 'CD']);
    expect((await ask('B+90+5 C+50+0', 'bearings=90,10;&radiuses=20;')).json.code).toBe('Ok');
    expect((await ask('B+90+5 C+50+0', 'bearings=45,10;&radiuses=20;')).json.code).toBe('NoSegment');
    expect(await metres('B+90+5 C+50+0', 'bearings=;90,1')).toBe(160);
  });

  test('approaches: reaches a place at its kerb, or at the opposite one', async () => {
    const [from, to] = ['A+100+8', 'B+100+8'];
    const east = await metres(`${from} ${to}`);
    expect(east).toBe(200);
    // Traffic keeps right: a place north of the road is at the kerb of drivers who go west.
    expect(await metres(`${from} ${to}`, 'approaches=;opposite')).toBe(east);
    expect(await metres(`${from} ${to}`, 'approaches=;curb')).toBeGreaterThan(east);
    expect(await metres(`${from} ${to}`, 'approaches=curb;unrestricted')).toBeGreaterThan(east);
    expect(await metres(`${from} ${to}`, 'approaches=unrestricted;')).toBe(east);
  });

  test('hints: the place is on the road of the hint if that is within reach', async () => {
    const hint = (await route('B+0-60 F-50+0')).waypoints[0].hint;
    const beside = 'B+60-30 F-50+0';
    expect(await names(beside)).toEqual(['BC', 'EF']);
    expect(await names(beside, `hints=${hint};`)).toEqual(['BE', 'EF']);
    expect(await names(beside, `hints=${hint};&radiuses=55;`)).toEqual(['BC', 'EF']);
    expect(await names(beside, 'hints=;')).toEqual(['BC', 'EF']);
    // A well-formed hint of a road that this map does not have.
    const other = Buffer.from('77:1-2+').toString('base64url');
    expect(await names(beside, `hints=${other};${other}`)).toEqual(['BC', 'EF']);
  });

  test('continue_straight: allows or forbids a U-turn at a waypoint', async () => {
    const places = 'A B+0-40 C';
    expect(await metres(places, 'continue_straight=false')).toBe(480);
    expect(await metres(places, 'continue_straight=true')).toBe(560);
    expect(await metres(places, 'continue_straight=default')).toBe(560);
    expect(await metres(places)).toBe(560);
    expect(await metres(places, '', 'walking')).toBe(480);
    expect(await metres(places, 'continue_straight=true', 'walking')).toBe(560);
  });

  proves('M-025', {
    asked: 'classes are avoided by the option of OSRM',
    shown: 'toll: the detour; a route without motorway and ferry stays; those in api/avoid',
  });
  test('M-025: exclude: uses no road of the class', async () => {
    expect(await metres('A D')).toBe(600);
    expect(await metres('A D', 'exclude=toll')).toBe(760);
    expect(await metres('A D', 'exclude=motorway,ferry')).toBe(600);
    expect(await metres('A D', 'exclude=none')).toBe(600);
    expect(await names('B+100-10 D', 'exclude=toll')).toEqual(['EF', 'CD']);
  });

  test('snapping: a route starts on a ferry only if requested', async () => {
    expect(await names('G+150+0 A')).toEqual(['EF', 'AB']);
    expect(await names('G+150+0 A', 'snapping=default')).toEqual(['EF', 'AB']);
    expect(await names('G+150+0 A', 'snapping=any')).toEqual(['GH', 'AB']);
  });

  test('annotations: one value for each pair of points of the leg', async () => {
    const points = (leg: Json): number => polyline.decode(leg.geometry).length;
    const [{ legs }] = (await route('A+50+0 D E', 'annotations=true&overview=by_legs')).routes;
    for (const leg of legs) {
      const { distance, duration, speed, weight, datasources, metadata, ...others } = leg.annotation;
      expect(others).toEqual({});
      for (const values of [distance, duration, speed, weight, datasources])
        expect(values).toHaveLength(points(leg) - 1);
      const sum = distance.reduce((all: number, each: number) => all + each, 0);
      expect(Math.abs(sum - leg.distance)).toBeLessThan(1);
      expect(duration.reduce((all: number, each: number) => all + each, 0)).toBeLessThanOrEqual(
        leg.duration + 1,
      );
      expect(metadata.datasource_names[datasources[0]]).toBe('free flow');
    }
    const some = (await route('A D', 'annotations=speed,distance')).routes[0].legs[0].annotation;
    expect(Object.keys(some).toSorted()).toEqual(['distance', 'speed']);
    expect((await route('A D', 'annotations=false')).routes[0].legs[0].annotation).toBeUndefined();
  });

  proves('M-024', {
    asked: 'live speeds in the answer of OSRM',
    shown: 'one slow edge of three, by source and speed',
    control: {
      in: 'routing-engine/overlay/metric.ts',
      change: 'return msAtSpeed(network, edge, change.speedKph);',
      to: 'return Math.min(freeFlow, msAtSpeed(network, edge, change.speedKph));',
    },
  });
  test('M-024: annotations contain live speeds', async () => {
    const { map, live } = town;
    const change = { edge: map.edge('B', 'C'), speedKph: 20 };
    town.live = { metric: applyChanges(map.network, live.metric, [change], 1), publishedMs: 1 };
    const { annotation } = (await route('A D', 'annotations=true')).routes[0].legs[0];
    expect(annotation.datasources).toEqual([0, 1, 0]);
    expect(annotation.speed[1]).toBeCloseTo(20 / 3.6, 1);
    expect(annotation.metadata.datasource_names[1]).toBe('live traffic');
  });

  test('voice_instructions and banner_instructions: what clients of Mapbox read out and show', async () => {
    const query = 'steps=true&voice_instructions=true&banner_instructions=true&language=sv-SE';
    const [best] = (await route('A+50+0 F-50+0', query)).routes;
    expect(best.voiceLocale).toBe('sv');
    const locale = async (language: string) => {
      const asked = `steps=true&voice_instructions=true&language=${language}`;
      const { routes } = await route('A+50+0 F-50+0', asked);
      return [routes[0].voiceLocale, routes[0].legs[0].steps[0].maneuver.instruction];
    };
    expect(await locale('PT_br')).toEqual(['pt-BR', expect.stringMatching(/^Siga/)]);
    expect(await locale('zh-Hans-CN')).toEqual(['zh-Hans', expect.stringMatching(/\p{Script=Han}/u)]);
    expect((await locale('de-AT'))[0]).toBe('de');
    const { steps } = best.legs[0];
    for (const [at, step] of steps.entries()) {
      const isLast = at === steps.length - 1;
      expect(step.voiceInstructions.length > 0).toBe(!isLast);
      expect(step.bannerInstructions.length > 0).toBe(!isLast);
      const distances = step.voiceInstructions.map((each: Json) => each.distanceAlongGeometry);
      expect(distances).toEqual(distances.toSorted((a: number, b: number) => b - a));
      for (const metres of distances) expect(metres).toBeLessThanOrEqual(step.distance);
    }
    expect(steps[0].voiceInstructions[0].announcement).toContain(steps[0].maneuver.instruction);
    const [plain] = (await route('A+50+0 F-50+0', 'steps=true')).routes;
    expect(plain).not.toHaveProperty('voiceLocale');
    expect(plain.legs[0].steps[0]).not.toHaveProperty('voiceInstructions');
    expect(plain.legs[0].steps[0]).not.toHaveProperty('bannerInstructions');
    for (const wrong of [
      'voice_instructions=true',
      'banner_instructions=true&steps=false',
      'voice_units=feet',
    ])
      expect(await ask('A F', wrong)).toMatchObject({ status: 400 });
  });

  test('waypoints: a leg ends only at these, and passes the others', async () => {
    const places = 'A B+0-40 E+100+0 C';
    const [whole] = (await route(places, 'steps=true&waypoints=0;3&overview=full')).routes;
    expect(whole.legs).toHaveLength(1);
    const types = whole.legs[0].steps.map((step: Json) => step.maneuver.type);
    expect(types.filter((type: string) => type === 'arrive' || type === 'depart')).toEqual([
      'depart',
      'arrive',
    ]);
    const all = await route(places, 'steps=true&overview=full');
    expect(all.routes[0].legs).toHaveLength(3);
    expect(all.routes[0].distance).toBe(whole.distance);
    expect((await route(places, 'waypoints=0;2;3')).routes[0].legs).toHaveLength(2);
    expect((await route(places, 'waypoints=0;3')).waypoints).toHaveLength(4);
    // A route does not stop at a place that it passes, so it does not turn around there.
    expect(await metres('A B+0-40 C', 'waypoints=0;2&continue_straight=false')).toBe(560);
  });

  test('skip_waypoints and generate_hints: leave out waypoints and hints', async () => {
    expect(await route('A D', 'skip_waypoints=true')).not.toHaveProperty('waypoints');
    expect((await route('A D', 'skip_waypoints=false')).waypoints).toHaveLength(2);
    expect((await route('A D', 'generate_hints=false')).waypoints[0]).not.toHaveProperty('hint');
    expect((await route('A D', 'generate_hints=true')).waypoints[0].hint).toMatch(/^[\w-]+$/);
  });

  test('alternatives: other routes, through several places with another way between two', async () => {
    const count = async (places: string, query: string) => (await route(places, query)).routes.length;
    expect(await count('A F', 'alternatives=false')).toBe(1);
    expect(await count('A F', 'alternatives=0')).toBe(1);
    expect(await count('A F', 'alternatives=true')).toBe(2);
    expect(await count('A F', 'alternatives=3')).toBe(2);
    const through = await route('A B-100+0 F', 'alternatives=3&steps=true&overview=full');
    expect(through.routes).toHaveLength(2);
    expect(through.routes.map(({ legs }: Json) => legs.length)).toEqual([2, 2]);
    const [best, other] = through.routes.map(({ legs }: Json) =>
      legs.map(({ steps }: Json) => steps.map(({ geometry }: Json) => geometry).join()),
    );
    expect(other[0]).toBe(best[0]);
    expect(other[1]).not.toBe(best[1]);
    expect(through.routes[1].duration).toBeGreaterThanOrEqual(through.routes[0].duration);
    expect(await count('A D F', 'alternatives=0')).toBe(1);
    // A restriction of the whole: nothing else leads from B to E.
    expect(await count('A B-100+0 E', 'alternatives=3')).toBe(1);
  });

  test('overview and geometries: choose the detail and the encoding of the line', async () => {
    const lines = async (query: string) => (await route('A+40+0 F', query)).routes[0];
    const full = polyline.decode((await lines('overview=full')).geometry);
    const simplified = polyline.decode((await lines('overview=simplified')).geometry);
    expect((await lines('')).geometry).toBe((await lines('overview=simplified')).geometry);
    // B or C lies on a straight line between its neighbours; the corner stays.
    expect([full.length, simplified.length]).toEqual([4, 3]);
    expect([simplified[0], simplified.at(-1)]).toEqual([full[0], full.at(-1)]);
    expect(await lines('overview=false')).not.toHaveProperty('geometry');
    const legs = await lines('overview=by_legs');
    expect(legs).not.toHaveProperty('geometry');
    expect(polyline.decode(legs.legs[0].geometry)).toEqual(full);
    const fine = polyline.decode((await lines('overview=full&geometries=polyline6')).geometry, 6);
    expect(fine.map((pair) => pair.map((each) => Number(each.toFixed(5))))).toEqual(full);
    const { geometry } = await lines('overview=full&geometries=geojson');
    expect(geometry.type).toBe('LineString');
    for (const [at, [lng, lat]] of geometry.coordinates.entries()) {
      expect(lng).toBeCloseTo(fine[at]![1], 5);
      expect(lat).toBeCloseTo(fine[at]![0], 5);
    }
  });

  test('steps, language, format: choose steps, their language and the suffix', async () => {
    expect((await route('A F', 'steps=false')).routes[0].legs[0].steps).toEqual([]);
    const texts = async (query: string) =>
      (await route('A F', `steps=true&${query}`)).routes[0].legs[0].steps.map(
        (step: Json) => step.maneuver.instruction,
      );
    expect((await texts(''))[0]).toMatch(/^Head east/);
    expect((await texts('language=sv-SE'))[0]).toMatch(/öster/);
    expect((await route('A F', 'format=json')).code).toBe('Ok');
    const dotted = await town.served.call(
      'GET',
      `/v1/osrm/route/v1/car/${coordinates('A F')}.json?overview=false`,
    );
    expect(dotted.json.code).toBe('Ok');
  });

  test('accepts up to a hundred places as an encoded polyline', async () => {
    const line = (count: number) =>
      polyline.encode(Array.from({ length: count }, (_, at) => [place('A')[1], place(`A+${5 * at}+0`)[0]]));
    const called = async (count: number) =>
      (
        await town.served.call(
          'GET',
          `/v1/osrm/route/v1/driving/polyline(${encodeURIComponent(line(count))})`,
        )
      ).json;
    const hundred = await called(100);
    expect(hundred.code).toBe('Ok');
    expect(hundred.routes[0].legs).toHaveLength(99);
    expect(Math.abs(hundred.routes[0].distance - 495)).toBeLessThan(2);
    expect(await called(101)).toMatchObject({ code: 'TooBig' });
  });
});

describe('errors have the codes of OSRM', () => {
  test.each([
    ['radiuses=far;', 'InvalidQuery'],
    ['radiuses=10,10', 'InvalidQuery'],
    ['radiuses=-1;', 'InvalidOptions'],
    ['radiuses=10', 'InvalidOptions'],
    ['radiuses=10;10;10', 'InvalidOptions'],
    ['bearings=banana', 'InvalidQuery'],
    ['bearings=90;90', 'InvalidQuery'],
    ['bearings=90.5,10;', 'InvalidQuery'],
    ['bearings=361,10;', 'InvalidOptions'],
    ['bearings=-1,10;', 'InvalidOptions'],
    ['bearings=90,181;', 'InvalidOptions'],
    ['bearings=90,10', 'InvalidOptions'],
    ['approaches=kerb;', 'InvalidQuery'],
    ['approaches=curb', 'InvalidOptions'],
    ['hints=a+b;', 'InvalidQuery'],
    ['hints=banana;', 'InvalidValue'],
    ['hints=', 'InvalidOptions'],
    ['annotations=banana', 'InvalidQuery'],
    ['annotations=distance,', 'InvalidQuery'],
    ['annotations=nodes', 'InvalidValue'],
    ['continue_straight=maybe', 'InvalidQuery'],
    ['waypoints=0;x', 'InvalidQuery'],
    ['waypoints=', 'InvalidQuery'],
    ['waypoints=0;2', 'InvalidOptions'],
    ['waypoints=0', 'InvalidValue'],
    ['waypoints=1', 'InvalidValue'],
    ['skip_waypoints=yes', 'InvalidQuery'],
    ['generate_hints=1', 'InvalidQuery'],
    ['format=xml', 'InvalidQuery'],
    ['format=flatbuffers', 'InvalidValue'],
    ['snapping=some', 'InvalidQuery'],
    ['exclude=', 'InvalidQuery'],
    ['exclude=bears', 'InvalidValue'],
    ['exclude=none,toll', 'InvalidValue'],
    ['geometries=wkt', 'InvalidQuery'],
    ['overview=some', 'InvalidQuery'],
    ['steps=banana', 'InvalidQuery'],
    ['steps=__proto__', 'InvalidQuery'],
    ['alternatives=-1', 'InvalidQuery'],
    ['alternatives=4', 'TooBig'],
    ['language=tlh', 'InvalidValue'],
    ['cardinal_directions=west', 'InvalidQuery'],
    ['language=zh-TW', 'InvalidValue'],
    ['banana=1', 'InvalidQuery'],
    ['Steps=true', 'InvalidQuery'],
    ['__proto__=1', 'InvalidQuery'],
  ])('F: %s is %s', async (query, code) => {
    const { status, headers, json } = await ask('A D', query);
    expect({ status, json }).toEqual({ status: 400, json: { code, message: expect.stringMatching(/\w/) } });
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  test.each([
    ['rocket/0,0;0.001,0', 'InvalidValue'],
    ['driving/0', 'InvalidQuery'],
    ['driving/0,0', 'InvalidOptions'],
    ['driving/0,0;', 'InvalidQuery'],
    ['driving/a,b;c,d', 'InvalidQuery'],
    ['driving/0,0,3;0.001,0', 'InvalidQuery'],
    ['driving/0,91;0.001,0', 'InvalidValue'],
    ['driving/181,0;0.001,0', 'InvalidValue'],
    ['driving/-100,-40;0.001,0', 'NoSegment'],
    ['driving/0,0;0.001,0.flatbuffers', 'InvalidValue'],
    ['driving/polyline()', 'InvalidQuery'],
    ['driving/%3Cscript%3E;1,2', 'InvalidQuery'],
  ])('F: %s is %s', async (path, code) => {
    const { status, json } = await town.served.call('GET', `/v1/osrm/route/v1/${path}`);
    expect({ status, json }).toEqual({ status: 400, json: { code, message: expect.any(String) } });
  });

  test('F: two places without a route, or without one that avoids the class, are NoRoute', async () => {
    expect((await ask('A I+50+0 D', 'radiuses=;10;')).json).toMatchObject({
      code: 'NoRoute',
      message: 'No route found between coordinates 0 and 1.',
    });
    expect((await ask('B+50+0 B+150+0', 'exclude=toll&radiuses=5;5')).json.code).toBe('NoRoute');
  });

  test('I7: while the metric lacks an incident, a driving route is refused with a retry delay', async () => {
    town.gap = 'The driving metric does not have the incident i1 yet.';
    const { status, headers, json } = await ask('A B D');
    expect([status, headers.get('retry-after'), json.detail]).toEqual([503, '1', town.gap]);
    expect(await metres('A D', '', 'walking')).toBe(600);
  });
});

describe('fields of a route that clients read', () => {
  test('waypoints: the distance from the road to the place, and the road name', async () => {
    const { waypoints } = await route('A+50+19 C+7-60');
    expect(waypoints.map(({ name }: Json) => name)).toEqual(['AB', 'CF']);
    expect(waypoints[0].distance).toBeCloseTo(19, 1);
    expect(waypoints[1].distance).toBeCloseTo(7, 1);
    expect(waypoints[0].location[0]).toBeCloseTo(place('A+50+0')[0], 6);
  });

  test('steps connect to the line, and every turn has a modifier', async () => {
    const [{ legs, geometry, distance }] = (await route('A+50+0 F-30+0', 'steps=true&overview=full')).routes;
    const [{ steps }] = legs;
    const line = polyline.decode(geometry);
    expect([steps[0].maneuver.type, steps.at(-1).maneuver.type]).toEqual(['depart', 'arrive']);
    for (const step of steps.slice(1, -1)) expect(step.maneuver.modifier).toMatch(/^[a-z ]+$/);
    const joined = steps.flatMap((each: Json) => polyline.decode(each.geometry));
    expect([joined[0], joined.at(-1)]).toEqual([line[0], line.at(-1)]);
    const sum = steps.reduce((all: number, each: Json) => all + each.distance, 0);
    expect(Math.abs(sum - distance)).toBeLessThan(1);
    expect(steps[0]).toMatchObject({
      driving_side: 'right',
      maneuver: { bearing_before: 0, bearing_after: 90 },
    });
    expect(steps[0].ref).toBe('D 1; D 2');
    // The two longest roads, in the order of travel.
    expect(legs[0].summary).toBe('AB, EF');
    expect((await route('A B')).routes[0].legs[0].summary).toBe('AB');
  });

  test('intersections: every crossing of a step, with its roads clockwise', async () => {
    const [{ legs }] = (await route('A+50+0 D-50+0', 'steps=true')).routes;
    const crossings = legs[0].steps.flatMap((step: Json) => step.intersections);
    const at = (letter: string): Json =>
      crossings.find(({ location }: Json) => Math.abs(location[0] - place(letter)[0]) < 1e-6);
    expect(crossings[0]).toMatchObject({ bearings: [90], entry: [true], out: 0 });
    expect(crossings[0]).not.toHaveProperty('in');
    for (const letter of ['B', 'C'])
      expect(at(letter)).toMatchObject({
        bearings: [90, 180, 270],
        in: 2,
        out: 0,
        entry: [true, true, expect.anything()],
      });
    expect(crossings.at(-1)).toMatchObject({ bearings: [270], entry: [true], in: 0 });
    expect(crossings.at(-1)).not.toHaveProperty('out');
    // Of the road that leaves the crossing; BC has a toll.
    expect(at('B').classes).toEqual(['toll']);
    for (const crossing of [crossings[0], at('C'), crossings.at(-1)])
      expect(crossing).not.toHaveProperty('classes');
    const tolled = (await route('B+50+0 C', 'steps=true')).routes[0].legs[0].steps[0];
    expect(tolled.intersections[0].classes).toEqual(['toll']);
    const aboard = (await route('G H+20+0', 'steps=true&snapping=any')).routes[0].legs[0].steps[0];
    expect(aboard.intersections[0].classes).toEqual(['ferry']);
  });

  test('a place at a crossing is passed straight on, without a detour into a road beside it', async () => {
    expect(await metres('A B C D')).toBe(600);
    expect(await metres('A+20+0 B E F')).toBe(180 + 80 + 200);
    const { routes } = await route('A B C D', 'steps=true');
    expect(routes[0].legs.map(({ distance }: Json) => Math.round(distance / 10) * 10)).toEqual([
      200, 200, 200,
    ]);
  });

  test('a route between crossings has no part of a road that only ends there', async () => {
    for (const from of 'ABCDEF')
      for (const to of 'ABCDEF') {
        if (from === to) continue;
        const [leg] = (await route(`${from} ${to}`, 'steps=true')).routes[0].legs;
        const steps = leg.steps.slice(0, -1);
        const sum = (of: (step: Json) => number) =>
          steps.reduce((all: number, step: Json) => all + of(step), 0);
        expect(
          steps.filter(({ distance }: Json) => distance < 1),
          `${from} to ${to}`,
        ).toEqual([]);
        expect(sum(({ duration }) => duration)).toBeCloseTo(leg.duration, 0);
        expect(sum(({ distance }) => distance)).toBeCloseTo(leg.distance, 0);
      }
  });

  test('a route through several places has each at one point, and continues straight there', async () => {
    const random = seeded(11);
    // CD leads only to K, where no vehicle turns around: see the next test.
    const roads = ['A B', 'B C', 'B E', 'C F', 'E F'];
    const anywhere = (): string => {
      const [one, other] = roads[Math.floor(random() * roads.length)]!.split(' ').map((letter) =>
        place(letter),
      );
      const share = 0.2 + 0.6 * random();
      return one!.map((from, axis) => (from + share * (other![axis]! - from)).toFixed(7)).join(',');
    };
    for (let round = 0; round < 40; round++) {
      const path = Array.from({ length: 3 + (round % 3) }, anywhere).join(';');
      const { json } = await town.served.call(
        'GET',
        `/v1/osrm/route/v1/driving/${path}?steps=true&geometries=geojson`,
      );
      const { legs } = json.routes[0];
      for (const [at, leg] of legs.slice(1).entries()) {
        const arrival = legs[at].steps.at(-1);
        const [departure] = leg.steps;
        expect(departure.maneuver.location, path).toEqual(arrival.maneuver.location);
        expect(json.waypoints[at + 1].location, path).toEqual(arrival.maneuver.location);
        expect(departure.maneuver.bearing_after, path).toBe(arrival.maneuver.bearing_before);
      }
    }
  });

  test('makes a U-turn at a waypoint from which no other road continues', async () => {
    expect(await metres('A D+0+30 A')).toBe(2 * 630);
    const straight = 'continue_straight=true';
    expect((await ask('A D+0+30 A', `${straight}&radiuses=;5;`)).json.code).toBe('NoRoute');
    // Otherwise the waypoint is moved to where a driver can continue, and the response gives the distance. No
    // vehicle turns around at D, which is not the end of a road, so the waypoint is moved to C.
    const { waypoints } = await route('A D+0+30 A', straight);
    expect(waypoints[1].distance).toBeCloseTo(Math.hypot(200, 30), 0);
    expect(waypoints[1].location[0]).toBeCloseTo(place('C')[0], 6);
  });

  test('moves a stop only where no route leads to it, with a warning, and within its radius', async () => {
    const moved = async (places: string) => {
      const { waypoints, warnings } = await route(places);
      return { metres: waypoints.map(({ distance }: Json) => Math.round(distance)), warnings };
    };
    expect(await moved('A B C')).toEqual({ metres: [0, 0, 0], warnings: undefined });
    const warnings = ['Coordinate 1 is reached 108 m away: no route leads to or from a closer road.'];
    expect(await moved('A I+40+0')).toEqual({ metres: [0, 108], warnings });
    expect(await moved('A I+40+0 B')).toEqual({ metres: [0, 108, 0], warnings });
    expect(await moved('I+40+0 J')).toEqual({ metres: [0, 0], warnings: undefined });
    // A vehicle turns round at D rather than somewhere else.
    expect(await moved('A D+0+30')).toEqual({ metres: [0, 0], warnings: undefined });
    expect((await moved('A D+0+30 I+40+0')).metres).toEqual([0, 0, 108]);
    expect((await ask('A I+40+0', 'radiuses=;107')).json.code).toBe('NoRoute');
    expect((await route('A I+40+0', 'radiuses=;109')).warnings).toEqual(warnings);
  });

  test('turns round at a waypoint at a crossing only if that is allowed', async () => {
    // E is where BE, EF and EG meet. A vehicle stands there, so it may turn.
    const steps = async (query: string): Promise<string[]> => {
      const { legs } = (await route('B E A', `steps=true&${query}`)).routes[0];
      return legs.map((leg: Json) => leg.steps.map(({ name }: Json) => name).join());
    };
    expect(await steps('continue_straight=false')).toEqual(['BE,BE', 'BE,AB,AB']);
    expect(await metres('B E A', 'continue_straight=false')).toBe(360);
    for (const query of ['continue_straight=true', '']) expect(await metres('B E A', query)).toBe(760);
  });

  test('makes U-turns only at waypoints from which no other road continues', async () => {
    const places = 'A+104+0 B+0-38 C+141+0 C+120+0';
    const turnsOf = async (query: string): Promise<number[]> => {
      const { legs } = (await route(places, `steps=true&${query}`)).routes[0];
      return legs.slice(1).map((leg: Json, at: number) => {
        const before = legs[at].steps.at(-1).maneuver.bearing_before;
        return (leg.steps[0].maneuver.bearing_after - before + 360) % 360;
      });
    };
    expect(await turnsOf('')).toEqual([0, 180]);
    expect(await turnsOf('continue_straight=false')).toEqual([180, 180]);
  });
});
