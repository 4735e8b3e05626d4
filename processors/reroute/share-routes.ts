import { CLOSED } from '#routing-engine/overlay/metric.js';
import type { FoundRoute } from '#routing-engine/tasks/route-task.js';
import { decideReroute, gainMinMs } from './decide-reroute.js';
import type { WaysOn } from './reroute-step.js';
import type { Arrival, SentDrivers } from './sent-drivers.js';
import type { RerouteSettings } from './settings.js';

/** When a driver would come to the edges of a way that he was not bound for anyhow. */
export function arrivals({ navigation, metric }: WaysOn, { path }: FoundRoute, nowMs: number): Arrival[] {
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

/** Whether so many were sent the best way lately that the next should look at others too. */
export function isCrowded(
  ways: WaysOn,
  sent: SentDrivers,
  nowMs: number,
  { waitFreeS, ...threshold }: Pick<RerouteSettings, 'waitFreeS' | 'savesMinS' | 'savesMinRatio'>,
): boolean {
  const [best] = ways.routes;
  return (
    best !== undefined &&
    decideReroute(ways.oldMs, best.path.durationMs, threshold) !== 'keep' &&
    sent.waitMs(arrivals(ways, best, nowMs)) > 1_000 * waitFreeS
  );
}

/**
 * The way that a driver is sent: the one that takes least with the wait behind those who were sent before
 * him. None that is longer than the best by what would be worth a word, or the next look would send him back;
 * and none that helps him too little.
 */
export function leastCrowded(
  ways: WaysOn,
  sent: SentDrivers,
  nowMs: number,
  threshold: Pick<RerouteSettings, 'savesMinS' | 'savesMinRatio'>,
): FoundRoute | undefined {
  const { routes, oldMs } = ways;
  let [chosen] = routes;
  if (chosen === undefined) return undefined;
  const bestMs = chosen.path.durationMs;
  const limitMs = bestMs + gainMinMs(bestMs, threshold);
  let leastMs = bestMs + sent.waitMs(arrivals(ways, chosen, nowMs));
  for (const route of routes.slice(1)) {
    const { durationMs } = route.path;
    if (durationMs >= limitMs || decideReroute(oldMs, durationMs, threshold) === 'keep') continue;
    const ms = durationMs + sent.waitMs(arrivals(ways, route, nowMs));
    if (ms >= leastMs) continue;
    leastMs = ms;
    chosen = route;
  }
  return chosen;
}
