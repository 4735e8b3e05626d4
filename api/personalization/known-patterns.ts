import type { UserPatternStore } from '#map-data/learned/user-pattern-store.js';
import {
  isUsualPlace,
  isUsualRoute,
  type LearnedPlace,
  type LearnedRoute,
} from '#map-data/learned/user-patterns.js';
import type { Permissions } from './permissions.js';

/** The usual places, and the usual routes between them, of one user at one time. */
export interface KnownPatterns {
  readonly places: readonly LearnedPlace[];
  readonly routes: readonly LearnedRoute[];
}

/** Undefined for a user without permission. Rejects with `ObjectStoreUnavailable`. */
export type PatternsOf = (userId: string, nowMs: number) => Promise<KnownPatterns | undefined>;

const nothing: KnownPatterns = { places: [], routes: [] };

export function patternsOf(
  store: Pick<UserPatternStore, 'read'>,
  permissions: Pick<Permissions, 'sinceMs'>,
): PatternsOf {
  return async (userId, nowMs) => {
    const sinceMs = permissions.sinceMs(userId);
    if (sinceMs === undefined) return undefined;
    const stored = await store.read(userId);
    // What was learned under a revoked permission is about to be deleted.
    if (stored === undefined || stored.sinceMs < sinceMs) return nothing;
    const places = stored.places.filter((place) => isUsualPlace(place, nowMs));
    const ids = new Set(places.map(({ id }) => id));
    const routes = stored.routes.filter(
      (route) => ids.has(route.from) && ids.has(route.to) && isUsualRoute(route, nowMs),
    );
    return { places, routes };
  };
}
