import polyline from '@mapbox/polyline';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyChanges } from '#routing-engine/overlay/metric.js';
import { NavAnswer } from '#schemas/http/nav.js';
import { type OsrmTown, openOsrmTown } from './osrm-town.js';

/** 20 m per character. IJ is not connected to the others. */
const drawing = `
A---------B---------C---------D
          |         |
          |         |
          |         |
          E---------F
          |         |
          |         |
          G---------H

                    I-----J`;

let town: OsrmTown;
beforeAll(async () => {
  town = await openOsrmTown(drawing, { ways: { BC: { toll: 'yes' } } });
});
beforeEach(() => town.reset());
afterAll(() => town.close());

const at = (place: string): string => {
  const [lng, lat] = town.place(place);
  return `${lat.toFixed(7)},${lng.toFixed(7)}`;
};
const call = (from: string, to: string, query: Record<string, string>) =>
  town.served.call(
    'GET',
    `/v1/nav?${new URLSearchParams({ origin: at(from), destination: at(to), ...query })}`,
  );
async function nav(from: string, to: string, query: Record<string, string> = {}): Promise<NavAnswer> {
  const { status, json } = await call(from, to, query);
  expect({ status, errors: json.errors }).toEqual({ status: 200, errors: undefined });
  expect([...Value.Errors(NavAnswer, json)]).toEqual([]);
  return json as NavAnswer;
}
const places = (...words: readonly string[]): string =>
  words.map((word) => (word.startsWith('via:') ? `via:${at(word.slice(4))}` : at(word))).join('|');
const tens = (metres: number): number => 10 * Math.round(metres / 10);
const lengths = ({ routes: [route] }: NavAnswer): number[] =>
  route!.legs.map(({ distance }) => tens(distance.value));

