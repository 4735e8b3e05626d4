import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limitedMetric } from '#api/engine/limited-metrics.js';
import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import { applyChanges, freeFlowMetric, type Metric } from '#routing-engine/overlay/metric.js';
import { type Json, type OsrmTown, openOsrmTown } from './osrm-town.js';

/** 20 m per character: a slow road from A to D, and a longer, faster one over I and J. */
const drawing = `
A---------B---------C---------D
|                             |
|                             |
|                             |
|                             |
I-----------------------------J`;
const fast = { maxspeed: '120' };

let town: OsrmTown;
beforeAll(async () => {
  town = await openOsrmTown(drawing, {
    ways: {
      ...{ AB: { maxspeed: '30' }, BC: { maxspeed: '30' }, CD: { maxspeed: '30' } },
      ...{ AI: fast, IJ: fast, JD: fast },
    },
  });
});
beforeEach(() => town.reset());
afterAll(() => town.close());

const ends = (): string => {
  const at = (place: string): string =>
    town
      .place(place)
      .toReversed()
      .map((value) => value.toFixed(7))
      .join();
  return `origin=${at('A')}&destination=${at('D')}`;
};
const nav = (query: string): Promise<{ status: number; json: Json }> =>
  town.served.call('GET', `/v1/nav?${ends()}&${query}`);
const [direct, around] = [600, 800];
const isNear = (metres: number, expected: number): boolean => Math.abs(metres - expected) < 5;

describe('top_speed in /v1/nav', () => {
  test('the fastest route of a slow vehicle is another one, with its times', async () => {
    const leg = async (query: string): Promise<Json> => {
      const { status, json } = await nav(query);
      expect({ query, status, errors: json.errors }).toEqual({ query, status: 200, errors: undefined });
      expect(json.evidence.live_edges).toBe(0);
      return json.routes[0].legs[0];
    };
    const [usual, slow] = [await leg('mode=driving'), await leg('mode=driving&top_speed=15')];
    expect(isNear(usual.distance.value, around)).toBe(true);
    expect(isNear(slow.distance.value, direct)).toBe(true);
    expect(Math.abs(slow.duration.value - (3.6 * direct) / 15)).toBeLessThan(10);
    expect(await leg('mode=driving&top_speed=252')).toEqual(usual);
    expect(isNear((await leg('mode=truck&top_speed=15')).distance.value, direct)).toBe(true);
    const [lng, lat] = town.place('D').map((value) => value.toFixed(7));
    const through = (await nav(`top_speed=15&waypoints=${lat},${lng}`)).json.routes[0].legs[0];
    expect(isNear(through.distance.value, direct)).toBe(true);
  });

  test('live traffic still counts, and a new version of it', async () => {
    const seconds = async (): Promise<number> =>
      (await nav('top_speed=15')).json.routes[0].legs[0].duration.value;
    const free = await seconds();
    const edge = town.map.edge('A', 'B');
    const { network } = town.map;
    const jam = applyChanges(network, freeFlowMetric(network, 'driving'), [{ edge, speedKph: 10 }], 7);
    town.live = { metric: jam, publishedMs: 1 };
    expect((await nav('top_speed=15')).json.metric_version).toBe(7);
    expect(await seconds()).toBeGreaterThan(free + 15);
    town.reset();
    expect(await seconds()).toBe(free);
  });

  test('is whole km/h within bounds, of what has a motor', async () => {
    for (const query of [
      'top_speed=9',
      'top_speed=253',
      'top_speed=50.5',
      'top_speed=fast',
      'top_speed=',
      'top_speed=-50',
      'mode=walking&top_speed=50',
      'mode=bicycling&top_speed=50',
    ]) {
      const { status, json } = await nav(query);
      expect([query, status, json.errors?.[0].pointer]).toEqual([query, 400, '/query/top_speed']);
    }
  });
});

