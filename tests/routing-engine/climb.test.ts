import { beforeAll, describe, expect, test } from 'vitest';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import type { Climb } from '#routing-engine/route/climb.js';
import { answerRouteTask } from '#routing-engine/tasks/route-task.js';
import { type DrawnMap, drawMap } from './ascii-map.js';

/** Roads of 1,000 m, drawn from west to east. */
const drawing = 'A----B----C----D----E----F';
let map: DrawnMap;
beforeAll(async () => {
  const ways = {
    AB: { incline: '8%' },
    BC: { incline: '-3.5 %' },
    CD: { incline: 'up' },
    DE: { incline: '80%' },
    // The way is drawn from E to F; cars drive it from F to E only.
    EF: { incline: '5%', oneway: '-1' },
  };
  map = await drawMap(drawing, { ways, stepM: 200 });
});

/** From the start of the first road to the end of the last one, each by its letters. */
function climb(from: string, to: string, { fraction = 0, withSteps = true } = {}): Climb | undefined {
  const { network } = map;
  const edgeOf = ([tail, head]: string): number => map.edge(tail!, head!);
  const outcome = answerRouteTask(network, {
    metric: freeFlowMetric(network, 'driving'),
    from: { edge: edgeOf(from), fraction },
    to: { edge: edgeOf(to), fraction: 1 },
    avoid: 0,
    alternatives: 0,
    ...(withSteps && { language: 'en' }),
  });
  if (outcome.status !== 'ok') throw new Error(outcome.status);
  return outcome.routes[0]!.climb;
}

describe('metres up and down of a route', () => {
  test('are those of the stated slopes, in the direction of travel', () => {
    const there = climb('AB', 'BC')!;
    expect(there.upM).toBeCloseTo(80, 0);
    expect(there.downM).toBeCloseTo(35, 0);
    expect(there.statedM).toBeCloseTo(2_000, 0);
    const back = climb('CB', 'BA')!;
    expect(back.upM).toBeCloseTo(there.downM, 6);
    expect(back.downM).toBeCloseTo(there.upM, 6);
  });

  test('are those of the part of a road that is travelled', () => {
    const half = climb('AB', 'AB', { fraction: 0.5 })!;
    expect(half.upM).toBeCloseTo(40, 0);
    expect(half.statedM).toBeCloseTo(500, 0);
  });

  test('against the drawn direction of a one-way road, uphill is downhill', () => {
    expect(climb('FE', 'FE')).toMatchObject({ upM: 0 });
    expect(climb('FE', 'FE')!.downM).toBeCloseTo(50, 0);
  });

  test('are not made up: without a number, or with one that no street has, nothing is known', () => {
    expect(climb('CD', 'DE')).toBeUndefined();
  });

  test('are left out of answers without steps', () => {
    expect(climb('AB', 'BC', { withSteps: false })).toBeUndefined();
  });
});
