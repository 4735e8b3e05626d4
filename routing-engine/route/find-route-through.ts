import type { AvoidMask } from '../network/edge-flags.js';
import { limits } from '../network/limits.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { Metric } from '../overlay/metric.js';
import type { RouteEnd } from '../search/route-end.js';
import { findRoute, type RouteOutcome, type RoutePath } from './find-route.js';

export interface RouteThroughQuery {
  /**
   * Start, waypoints and destination, in order; for each the possible places on edges, for example `snap`s,
   * with a heading where the vehicle's is known. Two at least, at most `limits.stopsMax`.
   */
  readonly stops: readonly (readonly RouteEnd[])[];
  readonly avoid?: AvoidMask;
  /** Absent: at every intermediate stop, the vehicle continues in its direction. */
  readonly turns?: StopTurns;
}

/** Turning round while the vehicle stands. */
export interface StopTurns {
  /** Stops, counted from 0, whose places are one place seen from several directions. */
  readonly at: ReadonlySet<number>;
  /** By stop, the places that it may be left from after a turn; absent: those that it is reached at. */
  readonly leaving?: readonly (readonly RouteEnd[])[];
  /** Wherever the path is quicker, or at as few stops as possible. */
  readonly when: 'quicker' | 'needed';
}

export type RouteThroughOutcome =
  /** One path from stop to stop. Where it goes straight on, a leg begins where the previous one ended. */
  | { readonly status: 'ok'; readonly legs: readonly RoutePath[]; readonly durationMs: number }
  /** `leg`: the first leg, counted from 0, without a path for any choice of places. */
  | (Extract<RouteOutcome, { status: 'no-route' }> & { readonly leg: number });

/**
 * The cheapest path through all stops in order, over every choice among their places: the best path to each
 * place of a stop is kept. Where a turn restriction runs over a stop, the best path to the place decides
 * which side of it the rest is on. Throws a RangeError for too few or too many stops.
 */
export function findRouteThrough(
  network: RoadNetwork,
  metric: Metric,
  { stops, avoid = 0, turns }: RouteThroughQuery,
): RouteThroughOutcome {
  if (stops.length < 2 || stops.length > limits.stopsMax)
    throw new RangeError(`a route has 2 to ${limits.stopsMax} stops, not ${stops.length}`);
  let reached: Reached[] = [];
  for (let leg = 0; leg + 1 < stops.length; leg++) {
    const starts = startsOf(leg, stops[leg], reached, turns);
    // Any place of the last stop suffices; at an intermediate stop, the next leg may depend on the place.
    const goals = leg + 2 === stops.length ? [stops[leg + 1]] : stops[leg + 1].map((goal) => [goal]);
    const next: Reached[] = [];
    let failure: Extract<RouteOutcome, { status: 'no-route' }> = { status: 'no-route', reason: 'no-snap' };
    for (const to of goals) {
      const candidates: Reached[] = [];
      for (const { from, before, turnsHere } of starts) {
        const outcome = findRoute(network, metric, { from, to, avoid });
        if (outcome.status !== 'ok') {
          if (failure.reason !== 'avoided') failure = outcome;
          continue;
        }
        const path = from.length === 1 ? along(outcome.path, from[0]) : outcome.path;
        const durationMs = (before?.durationMs ?? 0) + path.durationMs;
        const turnCount = (before?.turnCount ?? 0) + turnsHere;
        candidates.push({ durationMs, turnCount, path, ...(before === undefined ? {} : { before }) });
      }
      const candidate = best(candidates);
      if (candidate !== undefined) next.push(candidate);
    }
    if (next.length === 0) return { ...failure, leg };
    reached = next;
  }
  const last = best(reached)!;
  const legs: RoutePath[] = [];
  for (let at: Reached | undefined = last; at !== undefined; at = at.before) legs.push(at.path);
  return { status: 'ok', legs: legs.reverse(), durationMs: last.durationMs };
}

function startsOf(
  leg: number,
  places: readonly RouteEnd[],
  reached: readonly Reached[],
  turns: StopTurns | undefined,
): readonly LegStart[] {
  const from = leg === 0 ? places : (turns?.leaving?.[leg] ?? places);
  const either = { from, before: best(reached), turnsHere: 0 };
  if (leg === 0) return [either];
  if (!turns?.at.has(leg)) return onwards(reached);
  return turns.when === 'quicker' ? [either] : [...onwards(reached), { ...either, turnsHere: 1 }];
}

/** Each path goes on from where it ended; a copy of an edge remembers which turns are forbidden ahead. */
const onwards = (reached: readonly Reached[]): LegStart[] =>
  reached.map((before) => ({
    from: [{ edge: before.path.edges[before.path.edges.length - 1], fraction: before.path.toFraction }],
    before,
    turnsHere: 0,
  }));

/** A path within one edge may be found on another copy of it than it began on. */
const along = (path: RoutePath, { edge }: RouteEnd): RoutePath =>
  path.edges.length === 1 ? { ...path, edges: Uint32Array.of(edge) } : path;

const best = (candidates: readonly Reached[]): Reached | undefined =>
  candidates.reduce<Reached | undefined>(
    (least, candidate) => (least === undefined || isBetter(candidate, least) ? candidate : least),
    undefined,
  );

const isBetter = (candidate: Reached, than: Reached): boolean =>
  candidate.turnCount === than.turnCount
    ? candidate.durationMs < than.durationMs
    : candidate.turnCount < than.turnCount;

interface LegStart {
  readonly from: readonly RouteEnd[];
  readonly before: Reached | undefined;
  /** 1 where the vehicle turns round to begin so, and that counts. */
  readonly turnsHere: number;
}

/** The best path to one place of a stop: the last leg of it, and what came before. */
interface Reached {
  readonly durationMs: number;
  /** The number of U-turns, if it must be minimal. */
  readonly turnCount: number;
  readonly path: RoutePath;
  readonly before?: Reached;
}