describe('top_speed in the OSRM services', () => {
  test('route, table and trip agree', async () => {
    const slow = (await town.answer('route', 'A D', 'top_speed=15')).routes[0];
    expect(isNear(slow.distance, direct)).toBe(true);
    expect(Math.abs(slow.duration - (3.6 * direct) / 15)).toBeLessThan(10);
    expect(isNear((await town.answer('route', 'A D')).routes[0].distance, around)).toBe(true);
    const table = await town.answer('table', 'A D', 'annotations=duration,distance&top_speed=15');
    expect([table.durations[0][1], isNear(table.distances[0][1], direct)]).toEqual([slow.duration, true]);
    const trip = (await town.answer('trip', 'A D', 'top_speed=15')).trips[0];
    expect(trip.legs[0].duration).toBe(slow.duration);
    const truck = (await town.answer('route', 'A D', 'top_speed=15&height=3', 'truck')).routes[0];
    expect(isNear(truck.distance, direct)).toBe(true);
  });

  test.each([
    ['route', 'top_speed=9', 'driving', 'InvalidQuery'],
    ['route', 'top_speed=1e2', 'driving', 'InvalidQuery'],
    ['table', 'top_speed=253', 'truck', 'InvalidQuery'],
    ['trip', 'top_speed=', 'driving', 'InvalidQuery'],
    ['route', 'top_speed=50', 'walking', 'InvalidOptions'],
    ['table', 'top_speed=50', 'cycling', 'InvalidOptions'],
    ['match', 'top_speed=50', 'driving', 'InvalidQuery'],
    ['nearest', 'top_speed=50', 'driving', 'InvalidQuery'],
  ])('%s?%s of %s is refused', async (service, query, profile, code) => {
    const places = service === 'nearest' ? 'A' : 'A D';
    const { status, json } = await town.ask(service, places, query, profile);
    expect([status, json.code]).toEqual([400, code]);
  });
});

test('top_speed in an isochrone makes the area smaller', async () => {
  const [lon, lat] = town.place('A');
  const ask = (costing: string, options: object): Promise<{ status: number; json: Json }> =>
    town.served.call('POST', '/v1/isochrone', {
      body: {
        ...{ locations: [{ lat, lon }], costing, contours: [{ time: 0.5 }], polygons: true },
        costing_options: options,
      },
    });
  const reachM = async (costing: string, options: object): Promise<number> => {
    const { status, json } = await ask(costing, options);
    expect(status).toBe(200);
    const points = json.features[0].geometry.coordinates.flat(1) as [number, number][];
    return Math.max(...points.map(([x, y]) => Math.max(x - lon, lat - y) * 111_195));
  };
  const usual = await reachM('auto', {});
  expect(usual).toBeGreaterThan(700);
  for (const costing of ['auto', 'truck']) {
    const slow = await reachM(costing, { [costing]: { top_speed: 15 } });
    // What lies beside a road counts, too.
    expect([slow > 125, slow < 300]).toEqual([true, true]);
  }
  const pointer = async (costing: string, options: object): Promise<unknown> => {
    const { status, json } = await ask(costing, options);
    return [status, json.errors?.[0].pointer];
  };
  expect(await pointer('pedestrian', { auto: { top_speed: 50 } })).toEqual([
    400,
    expect.stringContaining('/costing_options/auto/top_speed'),
  ]);
  expect(await pointer('auto', { truck: { top_speed: 50 } })).toEqual([
    400,
    expect.stringContaining('/costing_options/truck/top_speed'),
  ]);
  expect((await ask('auto', { auto: { top_speed: 300 } })).status).toBe(400);
});

describe('metrics under a top speed', () => {
  const metric = (): Metric => ({
    ...freeFlowMetric(town.map.network, 'driving'),
    costMs: new Int32Array(4),
  });
  const countingPool = (answer: (metric: Metric) => Promise<Metric>) => {
    const runs: number[] = [];
    const run = (_: string, { metric: asked, topSpeedKph }: { metric: Metric; topSpeedKph: number }) => {
      runs.push(topSpeedKph);
      return answer(asked);
    };
    return { runs, pool: { run } as unknown as WorkerPool };
  };

  test('are made once for the requests of a speed, and some are kept', async () => {
    const { runs, pool } = countingPool((asked) => Promise.resolve({ ...asked }));
    const [one, other] = [metric(), metric()];
    const truck: Metric = { ...one, version: 3 };
    const both = await Promise.all([limitedMetric(pool, one, 80), limitedMetric(pool, truck, 80)]);
    expect(both.map(({ version, topSpeedKph }) => [version, topSpeedKph])).toEqual([
      [0, 80],
      [3, 80],
    ]);
    expect(runs).toEqual([80]);
    await limitedMetric(pool, other, 80);
    for (const kph of [50, 60, 70]) await limitedMetric(pool, one, kph);
    expect(runs).toEqual([80, 80, 50, 60, 70]);
    // The first of five was given up.
    await limitedMetric(pool, one, 70);
    expect(runs).toHaveLength(5);
    await limitedMetric(pool, one, 80);
    expect(runs).toHaveLength(6);
  });

  test('are asked for again after a failure', async () => {
    let isBusy = true;
    const { runs, pool } = countingPool((asked) =>
      isBusy ? Promise.reject(new Error('busy')) : Promise.resolve({ ...asked }),
    );
    const one = metric();
    await expect(limitedMetric(pool, one, 80)).rejects.toThrow('busy');
    isBusy = false;
    expect((await limitedMetric(pool, one, 80)).topSpeedKph).toBe(80);
    expect(runs).toEqual([80, 80]);
  });
});
