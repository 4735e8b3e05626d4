import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyChanges, freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { type Json, type OsrmTown, openOsrmTown } from './osrm-town.js';

/** 20 m per character: a low bridge on BC, a toll for trucks on EF, a longer way over I and J. */
const drawing = `
A---------B---------C---------D
          |         |
          |         |
          E---------F
          |         |
          |         |
          |         |
          |         |
          I---------J`;

let town: OsrmTown;
beforeAll(async () => {
  town = await openOsrmTown(drawing, {
    ways: { BC: { maxheight: '3.8', maxweight: '44' }, EF: { 'toll:hgv': 'yes' } },
  });
});
beforeEach(() => town.reset());
afterAll(() => town.close());

const nav = async (query: string): Promise<{ status: number; json: Json }> => {
  const at = (place: string): string =>
    town
      .place(place)
      .toReversed()
      .map((value) => value.toFixed(7))
      .join();
  const ends = `origin=${at('A')}&destination=${at('D')}`;
  return town.served.call('GET', `/v1/nav?${ends}&${query}`);
};
const metres = async (query: string): Promise<number> => {
  const { status, json } = await nav(query);
  expect({ query, status, errors: json.errors }).toEqual({ query, status: 200, errors: undefined });
  return Math.round(json.routes[0].legs[0].distance.value / 20) * 20;
};
const refused = async (query: string): Promise<unknown> => {
  const { status, json } = await nav(query);
  return [status, json.errors?.map(({ pointer }: Json) => pointer)];
};
const [direct, overF, overJ] = [600, 720, 920];

describe('routes of trucks', () => {
  test('the size of the truck decides; without one it is the usual truck', async () => {
    expect(await metres('mode=driving')).toBe(direct);
    expect(await metres('mode=truck')).toBe(overF);
    expect(await metres('mode=truck&height=3.8')).toBe(direct);
    expect(await metres('mode=truck&height=3.81')).toBe(overF);
    expect(await metres('mode=truck&height=3.8&weight=44')).toBe(direct);
    expect(await metres('mode=truck&height=3.8&weight=44.1')).toBe(overF);
    expect((await nav('mode=truck')).json.travel_mode).toBe('DRIVING');
  });

  test('tolls that only trucks pay are avoided by trucks', async () => {
    expect(await metres('mode=truck&avoid=tolls')).toBe(overJ);
    expect(await metres('mode=driving&avoid=tolls')).toBe(direct);
  });

  test('a waypoint keeps the size', async () => {
    const [lng, lat] = town.place('C').map((value) => value.toFixed(7));
    expect(await metres(`mode=truck&waypoints=via:${lat},${lng}`)).toBe(overF);
  });

  test('sizes are for trucks, in metres and tonnes within bounds', async () => {
    expect(await refused('height=3')).toEqual([400, ['/query/height']]);
    expect(await refused('mode=bicycling&hazmat=true')).toEqual([400, ['/query/hazmat']]);
    expect(await refused('mode=truck&height=0')).toEqual([400, ['/query/height']]);
    expect(await refused('mode=truck&height=11')).toEqual([400, ['/query/height']]);
    expect(await refused('mode=truck&weight=heavy')).toEqual([400, ['/query/weight']]);
    expect(await refused('mode=truck&weight=501')).toEqual([400, ['/query/weight']]);
    expect(await refused('mode=truck&length=0.5')).toEqual([400, ['/query/length']]);
    expect(await refused('mode=truck&hazmat=maybe')).toEqual([400, ['/query/hazmat']]);
    expect(await refused('mode=truck&weight=5&axle_load=6')).toEqual([400, ['/query/axle_load']]);
    expect(await metres('mode=truck&weight=5')).toBe(overF);
    const [status] = (await refused('mode=truck&wheels=6')) as [number];
    expect(status).toBe(400);
  });

  test('closures and jams that cars report are those of trucks; fast cars make no truck faster', async () => {
    const { network } = town.map;
    const seconds = async (): Promise<number> =>
      (await nav('mode=truck&height=3')).json.routes[0].legs[0].duration.value;
    const free = await seconds();
    const between = (from: string, to: string): number => town.map.edge(from, to);
    const cars = (change: object) =>
      applyChanges(network, freeFlowMetric(network, 'driving'), [change as never], 7);
    town.live = { metric: cars({ edge: between('A', 'B'), speedKph: 4 }), publishedMs: 1 };
    expect(await seconds()).toBeGreaterThan(free + 100);
    expect((await nav('mode=truck')).json.metric_version).toBe(7);
    town.live = { metric: cars({ edge: between('A', 'B'), speedKph: 100 }), publishedMs: 1 };
    expect(await seconds()).toBe(free);
    town.live = { metric: cars({ edge: between('B', 'C'), closed: true }), publishedMs: 1 };
    expect(await metres('mode=truck&height=3')).toBe(overF);
    expect(await metres('mode=truck')).toBe(overF);
  });
});

