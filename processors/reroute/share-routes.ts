import { CLOSED } from '#routing-engine/overlay/metric.js';
import type { FoundRoute } from '#routing-engine/tasks/route-task.js';
import { decideReroute, gainMinMs } from './decide-reroute.js';
import type { RoutesAhead } from './reroute-step.js';
import type { Arrival, SentDrivers } from './sent-drivers.js';
import type { RerouteSettings } from './settings.js';

/** When a driver would arrive at the edges of a route that are not on their present one. */
export function arrivals(
  { navigation, metric }: RoutesAhead,
  { path }: FoundRoute,
  nowMs: number,
): Arrival[] {
  const known = new Set(navigation.edges.slice(navigation.at));
  const found: Arrival[] = [];
  let atMs = nowMs;
  for (const [i, edge] of path.edges.entries()) {
    if (!known.has(edge)) found.push({ edge, atMs: Math.round(atMs) });
    const cost = metric.costMs[edge]!;
    if (cost !== CLOSED) atMs += i === 0 ? cost * (1 - path.fromFraction) : cost;
  }
  return found;
}

/** Whether the best route was sent to enough drivers lately that the next one needs alternatives. */
export function isCrowded(
  ahead: RoutesAhead,
  sent: SentDrivers,
  nowMs: number,
  { waitFreeS, ...threshold }: Pick<RerouteSettings, 'waitFreeS' | 'savesMinS' | 'savesMinRatio'>,
): boolean {
  const [best] = ahead.routes;
  return (
    best !== undefined &&
    decideReroute(ahead.oldMs, best.path.durationMs, threshold, ahead.navigation.declinedMs) !== 'keep' &&
    sent.waitMs(arrivals(ahead, best, nowMs)) > 1_000 * waitFreeS
  );
}

/**
 * The route that a driver is sent: the fastest including the wait behind those who were sent before. It is
 * never longer than the best by the notification threshold, or the next search would send the driver back;
 * and it saves enough.
 */
export function leastCrowded(
  ahead: RoutesAhead,
  sent: SentDrivers,
  nowMs: number,
  threshold: Pick<RerouteSettings, 'savesMinS' | 'savesMinRatio'>,
): FoundRoute | undefined {
  const { routes, oldMs } = ahead;
  const { declinedMs } = ahead.navigation;
  let [chosen] = routes;
  if (chosen === undefined) return undefined;
  const bestMs = chosen.path.durationMs;
  const limitMs = bestMs + gainMinMs(bestMs, threshold);
  let leastMs = bestMs + sent.waitMs(arrivals(ahead, chosen, nowMs));
  for (const route of routes.slice(1)) {
    const { durationMs } = route.path;
    if (durationMs >= limitMs || decideReroute(oldMs, durationMs, threshold, declinedMs) === 'keep') continue;
    const ms = durationMs + sent.waitMs(arrivals(ahead, route, nowMs));
    if (ms >= leastMs) continue;
    leastMs = ms;
    chosen = route;
  }
  return chosen;
}
