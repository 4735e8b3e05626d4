import type { AvoidMask } from './edge-flags.js';
import { findRoute, type RouteOutcome, type RoutePath } from './find-route.js';
import { limits } from './limits.js';
import type { Metric } from './metric.js';
import type { RoadNetwork } from './road-network.js';
import type { RouteEnd } from './route-end.js';

export interface RouteThroughQuery {
  /**
   * Start, waypoints and destination, in order; of each the places on edges that will do, for instance `snap`s, with a
   * heading where the vehicle's is known. Two at least, at most `limits.stopsMax`.
   */
  readonly stops: readonly (readonly RouteEnd[])[];
  readonly avoid?: AvoidMask;
  /** May the vehicle turn round while it stands at a waypoint? Otherwise it goes on in the direction that it came in. Default false. */
  readonly turnsAtStops?: boolean;
}

export type RouteThroughOutcome =
  /** One path from stop to stop. Where it goes on straight, a leg begins where the one before it ended. */
  | { readonly status: 'ok'; readonly legs: readonly RoutePath[]; readonly durationMs: number }
  /** `leg`: the first stretch, counted from 0, that no choice of places so far leads over. */
  | (Extract<RouteOutcome, { status: 'no-route' }> & { readonly leg: number });

/**
 * The cheapest way through all stops in order, over every choice among their places: exact, because the best way to each
 * place of a stop is kept. Throws a RangeError for too few or too many stops.
 */
export function findRouteThrough(
  network: RoadNetwork,
  metric: Metric,
  { stops, avoid = 0, turnsAtStops = false }: RouteThroughQuery,
): RouteThroughOutcome {
  if (stops.length < 2 || stops.length > limits.stopsMax)
    throw new RangeError(`a route has 2 to ${limits.stopsMax} stops, not ${stops.length}`);
  let reached: Reached[] = stops[0].map((end) => ({ end, durationMs: 0 }));
  for (let leg = 0; leg + 1 < stops.length; leg++) {
    const next: Reached[] = [];
    let failure: Extract<RouteOutcome, { status: 'no-route' }> = { status: 'no-route', reason: 'no-snap' };
    for (const goal of stops[leg + 1]) {
      let best: Reached | undefined;
      for (const before of reached) {
        const from = turnsAtStops && leg > 0 ? stops[leg] : [before.end];
        const outcome = findRoute(network, metric, { from, to: [goal], avoid });
        if (outcome.status !== 'ok') {
          if (failure.reason !== 'avoided') failure = outcome;
          continue;
        }
        const durationMs = before.durationMs + outcome.path.durationMs;
        if (best === undefined || durationMs < best.durationMs)
          best = { end: goal, durationMs, path: outcome.path, before };
      }
      if (best !== undefined) next.push(best);
    }
    if (next.length === 0) return { ...failure, leg };
    reached = next;
  }
  const last = reached.reduce((best, each) => (each.durationMs < best.durationMs ? each : best));
  const legs: RoutePath[] = [];
  for (let at: Reached | undefined = last; at?.path !== undefined; at = at.before) legs.push(at.path);
  return { status: 'ok', legs: legs.reverse(), durationMs: last.durationMs };
}

/** The best way to one place of a stop. */
interface Reached {
  readonly end: RouteEnd;
  readonly durationMs: number;
  readonly path?: RoutePath;
  readonly before?: Reached;
}