describe('OSRM services for trucks', () => {
  test('route, table, trip and nearest have the truck of the options', async () => {
    const length = async (query: string): Promise<number> =>
      Math.round((await town.answer('route', 'A D', query, 'truck')).routes[0].distance);
    expect(Math.abs((await length('')) - overF)).toBeLessThan(5);
    expect(Math.abs((await length('height=3')) - direct)).toBeLessThan(5);
    expect(Math.abs((await length('exclude=toll')) - overJ)).toBeLessThan(5);
    const table = async (query: string): Promise<number> =>
      (await town.answer('table', 'A D', `annotations=distance&${query}`, 'truck')).distances[0][1];
    expect(Math.abs((await table('')) - overF)).toBeLessThan(5);
    expect(Math.abs((await table('height=3')) - direct)).toBeLessThan(5);
    const trip = await town.answer('trip', 'A D', 'height=3', 'truck');
    expect(Math.abs(trip.trips[0].distance - 2 * direct)).toBeLessThan(10);
    const apart = async (query: string): Promise<number> =>
      (await town.answer('nearest', 'B+100+0', query, 'truck')).waypoints[0].distance;
    expect(await apart('height=3')).toBeLessThan(1);
    expect(await apart('')).toBeGreaterThan(50);
  });

  test('sizes are refused for others, out of bounds, and for traces', async () => {
    const code = async (service: string, query: string, profile: string): Promise<unknown> => {
      const { status, json } = await town.ask(service, 'A D', query, profile);
      return [status, json.code];
    };
    expect(await code('route', 'height=3', 'driving')).toEqual([400, 'InvalidOptions']);
    expect(await code('table', 'hazmat=true', 'walking')).toEqual([400, 'InvalidOptions']);
    expect(await code('route', 'height=12', 'truck')).toEqual([400, 'InvalidQuery']);
    expect(await code('route', 'weight=x', 'truck')).toEqual([400, 'InvalidQuery']);
    expect(await code('match', 'height=3', 'truck')).toEqual([400, 'InvalidOptions']);
    expect(await code('match', '', 'truck')).toEqual([200, 'Ok']);
  });
});

test('an isochrone of a truck ends at what is too low for it', async () => {
  const [lon, lat] = town.place('A');
  const ask = (costing: string, truck?: object) =>
    town.served.call('POST', '/v1/isochrone', {
      body: {
        ...{ locations: [{ lat, lon }], costing, contours: [{ distance: 0.35 }], polygons: true },
        ...(truck === undefined ? {} : { costing_options: { truck } }),
      },
    });
  const east = async (truck?: object): Promise<number> => {
    const { status, json } = await ask('truck', truck);
    expect(status).toBe(200);
    const points = (json as Json).features[0].geometry.coordinates.flat(1) as [number, number][];
    return Math.max(...points.filter(([, y]) => y > lat - 0.0003).map(([x]) => (x - lon) * 111_195));
  };
  expect(await east({ height: 3 })).toBeGreaterThan(320);
  expect(await east()).toBeLessThan(300);
  expect((await ask('auto', { height: 3 })).status).toBe(400);
  expect((await ask('truck', { height: 30 })).status).toBe(400);
});
