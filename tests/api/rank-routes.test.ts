import { expect, test } from 'vitest';
import { rankRoutes } from '#api/nav/rank-routes.js';
import type { PlannedRoute, PlannedStep } from '#api/ports/planner.js';

const step = {} as PlannedStep;
const route = (over: Partial<PlannedRoute> & { readonly turns?: number }): PlannedRoute => ({
  edgeCount: 0,
  edgeIds: () => [],
  distanceM: 10_000,
  durationS: 600,
  freeFlowS: 600,
  tollM: 0,
  motorwayM: 0,
  ferryM: 0,
  liveEdges: 0,
  polyline: '',
  summary: '',
  steps: Array.from({ length: 2 + (over.turns ?? 0) }, () => step),
  warnings: [],
  tiles: [],
  ...over,
});
const order = (routes: readonly PlannedRoute[]) =>
  rankRoutes(routes, 'metric').map(({ route: each, because }) => [each.summary, because]);

test('M-025: the fastest is first; the others follow with their costs and savings', () => {
  expect(
    order([
      route({ summary: 'quick', durationS: 600, tollM: 900, motorwayM: 5_000, turns: 4 }),
      route({ summary: 'free', durationS: 900, distanceM: 8_000, turns: 9 }),
    ]),
  ).toEqual([
    ['quick', 'Fastest; no live traffic data.'],
    ['free', '5 min slower than the first, 2 km shorter, 5 more turns, without tolls, without motorways.'],
  ]);
});

test('M-025: of routes with similar times, one without tolls and with fewer turns is first', () => {
  expect(
    order([
      route({ summary: 'toll', durationS: 600, tollM: 900, turns: 8 }),
      route({ summary: 'easy', durationS: 615, turns: 2 }),
    ]),
  ).toEqual([
    ['easy', 'Easier than the fastest route (15 s more): 6 fewer turns, without tolls.'],
    ['toll', '15 s faster than the first, 6 more turns, with tolls.'],
  ]);
});

test('M-025: no route that takes over a twentieth longer is first, whatever it saves', () => {
  const found = order([
    route({ summary: 'toll', durationS: 600, tollM: 900, turns: 30 }),
    route({ summary: 'easy', durationS: 640 }),
  ]);
  expect(found[0]![0]).toBe('toll');
});
