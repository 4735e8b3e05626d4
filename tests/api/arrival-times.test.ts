import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { learntArrivalTimes } from '#api/arrival-times/learnt-arrival-times.js';
import { withArrivalTimes } from '#api/arrival-times/with-arrival-times.js';
import { enginePlanner } from '#api/engine/engine-planner.js';
import { engineRoads } from '#api/engine/engine-roads.js';
import { engineTraffic } from '#api/engine/engine-traffic.js';
import { modeMetrics } from '#api/engine/mode-metrics.js';
import type { ArrivalTimes } from '#api/ports/arrival-times.js';
import type { Plan, Planner } from '#api/ports/planner.js';
import { ArrivalModels, arrivalModelKey } from '#map-data/learned/arrival-models.js';
import { arrivalPrior } from '#map-data/learned/arrival-prior.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import {
  type ArrivalModel,
  encodeArrivalModel,
  estimateArrival,
  trainArrivalModel,
} from '#routing-engine/arrival-times/arrival-model.js';
import { type DrivenRoute, outlookOf, routeFeatures } from '#routing-engine/arrival-times/route-features.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import type { NavAnswer } from '#schemas/http/nav.js';
import { proves } from '#tools/acceptance/proves.js';
import { type Grid, gridNetwork } from '../processors/grid-network.js';
import { type LocalPlatform, openLocalPlatform } from '../processors/local-platform.js';
import { routePool } from './route-pool.js';
import { type Ground, openGround, type ServedApi, serveApi } from './served-api.js';

const nothingUsual = () => undefined;