describe('/v1/nav with waypoints', () => {
  test('has a leg to each stop, and goes through via places without one', async () => {
    const answer = await nav('A', 'D', { waypoints: places('via:E+100+0', 'F', 'via:C') });
    expect(answer.status).toBe('OK');
    const [first, second] = answer.routes[0]!.legs;
    expect(lengths(answer)).toEqual([200 + 80 + 200, 80 + 200]);
    expect(first!.via_waypoint).toHaveLength(1);
    const [via] = first!.via_waypoint!;
    const step = first!.steps[via!.step_index]!;
    const before = first!.steps.slice(0, via!.step_index);
    const metres = before.reduce((sum, { distance }) => sum + distance.value, 0);
    expect(tens(metres + via!.step_interpolation * step.distance.value)).toBe(380);
    expect(via!.location.lng).toBeCloseTo(town.place('E+100+0')[0], 6);
    expect(second!.via_waypoint).toHaveLength(1);
    expect(first!.end_location).toEqual(second!.start_location);
    expect(answer.routes[0]!.waypoint_order).toEqual([1]);
    expect(answer.geocoded_waypoints).toHaveLength(5);
    expect(answer.end_location!.lng).toBeCloseTo(town.place('D')[0], 6);
  });

  test('sums are those of the legs, and the line is one', async () => {
    const answer = await nav('A', 'D', { waypoints: places('E', 'F') });
    const [route] = answer.routes;
    expect(lengths(answer)).toEqual([280, 200, 280]);
    const sum = (of: (leg: (typeof route & object)['legs'][number]) => number): number =>
      route!.legs.reduce((all, leg) => all + of(leg), 0);
    expect(Math.abs(answer.distance!.value - sum(({ distance }) => distance.value))).toBeLessThanOrEqual(2);
    expect(Math.abs(answer.duration!.value - sum(({ duration }) => duration.value))).toBeLessThanOrEqual(2);
    expect(route!.legs.every(({ steps }) => steps.length > 0)).toBe(true);
    const line = polyline.decode(route!.overview_polyline.points);
    expect(line.filter((point, index) => index > 0 && String(point) === String(line[index - 1]))).toEqual([]);
    const corners = line.map(([lat, lng]) => `${lat},${lng}`);
    for (const letter of 'AEFD')
      expect(corners).toContain(
        town
          .place(letter)
          .toReversed()
          .map((degrees) => Number(degrees.toFixed(5)) + 0)
          .join(),
      );
  });

  test('optimize:true finds the best order, which waypoint_order says', async () => {
    const bad = places('D-40+0', 'B-40+0', 'F-40+0');
    const asked = await nav('A', 'H', { waypoints: bad });
    const best = await nav('A', 'H', { waypoints: `optimize:true|${bad}` });
    expect(asked.routes[0]!.waypoint_order).toEqual([0, 1, 2]);
    expect(best.routes[0]!.waypoint_order).toEqual([1, 0, 2]);
    expect(best.duration!.value).toBeLessThan(asked.duration!.value);
    // The places are those of the query, in its order.
    const roads = ({ geocoded_waypoints: all }: NavAnswer) =>
      all.slice(1, 4).map(({ place_id: id }) => id.split(':')[1]);
    expect(roads(best)).toEqual(roads(asked));
    const same = await nav('A', 'H', { waypoints: `optimize:false|${bad}` });
    expect(same.duration).toEqual(asked.duration);
  });

  test('follows the traffic, what is avoided and the mode', async () => {
    const query = { waypoints: places('C') };
    const free = await nav('A', 'D', query);
    const slow = [{ edge: town.map.edge('C', 'D'), speedKph: 5 }];
    town.live = { metric: applyChanges(town.map.network, town.live.metric, slow, 3), publishedMs: 1 };
    const jam = await nav('A', 'D', query);
    expect([jam.metric_version, jam.evidence!.live_edges]).toEqual([3, 1]);
    expect(jam.routes[0]!.legs[1]!.duration.value).toBeGreaterThan(
      2 * free.routes[0]!.legs[1]!.duration.value,
    );
    expect(jam.routes[0]!.legs[0]!.duration).toEqual(free.routes[0]!.legs[0]!.duration);
    expect(lengths(await nav('A', 'D', { ...query, avoid: 'tolls' }))[0]).toBe(200 + 80 + 200 + 80);
    expect((await nav('A', 'D', { ...query, mode: 'walking' })).travel_mode).toBe('WALKING');
  });

  test('a place that no route leads to is passed from the nearest road, with a warning', async () => {
    const answer = await nav('A', 'D', { waypoints: places('I+40+0') });
    expect(answer.routes[0]!.warnings).toEqual([
      expect.stringMatching(/^Your route passes \d+ m from waypoint 1: no route leads closer\.$/),
    ]);
    expect(answer.routes[0]!.legs[0]!.distance_from_end.value).toBeGreaterThan(50);
  });

  test('a waypoint without a road, and one without a way on, are named', async () => {
    const nowhere = await nav('A', 'D', { waypoints: `${places('B')}|5,5` });
    expect([nowhere.status, nowhere.reason]).toEqual([
      'NOT_FOUND',
      'No road for driving within 1000 m of waypoint 2.',
    ]);
    expect(nowhere.geocoded_waypoints.map(({ geocoder_status: status }) => status)).toEqual([
      'OK',
      'OK',
      'NOT_FOUND',
      'OK',
    ]);
    const closed = ['BC', 'BE'].map((letters) => ({
      edge: town.map.edge(letters[0]!, letters[1]!),
      closed: true as const,
    }));
    town.live = { metric: applyChanges(town.map.network, town.live.metric, closed, 1), publishedMs: 1 };
    const stuck = await nav('A', 'D', { waypoints: places('A+100+0', 'B-40+0') });
    expect([stuck.status, stuck.reason]).toEqual(['ZERO_RESULTS', 'No route leads on from waypoint 2 now.']);
    expect(stuck.geocoded_waypoints).toHaveLength(4);
  });

  const d = '0,0.01';
  test.each([
    [{ waypoints: '' }, /waypoints/],
    [{ waypoints: `${d}||${d}` }, /Waypoint 2 is empty/],
    [{ waypoints: 'via:' }, /Waypoint 1 is empty/],
    [{ waypoints: 'optimize:true' }, /Waypoint 1 is empty/],
    [{ waypoints: `optimize:true|via:${d}` }, /not for via/],
    [{ waypoints: `${d}|optimize:true` }, /before the first/],
    [{ waypoints: 'enc:gfo}EtohhU:' }, /enc:/],
    [{ waypoints: '95,0' }, /Waypoint 1: The latitude 95/],
    [{ waypoints: Array(24).fill(d).join('|') }, /at most 23/],
    [{ waypoints: 'x'.repeat(1_801) }, /waypoints/],
    [{ waypoints: d, alternatives: 'true' }, /no alternatives/],
    [{ waypoint: d }, /not a parameter/],
    [{ arrival_time: 'soon' }, /Unix seconds/],
    [{ arrival_time: 'now' }, /Unix seconds/],
    [{ arrival_time: '1000000000' }, /past/],
    [{ arrival_time: '99999999999' }, /year/],
    [{ arrival_time: '4000000000', departure_time: 'now' }, /either/],
  ])('%j is 400, and the error says what is wrong', async (query, said) => {
    const { status, json } = await call('A', 'D', query as unknown as Record<string, string>);
    expect(status).toBe(400);
    expect(JSON.stringify(json.errors)).toMatch(said);
  });
});

