import type { Route } from '#platform/http/http-types.js';
import { type NavRouteDeps, navRoute } from './nav-route.js';
import { stepsRoute } from './steps-route.js';

/** Routes from place to place, and, where routing threads describe them, the steps of known routes. */
export const navRoutes = (deps: NavRouteDeps): readonly Route[] => [
  navRoute(deps),
  ...(deps.releases.current.routing === undefined ? [] : [stepsRoute(deps.releases, deps.languages)]),
];
