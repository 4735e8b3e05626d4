import { randomUUID } from 'node:crypto';
import type { RouteChanged } from '#schemas/messages.js';
import type { ServerFrame } from '#schemas/nav-stream.js';

/** Roads of a route that is pushed, about as many as one through a town has. */
const roads = 100;

const edgeIds = Array.from(
  { length: roads },
  (_, i) => `${23_000_000 + i}:${1_000_000_000 + i}-${1_000_000_001 + i}+`,
);
const polyline = Array.from({ length: 6 * roads }, (_, i) => String.fromCharCode(63 + ((i * 7) % 60))).join(
  '',
);

/** A better route for one navigation, of the size of a real one. */
export const betterRoute = (navigationId: string, userId: string, routeVersion: number): RouteChanged => ({
  ...{ navigationId, userId, routeVersion, edgeIds, polyline },
  metricVersion: routeVersion,
  tilesetId: 'bench',
  fromFraction: 0.25,
  toFraction: 0.75,
  durationS: 612.4,
  distanceM: 7_654.3,
  oldDurationS: Number.POSITIVE_INFINITY,
  reason: 'Bergheimer Straße is closed',
  evidence: '4 of 4 guided drivers turned away in 38 s',
  causedMs: Date.now(),
  decidedMs: Date.now(),
  unreachable: false,
});

/** The frame of such a route, for a navigation that the peer does not have: as long as one of ours. */
export function betterFrame(nth: number): string {
  const { routeVersion, edgeIds, ...change } = betterRoute(randomUUID(), '', nth);
  const frame: ServerFrame = {
    type: 'reroute',
    id: routeVersion,
    navigation_id: change.navigationId,
    route: {
      polyline: change.polyline,
      distance_m: Math.fround(change.distanceM),
      duration_s: Math.fround(change.durationS),
      metric_version: change.metricVersion,
      edge_ids: [...edgeIds],
    },
    reason: change.reason,
    evidence: change.evidence,
    saves_s: null,
    caused_at: change.causedMs,
  };
  return JSON.stringify(frame);
}
