import type { PlannedRoute } from '../ports/planner.js';
import * as messages from './messages.js';
import { distanceQuantity, durationQuantity, type Units } from './quantity-text.js';

/**
 * Preferences apart from time, in seconds: of routes with nearly the same time, the one with fewer turns and
 * without toll or ferry is first.
 */
const turnS = 3;
const tollS = 60;
const ferryS = 60;
/** A usual route is first if it takes at most this share, and this many seconds, longer than the quickest. */
const usualPatience = 1.1;
const usualExtraSMax = 180;
/** The preferences never put a route first that takes longer by more than this share. */
const patience = 1.05;

export interface RankedRoute {
  readonly route: PlannedRoute;
  /** The reason for its rank. */
  readonly because: string;
}

const turnsOf = ({ steps }: PlannedRoute): number => Math.max(0, steps.length - 2);
const effortOf = (route: PlannedRoute): number =>
  route.durationS + turnS * turnsOf(route) + (route.tollM > 0 ? tollS : 0) + (route.ferryM > 0 ? ferryS : 0);

/** How much its user drives a route; 0 for one that is not usual. */
export type Usualness = (route: PlannedRoute) => number;

/**
 * Candidates in the order in which they are offered, each with its reason in numbers. `routes` is not empty.
 */
export function rankRoutes(
  routes: readonly PlannedRoute[],
  units: Units,
  usualness: Usualness = () => 0,
): RankedRoute[] {
  const quickest = routes.reduce((best, route) => (route.durationS < best.durationS ? route : best));
  const inTime = routes.filter(({ durationS }) => durationS <= quickest.durationS * patience);
  const easiest = inTime.reduce((best, route) => (effortOf(route) < effortOf(best) ? route : best));
  const usual = usualRoute(routes, quickest, usualness);
  const first = usual ?? easiest;
  const others = routes.filter((route) => route !== first).sort((a, b) => effortOf(a) - effortOf(b));
  return [
    { route: first, because: reasonOf(first, quickest, first === usual) },
    ...others.map((route) => ({ route, because: compared(route, first, units) })),
  ];
}

/** The one that its user drives most; among equal ones the quickest. */
function usualRoute(
  routes: readonly PlannedRoute[],
  quickest: PlannedRoute,
  usualness: Usualness,
): PlannedRoute | undefined {
  const longestS = Math.min(quickest.durationS * usualPatience, quickest.durationS + usualExtraSMax);
  return routes
    .filter((route) => usualness(route) > 0 && route.durationS <= longestS)
    .sort((a, b) => usualness(b) - usualness(a) || a.durationS - b.durationS)[0];
}

function reasonOf(first: PlannedRoute, quickest: PlannedRoute, isUsual: boolean): string {
  const extraS = first.durationS - quickest.durationS;
  if (isUsual) return messages.usual(extraS < 1 ? undefined : timeText(extraS));
  return first === quickest ? fastest(first) : easier(first, quickest);
}

const fastest = ({ liveEdges }: PlannedRoute): string =>
  liveEdges > 0 ? messages.fastest : messages.fastestWithoutTraffic;

const easier = (route: PlannedRoute, quickest: PlannedRoute): string =>
  messages.easier(timeText(route.durationS - quickest.durationS), [
    ...turnText(route, quickest),
    ...kindTexts(route, quickest),
  ]);

function compared(route: PlannedRoute, first: PlannedRoute, units: Units): string {
  const seconds = route.durationS - first.durationS;
  const metres = route.distanceM - first.distanceM;
  return messages.compared([
    messages.time(timeText(Math.abs(seconds)), seconds < 0),
    ...(Math.abs(metres) < 10
      ? []
      : [messages.distance(distanceQuantity(Math.abs(metres), units, 'en').text, metres < 0)]),
    ...turnText(route, first),
    ...kindTexts(route, first),
  ]);
}

const timeText = (seconds: number): string =>
  seconds < 60 ? `${Math.round(seconds)} s` : durationQuantity(seconds, 'en').text;

function turnText(route: PlannedRoute, other: PlannedRoute): string[] {
  const turns = turnsOf(route) - turnsOf(other);
  return turns === 0 ? [] : [messages.turns(Math.abs(turns), turns < 0)];
}

/** What one has and the other has not. */
const kindTexts = (route: PlannedRoute, other: PlannedRoute): string[] =>
  (
    [
      ['tolls', 'tollM'],
      ['motorways', 'motorwayM'],
      ['ferries', 'ferryM'],
    ] as const
  ).flatMap(([word, key]) =>
    route[key] > 0 === other[key] > 0 ? [] : [messages.kind(word, route[key] > 0)],
  );
