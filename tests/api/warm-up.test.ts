import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enginePlanner } from '#api/engine/engine-planner.js';
import { modeMetrics } from '#api/engine/mode-metrics.js';
import { practiceAnswersMax, practiceMs } from '#api/http/limits.js';
import { warmUp } from '#api/nav/warm-up.js';
import type { Planner } from '#api/ports/planner.js';
import { seeded } from '#bench/routing/seeded.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { answerRouteTask, type RouteTask } from '#routing-engine/tasks/route-task.js';
import { type DrawnTown, drawTown } from './drawn-town.js';

let town: DrawnTown;
let asked: RouteTask[];
let planner: Planner;

beforeAll(async () => {
  town = await drawTown('A B C', [{ way: 'ABC', highway: 'primary', tags: { name: 'Avenyn' } }]);
});
afterAll(() => town.remove());

describe('warming up a release before it serves', () => {
  const warmUpWith = (planning: Planner, clock: () => number, threads = 1): Promise<number> =>
    warmUp({ planner: planning, network: town.network, threads, random: seeded(4), clock });
  const plannerHere = (): Planner => {
    asked = [];
    const answer = (task: RouteTask) => {
      asked.push(task);
      return Promise.resolve(answerRouteTask(town.network, task));
    };
    const pool = { run: (_: string, task: RouteTask) => answer(task) } as never;
    const metric = freeFlowMetric(town.network, 'driving');
    return enginePlanner({
      network: town.network,
      pool,
      driving: () => ({ metric, publishedMs: undefined }),
      others: modeMetrics(town.network),
    });
  };

  it('sends no more sample requests than it reports, between places on its roads', async () => {
    planner = plannerHere();
    expect(await warmUpWith(planner, () => 0, 2)).toBe(practiceAnswersMax);
    expect(asked.length).toBe(practiceAnswersMax);
    const places = asked.flatMap(({ from, to }) => [from, to]).map((end) => 'point' in end && end.point.lng);
    expect(new Set(places)).toEqual(new Set(['A', 'C'].map((letter) => town.place(letter).lng)));
  });

  it('stops when its time is over', async () => {
    let nowMs = 0;
    const slow: Planner = {
      plan(request) {
        nowMs += practiceMs / 10;
        return planner.plan(request);
      },
    };
    expect(await warmUpWith(slow, () => nowMs)).toBe(10);
  });

  it('a failed warm-up does not prevent a map from being served', async () => {
    let calls = 0;
    const broken: Planner = {
      plan() {
        calls += 1;
        return Promise.reject(new Error('a thread died'));
      },
    };
    expect(await warmUpWith(broken, () => 0, 2)).toBe(0);
    expect(calls).toBe(2);
  });
});
