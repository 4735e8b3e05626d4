import { randomUUID } from 'node:crypto';
import type { RouteChanged } from '#schemas/messages.js';

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
});

/** Stands for a navigation where the peer has none: as long as one of ours. */
export const someId = (): string => randomUUID();
