import { type HttpAnswer, type RequestOf, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { getNavWithWork } from '#schemas/http/search-work.js';
import type { LatLng } from '#schemas/units.js';
import type { Geocoder } from '../ports/geocoder.js';
import type { Plan, PlannedRoute, PlanRequest, PlanWaypoint } from '../ports/planner.js';
import type { Releases } from '../release/served-release.js';
import * as messages from './messages.js';
import { type AskedEnds, navAnswer, unknownPlaceAnswer } from './nav-answer.js';
import { type NavQuery, parseNavQuery } from './nav-query.js';
import { planFailure } from './plan-failure.js';
import type { Usualness } from './rank-routes.js';
import type { RequestedPlace } from './requested-place.js';
import { type ResolvedPlace, resolvePlace } from './resolve-place.js';

export interface NavRouteDeps {
  readonly releases: Releases;
  /** Languages that guidance is offered in. */
  readonly languages: readonly string[];
  readonly nowMs: () => number;
}

export const navRoute = (deps: NavRouteDeps): Route =>
  route(getNavWithWork, (asked) => answerNav(deps, asked));

/** How much the user drives each of the routes from `ends.origin` to `ends.destination`, by car. */
export type UsualnessOf = (
  ends: Pick<PlanRequest, 'origin' | 'destination'>,
  routes: readonly PlannedRoute[],
) => Promise<Usualness>;

/** Routes from place to place under current traffic. Places and roads of an answer are from one release. */
export const answerNav = (
  { releases, languages, nowMs }: NavRouteDeps,
  asked: Pick<RequestOf<typeof getNavWithWork>, 'query' | 'signal'>,
  usualnessOf?: UsualnessOf,
): Promise<HttpAnswer> =>
  releases.use(async ({ planner, geocoder, roads, traffic }) => {
    const outcome = parseNavQuery(asked.query, { coverage: roads.area.bounds, languages, nowMs });
    if (!outcome.ok) return problem(problems.invalid, undefined, { errors: outcome.errors });
    const { query } = outcome;
    const { mode, language } = query.request;
    const asksGeocoder = [query.origin, ...query.waypoints.map(({ place }) => place), query.destination];
    const needsGeocoder = asksGeocoder.some(({ kind }) => kind !== 'point');
    if (needsGeocoder && geocoder === undefined) return noIndex();
    const startedMs = performance.now();
    const ends = resolveEnds(geocoder, query);
    const foundMs = performance.now();
    const timings = { geocode: foundMs - startedMs };
    const headers = { 'cache-control': 'no-store' };
    const request = planRequest(query, ends);
    if (request === undefined) {
      const frame = { metricVersion: traffic().version, tilesetId: roads.tilesetId };
      return { status: 200, headers, timings, body: unknownPlaceAnswer(ends, frame, { mode }) };
    }
    let plan: Plan;
    try {
      plan = await planner.plan(request, { signal: asked.signal });
    } catch (error) {
      return planFailure(error, asked.signal);
    }
    const search = performance.now() - foundMs;
    const usualness =
      plan.kind === 'routes' && mode === 'driving' ? await usualnessOf?.(request, plan.routes) : undefined;
    const { arriveByMs } = query.request;
    const style = {
      ...{ mode, units: query.units, language, nowMs: nowMs(), debug: query.debug },
      ...(usualness && { usualness }),
      ...(arriveByMs === undefined ? {} : { arriveByMs }),
    };
    return {
      status: 200,
      headers,
      timings: { ...timings, search },
      body: navAnswer(plan, ends, style),
    };
  });

const noIndex = (): HttpAnswer => problem(problems.unavailable, messages.noIndex, { retryAfterS: 5 });

/** Each place is searched near the one before it: of two streets of one name people mean the nearer. */
function resolveEnds(
  geocoder: Geocoder | undefined,
  { origin, destination, waypoints, request }: NavQuery,
): AskedEnds {
  const { mode, language } = request;
  const find = (place: RequestedPlace, near: LatLng | undefined): ResolvedPlace | undefined =>
    resolvePlace(geocoder, place, { mode, language, ...(near === undefined ? {} : { near }) });
  const from = find(origin, destination.kind === 'point' ? destination.at : undefined);
  let near = from?.at;
  const between = waypoints.map(({ place }) => {
    const found = find(place, near);
    near = found?.at ?? near;
    return found;
  });
  return { origin: from, waypoints: between, destination: find(destination, near) };
}

function planRequest({ request, waypoints }: NavQuery, ends: AskedEnds): PlanRequest | undefined {
  const { origin, destination } = ends;
  if (origin === undefined || destination === undefined) return undefined;
  const between: PlanWaypoint[] = [];
  for (const [at, { isVia }] of waypoints.entries()) {
    const found = ends.waypoints?.[at];
    if (found === undefined) return undefined;
    between.push({ at: found.at, isVia, ...(found.onRoad === undefined ? {} : { onRoad: found.onRoad }) });
  }
  return {
    ...request,
    origin: origin.at,
    destination: destination.at,
    ...(between.length === 0 ? {} : { waypoints: between }),
    ...(origin.onRoad === undefined ? {} : { originOnRoad: origin.onRoad }),
    ...(destination.onRoad === undefined ? {} : { destinationOnRoad: destination.onRoad }),
  };
}