describe('arrival times', () => {
  let grid: Grid;
  let platform: LocalPlatform;
  let edgeIds: string[];
  let whole: DrivenRoute & { readonly distanceM: number };
  beforeAll(async () => {
    grid = await gridNetwork(5, 3);
    platform = await openLocalPlatform();
    const edges = grid.way([0, 0], [1, 0], [2, 0], [3, 0], [4, 0]);
    edgeIds = grid.ids(edges);
    const distanceM = edges.reduce((metres, edge) => metres + grid.network.edgeLengthM(edge), 0);
    whole = { edgeIds, distanceM, metricS: 58 };
  });
  afterAll(() => platform.close());

  async function twice(version: number): Promise<ArrivalModel> {
    const features = routeFeatures(outlookOf(grid.network, whole, 0), nothingUsual);
    const trips = Array.from({ length: 400 }, (_, i) => ({
      ...features,
      departMs: i * 3_600_000,
      actualS: features.physicalS * (2 + ((i % 11) - 5) / 50),
    }));
    return trainArrivalModel(trips, { tilesetId: grid.network.tilesetId, version });
  }
  const times = (model: () => ArrivalModel | undefined) =>
    learntArrivalTimes({ network: grid.network, typicalRatio: nothingUsual, model, logger: silentLogger });

  proves('M-026', {
    asked: 'the ETA service is learned from data',
    shown: '400 trips that took twice the physical time: a route takes twice as long, in an interval',
    control: {
      in: 'api/arrival-times/learnt-arrival-times.ts',
      change: 'return { durationS: estimate.durationS, interval',
      to: 'return { durationS, interval',
    },
  });
  it('M-026: learns arrival times from trips, with an interval around them', async () => {
    const model = await twice(1);
    const { durationS, interval, fallback } = times(() => model).of(
      { edgeIds: () => edgeIds, durationS: 58, distanceM: whole.distanceM },
      0,
    );
    expect(fallback).toBeUndefined();
    expect(durationS / routeFeatures(outlookOf(grid.network, whole, 0), nothingUsual).physicalS).toBeCloseTo(
      2,
      1,
    );
    expect(interval!.lowS).toBeLessThan(durationS);
    expect(interval!.highS).toBeGreaterThan(durationS);
  });

  it('counts only what is driven of the first and the last road', () => {
    const lengths = (distanceM: number, ids = edgeIds): readonly number[] =>
      outlookOf(grid.network, { edgeIds: ids, distanceM, metricS: 58 }, 0).edges.map(
        ({ lengthM }) => lengthM,
      );
    const [first, ...others] = lengths(whole.distanceM) as [number, ...number[]];
    const last = others.at(-1)!;
    const shorter = lengths(whole.distanceM - first);
    expect(shorter[0]! + shorter.at(-1)!).toBeCloseTo(last, 6);
    expect(shorter.slice(1, -1)).toEqual(others.slice(0, -1));
    // A trip on one road, and none at all.
    expect(lengths(30, [edgeIds[0]!])[0]).toBeCloseTo(30, 6);
    const nowhere = { edgeIds: [edgeIds[0]!], distanceM: 0, metricS: 0 };
    expect(routeFeatures(outlookOf(grid.network, nowhere, 0), nothingUsual).physicalS).toBe(1);
    // The record of an earlier program does not say.
    const unknown = { ...nowhere, distanceM: undefined };
    expect(outlookOf(grid.network, unknown, 0).edges[0]!.lengthM).toBeCloseTo(first, 6);
  });

  proves('M-026', {
    asked: 'the ETA service falls back with a flag when it is down',
    shown: 'no model and a broken one: the time of the metric and the flag; in the answer in the test below',
    control: {
      in: 'api/arrival-times/learnt-arrival-times.ts',
      change: "return { durationS, fallback: 'failed' };",
      to: 'return { durationS };',
    },
  });
  it('M-026: falls back to the metric with a flag, without a model or when it fails', async () => {
    expect(
      times(() => undefined).of({ edgeIds: () => edgeIds, durationS: 58, distanceM: whole.distanceM }, 0),
    ).toEqual({
      durationS: 58,
      fallback: 'no-model',
    });
    const broken = { ...(await twice(1)), reach: [Number.NaN, Number.NaN, Number.NaN, Number.NaN] };
    expect(
      times(() => broken).of({ edgeIds: () => edgeIds, durationS: 58, distanceM: whole.distanceM }, 0),
    ).toEqual({
      durationS: 58,
      fallback: 'failed',
    });
  });

  describe('in the answer of a route', () => {
    let pool: WorkerPool;
    let ground: Ground;
    let served: ServedApi;
    let model: ArrivalModel | undefined;
    beforeAll(async () => {
      const { network } = grid;
      const driving = () => ({ metric: freeFlowMetric(network, 'driving'), publishedMs: undefined });
      pool = routePool(network);
      ground = await openGround();
      const planner = enginePlanner({ network, pool, driving, others: modeMetrics(network) });
      served = await serveApi(ground, {
        roads: engineRoads(network, 'Grid'),
        planner: withArrivalTimes(
          planner,
          times(() => model),
          () => 0,
        ),
        traffic: engineTraffic(network, driving),
      });
    });
    afterAll(async () => {
      await served.close();
      await ground.close();
      await pool.close();
    });
    const leg = async (mode: string): Promise<NavAnswer['routes'][number]['legs'][number]> => {
      const [from, to] = [
        [0, 1],
        [3, 4],
      ].map(([a, b]) => grid.place(grid.edge([a!, 0], [b!, 0]), 0.5));
      const { json } = await served.call(
        'GET',
        `/v1/nav?origin=${from!.lat},${from!.lng}&destination=${to!.lat},${to!.lng}&mode=${mode}`,
      );
      return json.routes[0].legs[0];
    };

    proves('M-026', {
      asked: 'the ETA service is called by the planner, is learned from data, falls back with a flag',
      shown: 'over HTTP: twice as long by the learned model; without it, or broken, the metric and its flag',
      control: {
        in: 'api/arrival-times/with-arrival-times.ts',
        change: "plan.kind !== 'routes' || request.mode !== 'driving'",
        to: "plan.kind !== 'routes' || request.mode !== 'walking'",
      },
    });
    it('M-026: an answer has the learned time, or that of the metric with a flag', async () => {
      model = undefined;
      const without = await leg('driving');
      expect(without.duration_fallback).toBe('no-model');
      expect(without.duration_in_traffic).toEqual(without.duration);
      expect(without).not.toHaveProperty('duration_interval');
      model = await twice(1);
      const learned = await leg('driving');
      expect(learned).not.toHaveProperty('duration_fallback');
      expect(learned.duration).toEqual(without.duration);
      const seconds = learned.duration_in_traffic.value;
      expect(seconds).toBeGreaterThan(1.5 * without.duration.value);
      expect(learned.duration_interval!.low.value).toBeLessThan(seconds);
      expect(learned.duration_interval!.high.value).toBeGreaterThan(seconds);
      model = { ...model, reach: [Number.NaN, Number.NaN, Number.NaN, Number.NaN] };
      expect(await leg('driving')).toEqual({ ...without, duration_fallback: 'failed' });
      expect(await leg('walking')).not.toHaveProperty('duration_fallback');
    });
  });

  it('M-026: the planner requests arrival times for driven routes only', async () => {
    const plan = {
      kind: 'routes',
      routes: [{ edgeIds: () => edgeIds, durationS: 58, distanceM: whole.distanceM }],
    } as unknown as Plan;
    const planner: Planner = { plan: () => Promise.resolve(plan) };
    const timed = withArrivalTimes(
      planner,
      times(() => undefined),
      () => 0,
    );
    const request = { mode: 'driving' } as Parameters<Planner['plan']>[0];
    const driven = (await timed.plan(request)) as Plan & { kind: 'routes' };
    expect(driven.routes[0]!.arrival).toEqual({ durationS: 58, fallback: 'no-model' });
    expect(await timed.plan({ ...request, mode: 'walking' })).toBe(plan);
    // Trips of others say nothing of a slow vehicle.
    expect(await timed.plan({ ...request, topSpeedKph: 60 })).toBe(plan);
  });

  it('M-026: a later departure is timed at its hour, an arrival at the one that is in time', async () => {
    const route = { edgeIds: () => edgeIds, durationS: 600 };
    const plan = { kind: 'routes', routes: [{ ...route, legs: [{ route }, { route }] }] };
    /** From 08:00 on, a trip takes twice as long. */
    const rushMs = 8 * 3_600_000;
    const rush: ArrivalTimes = {
      of: ({ durationS }, departMs) => ({ durationS: departMs < rushMs ? durationS : 2 * durationS }),
    };
    const timed = withArrivalTimes({ plan: () => Promise.resolve(plan as unknown as Plan) }, rush, () => 0);
    const ask = async (more: object): Promise<number[]> => {
      const request = { mode: 'driving', ...more } as Parameters<Planner['plan']>[0];
      const found = (await timed.plan(request)) as Plan & { kind: 'routes' };
      return found.routes[0]!.legs!.map((leg) => leg.route.arrival!.durationS);
    };
    expect(await ask({})).toEqual([600, 600]);
    expect(await ask({ departureMs: rushMs })).toEqual([1_200, 1_200]);
    // The second leg begins when the first has ended.
    expect(await ask({ departureMs: rushMs - 300_000 })).toEqual([600, 1_200]);
    expect(await ask({ arriveByMs: rushMs + 3_600_000 })).toEqual([1_200, 1_200]);
    expect(await ask({ arriveByMs: rushMs })).toEqual([600, 600]);
  });

  it('M-026: uses the newest model that can be read', async () => {
    const { objects } = platform;
    const { tilesetId } = grid.network;
    const options = { objects, tilesetId, logger: silentLogger };
    const models = await ArrivalModels.open(options);
    // Nothing was learned here: the prior answers.
    expect(models.current).toMatchObject({ tilesetId, version: 0 });
    const answer = times(() => models.current).of(
      { edgeIds: () => edgeIds, durationS: 58, distanceM: whole.distanceM },
      0,
    );
    expect(answer.fallback).toBeUndefined();
    // Wider than that of the file: how fast this place is is not known.
    const features = routeFeatures(outlookOf(grid.network, whole, 0), nothingUsual);
    const { lowS, highS } = estimateArrival(arrivalPrior(tilesetId), features);
    expect(answer.interval!.highS - answer.interval!.lowS).toBeGreaterThan(1.3 * (highS - lowS));
    await objects.put(arrivalModelKey(tilesetId, 1), encodeArrivalModel(await twice(1)));
    await models.refresh();
    expect(models.current?.version).toBe(1);
    await objects.put(arrivalModelKey(tilesetId, 2), Buffer.from('half a mod'));
    await models.refresh();
    expect(models.current?.version).toBe(1);
    await objects.put(arrivalModelKey(tilesetId, 3), encodeArrivalModel(await twice(3)));
    await models.refresh();
    expect(models.current?.version).toBe(3);
    models.close();
  });
});