describe('/v1/nav with arrival_time', () => {
  const nowS = (): number => Math.floor(Date.now() / 1_000);
  const slowly = (): void => {
    const slow = ['BC', 'EF', 'GH'].map(([from, to]) => ({
      edge: town.map.edge(from!, to!),
      speedKph: 5,
    }));
    town.live = { metric: applyChanges(town.map.network, town.live.metric, slow, 5), publishedMs: 1 };
  };

  test('says when to leave, and the legs follow one another', async () => {
    const byS = nowS() + 600;
    const [route] = (await nav('A', 'D', { arrival_time: String(byS), waypoints: places('F') })).routes;
    const [first, second] = route!.legs;
    expect(second!.arrival_time!.value).toBe(byS);
    expect(second!.departure_time).toEqual(first!.arrival_time);
    const took = second!.arrival_time!.value - second!.departure_time!.value;
    expect(Math.abs(took - second!.duration_in_traffic.value)).toBeLessThanOrEqual(1);
    expect(Date.parse(first!.departure_time!.text)).toBe(1_000 * first!.departure_time!.value);
    expect(route!.warnings).toEqual([]);
    expect((await nav('A', 'D')).routes[0]!.legs[0]).not.toHaveProperty('departure_time');
  });

  test('counts live traffic for a trip that begins soon, not for one that begins hours ahead', async () => {
    slowly();
    const soon = await nav('A', 'D', { arrival_time: String(nowS() + 900) });
    const later = await nav('A', 'D', { arrival_time: new Date(Date.now() + 4 * 3_600_000).toISOString() });
    expect([soon.metric_version, later.metric_version]).toEqual([5, 0]);
    const departs = (answer: NavAnswer): number => {
      const { departure_time: from, arrival_time: to } = answer.routes[0]!.legs[0]!;
      return to!.value - from!.value;
    };
    expect(departs(soon)).toBeGreaterThan(2 * departs(later));
    expect((await nav('A', 'D', { departure_time: 'now' })).duration).toEqual(soon.duration);
  });

  test('where that is too late, one leaves now and is told how late one is', async () => {
    slowly();
    const byS = nowS() + 20;
    const [route] = (await nav('A', 'D', { arrival_time: String(byS) })).routes;
    const [leg] = route!.legs;
    expect(Math.abs(leg!.departure_time!.value - nowS())).toBeLessThanOrEqual(2);
    expect(leg!.arrival_time!.value).toBeGreaterThan(byS + 60);
    expect(route!.warnings).toEqual([
      expect.stringMatching(/^You arrive \d+ min late, even if you leave now\.$/),
    ]);
  });
});
