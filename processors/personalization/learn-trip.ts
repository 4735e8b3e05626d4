import { type LearnedRoute, patternLimits, weightAt } from '#map-data/learned/user-patterns.js';
import { sameRouteShare, stepMs } from './settings.js';

/** An edge that the user drove from end to end. */
export type Driven = readonly [edgeId: string, lengthM: number, leftMs: number];

type Edges = LearnedRoute['edges'];

/** The routes after a trip from one place to another; without driven edges they do not change. */
export function learnTrip(
  routes: readonly LearnedRoute[],
  from: { readonly place: number; readonly leftMs: number },
  to: { readonly place: number; readonly arrivedMs: number },
  driven: readonly Driven[],
): LearnedRoute[] {
  // The times of a stay are those of its first and last position, which is up to a step too early or late.
  const onTheWay = driven.filter(([, , leftMs]) => leftMs >= from.leftMs && leftMs <= to.arrivedMs + stepMs);
  const edges = longest(onTheWay);
  if (edges.length === 0) return [...routes];
  const atMs = to.arrivedMs;
  const ofPair = routes.filter((route) => route.from === from.place && route.to === to.place);
  const same = ofPair
    .map((route) => ({ route, share: commonShare(route.edges, edges) }))
    .filter(({ share }) => share >= sameRouteShare)
    .sort((a, b) => b.share - a.share)[0]?.route;
  const trip: LearnedRoute = {
    ...{ from: from.place, to: to.place, lastMs: atMs, edges },
    trips: (same?.trips ?? 0) + 1,
    weight: (same === undefined ? 0 : weightAt(same.weight, same.lastMs, atMs)) + 1,
  };
  const others = routes.filter((route) => route !== same && !ofPair.includes(route));
  const pair = mostDriven([...ofPair.filter((route) => route !== same), trip], atMs);
  return mostDriven([...others, ...pair.slice(0, patternLimits.routesPerPairMax)], atMs).slice(
    0,
    patternLimits.routesMax,
  );
}

/** An edge that was driven twice counts once. */
function longest(driven: readonly Driven[]): Edges {
  return [...new Map(driven.map(([edgeId, lengthM]) => [edgeId, Math.round(lengthM)] as const))]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, patternLimits.routeEdgesMax);
}

/** Length of the edges that are in both ÷ length of those in either. */
function commonShare(a: Edges, b: Edges): number {
  const inB = new Map(b);
  let common = 0;
  let either = 0;
  for (const [edgeId, lengthM] of a) {
    either += lengthM;
    if (inB.has(edgeId)) common += lengthM;
  }
  for (const [, lengthM] of b) either += lengthM;
  return common / Math.max(1, either - common);
}

const mostDriven = (routes: readonly LearnedRoute[], atMs: number): LearnedRoute[] =>
  routes.toSorted(
    (a, b) => weightAt(b.weight, b.lastMs, atMs) - weightAt(a.weight, a.lastMs, atMs) || b.lastMs - a.lastMs,
  );
