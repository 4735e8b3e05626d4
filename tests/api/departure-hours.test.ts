import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enginePlanner } from '#api/engine/engine-planner.js';
import { engineRouting } from '#api/engine/engine-routing.js';
import { engineTraffic, type LiveMetric } from '#api/engine/engine-traffic.js';
import { modeMetrics } from '#api/engine/mode-metrics.js';
import type { Mode } from '#api/ports/planner.js';
import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import { applyChanges, freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { type DrawnTown, drawTown } from './drawn-town.js';
import { routePool } from './route-pool.js';

/**
 * BC is open to cars at some hours and to bicycles at others; E and F are the detour. The clock is
 * Stockholm's.
 */
const map = `
A B   C D
  E   F
`;

let town: DrawnTown;
let pool: WorkerPool;
let live: LiveMetric;
let blocked: readonly number[] = [];
let nowMs = 0;

beforeAll(async () => {
  town = await drawTown(map, [
    { way: 'AB', highway: 'residential' },
    {
      way: 'BC',
      highway: 'residential',
      tags: {
        'motor_vehicle:conditional': 'no @ (Mo-Fr 07:00-09:00)',
        'bicycle:conditional': 'no @ (12:00-14:00)',
      },
    },
    { way: 'CD', highway: 'residential' },
    { way: 'BEFC', highway: 'residential' },
  ]);
  pool = routePool(town.network);
});
afterAll(async () => {
  await pool.close();
  await town.remove();
});

const at = (time: string): number => Date.parse(`2026-07-06T${time}:00+02:00`);
const direct = 8 * 0.002 * Math.cos((57.701 * Math.PI) / 180) * 111_195;

describe('hours at the departure', () => {
  const metrics = () => {
    const others = modeMetrics(town.network, { blocked: () => blocked, version: () => live.metric.version });
    return { ...{ pool, driving: () => live, others }, nowMs: () => nowMs };
  };
  const isDirect = async (mode: Mode, departureMs?: number): Promise<boolean> => {
    const plan = await enginePlanner({ network: town.network, ...metrics() }).plan({
      ...{ mode, origin: town.place('A'), destination: town.place('D'), avoid: [], alternatives: 0 },
      ...(departureMs === undefined ? {} : { departureMs }),
    });
    if (plan.kind !== 'routes') throw new Error(plan.kind);
    return plan.routes[0]!.distanceM < direct + 50;
  };

  test('M-021: a road is used if it is open when the traveller departs, now, soon and tomorrow', async () => {
    live = { metric: freeFlowMetric(town.network, 'driving'), publishedMs: undefined };
    nowMs = at('06:50');
    expect(await isDirect('driving')).toBe(true);
    expect(await isDirect('driving', at('07:05'))).toBe(false);
    expect(await isDirect('driving', at('08:00'))).toBe(false);
    expect(await isDirect('driving', at('10:00'))).toBe(true);
    expect(await isDirect('bicycling', at('12:30'))).toBe(false);
    expect(await isDirect('bicycling')).toBe(true);
    expect(await isDirect('walking', at('12:30'))).toBe(true);
    nowMs = at('08:00');
    expect(await isDirect('driving')).toBe(false);
  });

  test('M-021: OSRM’s services ask for now', async () => {
    live = { metric: freeFlowMetric(town.network, 'driving'), publishedMs: undefined };
    const metres = async (): Promise<number> => {
      const stops = ['A', 'D'].map((letter) => ({ point: town.place(letter), maxMeters: 100 }));
      const asked = { avoid: 0, stopsOnFerries: true, annotate: false, simplify: false, alternatives: 0 };
      const outcome = await engineRouting(metrics()).through(
        { mode: 'driving', stops, legEnds: [1], ...asked },
        { signal: AbortSignal.timeout(60_000) },
      );
      if (outcome.status !== 'ok') throw new Error(outcome.status);
      return outcome.routes[0]!.legs[0]!.distanceM;
    };
    nowMs = at('10:00');
    expect(await metres()).toBeLessThan(direct + 50);
    nowMs = at('08:00');
    expect(await metres()).toBeGreaterThan(direct + 50);
  });

  test('M-024: a closure stays one while the road is open, and hours are no traffic', async () => {
    const edge = town.edge('B', 'C');
    const metric = applyChanges(town.network, freeFlowMetric(town.network, 'driving'), [], 1);
    live = { metric, publishedMs: 1 };
    nowMs = at('10:00');
    expect(await isDirect('driving')).toBe(true);
    expect([...engineTraffic(town.network, () => live)().differing()]).toEqual([]);
    blocked = [edge];
    live = { metric: applyChanges(town.network, metric, [{ edge, closed: true }], 2), publishedMs: 2 };
    expect(await isDirect('driving')).toBe(false);
    expect(await isDirect('bicycling')).toBe(false);
    blocked = [];
  });
});
