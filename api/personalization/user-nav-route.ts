import { type Route, route } from '#platform/http/http-types.js';
import { ObjectStoreUnavailable } from '#platform/object-store/object-store.js';
import { getUserNav } from '#schemas/http/patterns.js';
import { noSuchUser } from '../http/private-answers.js';
import { answerNav, type NavRouteDeps, type UsualnessOf } from '../nav/nav-route.js';
import type { KnownPatterns, PatternsOf } from './known-patterns.js';
import { usualness } from './usual-route.js';

const unknown: KnownPatterns = { places: [], routes: [] };

/** The routes of `GET /v1/nav`, with alternatives, in the order of their user. */
export function userNavRoute(deps: NavRouteDeps & { readonly patterns: PatternsOf }): Route {
  /** A route is more important than its order, so a store that does not answer does not matter. */
  const known = async (userId: string): Promise<KnownPatterns> => {
    try {
      return (await deps.patterns(userId, deps.nowMs())) ?? unknown;
    } catch (error) {
      if (error instanceof ObjectStoreUnavailable) return unknown;
      throw error;
    }
  };
  return route(getUserNav, ({ params, query, signal, identity }) => {
    if (params.id !== identity.userId) return noSuchUser();
    const usualnessOf: UsualnessOf = async (ends, routes) =>
      usualness(await known(identity.userId), ends, routes, deps.nowMs());
    // A route with waypoints has no alternatives.
    const more = query.waypoints === undefined ? { alternatives: true } : {};
    return answerNav(deps, { query: { ...more, ...query }, signal }, usualnessOf);
  });
}
