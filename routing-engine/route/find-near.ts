import { isAtHours } from '../network/at-hours.js';
import { barredTo } from '../network/barred-roads.js';
import { distanceM } from '../network/earth.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex } from '../network/travel-mode.js';
import type { Metric } from '../overlay/metric.js';
import { moveEnds } from '../snap/move-ends.js';
import {
  type AskedEnd,
  goalsAt,
  type NearestPlaces,
  nearestPlaces,
  openPlaces,
  type PlaceRules,
  placeOnEdge,
  SAME_PLACE_M,
  startsAt,
} from '../snap/nearest-places.js';
import type { Snap } from '../snap/snap.js';
import { findAlternatives } from './find-alternatives.js';
import { findRoute, type RouteOutcome, type RoutePath } from './find-route.js';

/** The place of the network that a path begins or ends at. */
export interface UsedEnd extends Snap {
  /** A nearer road of the mode cannot be used. */
  readonly isMoved: boolean;
}

/** Two places this close together at a crossing are both on all of its roads. */
const STAYS_M = 4 * SAME_PLACE_M;

export interface NearQuery extends PlaceRules {
  readonly from: AskedEnd;
  readonly to: AskedEnd;
  /** Paths in all, the best one included. */
  readonly count: number;
}

export type NearOutcome =
  | {
      readonly status: 'ok';
      /** Of the best path. */
      readonly from: UsedEnd;
      readonly to: UsedEnd;
      /**
       * The places that all paths begin and end on; that of an alternative may be another than that of the
       * best.
       */
      readonly starts: readonly Snap[];
      readonly goals: readonly Snap[];
      /** Best first, never empty. */
      readonly paths: readonly RoutePath[];
    }
  | {
      readonly status: 'no-route';
      readonly reason: 'unreachable' | 'avoided';
      readonly from: UsedEnd;
      readonly to: UsedEnd;
    }
  | { readonly status: 'no-snap'; readonly missing: 'origin' | 'destination' };

/**
 * The best routes between the nearest roads of two places. A currently closed road is used only if none of
 * the open ones works. If the map has no route between them, it leads over private roads of others; if there
 * is none either, the ends are moved to the nearest places with a route between them, each by no more than
 * `maxMeters`, and by no more than the distance of the places. Closures do not move ends: a traveller behind
 * one stays there.
 */
export function findNear(network: RoadNetwork, metric: Metric, query: NearQuery): NearOutcome {
  const { avoid, count } = query;
  const from = nearestPlaces(network, metric, query.from, query);
  if (from.places.length === 0) return { status: 'no-snap', missing: 'origin' };
  const to = nearestPlaces(network, metric, query.to, query);
  if (to.places.length === 0) return { status: 'no-snap', missing: 'destination' };
  for (const ends of endsToTry(network, metric, query, from.places, to.places)) {
    const found = ends.throughPrivate
      ? onePath(findRoute(network, metric, { ...ends, avoid }))
      : findAlternatives(network, metric, { ...ends, avoid }, { count });
    if (found.status === 'ok') {
      const { edges } = found.paths[0];
      const origin = placeOnEdge(network, ends.from, edges[0]);
      const destination = placeOnEdge(network, ends.to, edges[edges.length - 1]);
      return {
        status: 'ok',
        from: used(origin, from),
        to: used(destination, to),
        starts: ends.from,
        goals: ends.to,
        paths: found.paths,
      };
    }
    if (found.reason === 'avoided') return noRoute('avoided', from, to);
  }
  return noRoute('unreachable', from, to);
}

const noRoute = (reason: 'unreachable' | 'avoided', from: NearestPlaces, to: NearestPlaces): NearOutcome => ({
  ...{ status: 'no-route', reason },
  from: used(from.places[0], from),
  to: used(to.places[0], to),
});

const used = ({ edge, fraction, side, point, distanceM }: Snap, { roadM }: NearestPlaces): UsedEnd => {
  const isMoved = distanceM > roadM + SAME_PLACE_M;
  return { edge, fraction, side, point, distanceM, isMoved };
};

const onePath = (outcome: RouteOutcome) =>
  outcome.status === 'ok' ? ({ status: 'ok', paths: [outcome.path] } as const) : outcome;

interface Tried {
  readonly from: readonly Snap[];
  readonly to: readonly Snap[];
  readonly throughPrivate: boolean;
}

/** Each is tried if no path connects the earlier ones. */
function* endsToTry(
  network: RoadNetwork,
  metric: Metric,
  query: NearQuery,
  from: readonly Snap[],
  to: readonly Snap[],
): Iterable<Tried> {
  const distinct = (starts: readonly Snap[], goals: readonly Snap[], throughPrivate = false): Tried =>
    // A route within one crossing neither leaves nor enters it.
    metersApart(starts[0], goals[0]) < STAYS_M
      ? { from: starts, to: goals, throughPrivate }
      : {
          from: startsAt(network, query.from, starts),
          to: goalsAt(network, query.to, goals),
          throughPrivate,
        };
  const openFrom = openPlaces(network, metric, from);
  const openTo = openPlaces(network, metric, to);
  if (openFrom.length > 0 && openTo.length > 0) yield distinct(openFrom, openTo);
  if (openFrom.length < from.length || openTo.length < to.length) yield distinct(from, to);
  // The parts are those of vehicles that fit on every road.
  if (barredTo(network, metric.vehicle) === undefined && areConnected(network, metric, from, to)) return;
  yield distinct(from, to, true);
  const reachM = Math.min(query.maxMeters, metersApart(placeOf(query.from), placeOf(query.to)));
  const moved = moveEnds(
    network,
    metric,
    {
      ...{ from: { asked: query.from, nearest: from }, to: { asked: query.to, nearest: to } },
      ...{ avoid: query.avoid, reachM },
    },
    (starts, goals) =>
      findRoute(network, metric, { from: starts, to: goals, avoid: query.avoid }).status === 'ok',
  );
  if (moved !== undefined) yield distinct(moved.from, moved.to);
}

/** On the map, whatever is closed at the moment: two roads of one strongly connected part. */
function areConnected(
  network: RoadNetwork,
  { mode }: Metric,
  from: readonly Snap[],
  to: readonly Snap[],
): boolean {
  const { arrays, edgeCount } = network;
  const row = modeIndex(mode) * edgeCount;
  // A road that no other one reaches, and roads that no part holds (ends-only, or open at some hours), have
  // numbers too.
  const isSure = (a: number, b: number): boolean =>
    arrays.part[row + a] === 0 ||
    (a !== b && !isAtHours(network, a, mode) && arrays.zone[row + a] === 0 && arrays.zone[row + b] === 0);
  return from.some(({ edge: a }) =>
    to.some(({ edge: b }) => arrays.part[row + a] === arrays.part[row + b] && isSure(a, b)),
  );
}

const placeOf = (end: AskedEnd): Pick<Snap, 'point'> => ('fixed' in end ? end.fixed[0] : end);

const metersApart = ({ point: a }: Pick<Snap, 'point'>, { point: b }: Pick<Snap, 'point'>): number =>
  distanceM(a.lng, a.lat, b.lng, b.lat);
