import { expect, test } from 'vitest';
import { rankRoutes } from '#api/nav/rank-routes.js';
import type { PlannedRoute, PlannedStep } from '#api/ports/planner.js';
import { proves } from '#tools/acceptance/proves.js';

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

proves('M-025', {
  asked: 'candidates ordered and the reason named',
  shown: 'of similar times the one without tolls and with fewer turns is first; each says why',
  control: {
    in: 'api/nav/rank-routes.ts',
    change: 'const patience = 1.05;',
    to: 'const patience = 1;',
  },
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

const usually =
  (...names: readonly string[]) =>
  ({ summary }: PlannedRoute): number =>
    names.includes(summary) ? names.length - names.indexOf(summary) : 0;
const withUsual = (routes: readonly PlannedRoute[], usualness: (route: PlannedRoute) => number) =>
  rankRoutes(routes, 'metric', usualness).map(({ route: each, because }) => [each.summary, because]);

test('M-025: a usual route is first, also with more turns', () => {
  const quick = route({ summary: 'quick', durationS: 600 });
  const usual = route({ summary: 'usual', durationS: 655, turns: 9 });
  expect(withUsual([quick, usual], usually('usual'))).toEqual([
    ['usual', 'Your usual route (55 s more than the fastest).'],
    ['quick', '55 s faster than the first, 9 fewer turns.'],
  ]);
  expect(withUsual([quick, usual], usually('quick'))[0]).toEqual(['quick', 'Your usual route.']);
  expect(withUsual([quick, usual], usually())[0]![0]).toBe('quick');
});

test('M-025: a usual route is not first if it takes over 10 % or 3 minutes longer than the fastest', () => {
  const first = (quickS: number, usualS: number): unknown =>
    withUsual(
      [route({ summary: 'quick', durationS: quickS }), route({ summary: 'usual', durationS: usualS })],
      usually('usual'),
    )[0]![0];
  expect([first(600, 660), first(600, 661)]).toEqual(['usual', 'quick']);
  expect([first(3_600, 3_780), first(3_600, 3_781)]).toEqual(['usual', 'quick']);
});

test('M-025: of two usual routes the one that is driven more is first, of equal ones the quicker', () => {
  const routes = [600, 610, 620].map((durationS, i) => route({ summary: 'abc'[i]!, durationS }));
  expect(withUsual(routes, usually('c', 'b'))[0]![0]).toBe('c');
  expect(withUsual(routes, ({ summary }) => (summary === 'a' ? 0 : 1))[0]![0]).toBe('b');
});
