import type { Route } from '#platform/http/http-types.js';
import { hasAnyScope } from '#platform/http/identity.js';
import { problem, problems } from '#platform/http/problem.js';
import { singleHotels } from './messages.js';

/**
 * A payment order does not say which hotel it is for, so the scope `desk` counts here only for people who are
 * not limited to single hotels.
 */
export function notForSingleHotels(route: Route): Route {
  const { scopes } = route.contract;
  if (typeof scopes === 'string' || !scopes.includes('desk')) return route;
  const others = scopes.filter((scope) => scope !== 'desk');
  return {
    ...route,
    handle: (request) =>
      request.identity?.properties === undefined || hasAnyScope(request.identity, others)
        ? route.handle(request)
        : problem(problems.forbidden, singleHotels),
  };
}
