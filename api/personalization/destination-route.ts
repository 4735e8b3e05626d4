import { hourOfWeek, type LearnedPlace, weightAt } from '#map-data/learned/user-patterns.js';
import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { getDestinations } from '#schemas/http/patterns.js';
import { E7, type LatLng } from '#schemas/units.js';
import { noSuchUser, privateHeaders } from '../http/private-answers.js';
import { type Bounds, parsePlace } from '../nav/parse-place.js';
import { isAt } from './is-at.js';
import type { PatternsOf } from './known-patterns.js';
import { orStoreUnavailable } from './owner-answers.js';

const suggestionsDefault = 5;
/** An arrival in the hour before or after counts half. */
const nextHour = 0.5;
/** An arrival at this hour of another day, and one at any time. */
const otherDay = 0.2;
const anyTime = 0.01;

/** The user's usual places, the most likely destination at this hour first. */
export function destinationRoute(deps: {
  readonly patterns: PatternsOf;
  readonly coverage: () => Bounds;
  readonly nowMs: () => number;
}): Route {
  return route(getDestinations, ({ params, query, identity }) => {
    if (params.id !== identity.userId) return noSuchUser();
    const from = query.from === undefined ? undefined : parsePlace(query.from, deps.coverage());
    if (from?.ok === false) {
      const errors = [{ pointer: '/query/from', message: from.message }];
      return problem(problems.invalid, undefined, { errors });
    }
    return orStoreUnavailable(async () => {
      const now = deps.nowMs();
      const known = await deps.patterns(identity.userId, now);
      const places = likelyAt(known?.places ?? [], now, from?.place).slice(
        0,
        query.limit ?? suggestionsDefault,
      );
      return {
        status: 200,
        headers: privateHeaders,
        body: {
          places: places.map(({ id, latE7, lngE7, days }) => ({
            ...{ id, days },
            location: { lat: latE7 / E7, lng: lngE7 / E7 },
          })),
        },
      };
    });
  });
}

export function likelyAt(places: readonly LearnedPlace[], nowMs: number, from?: LatLng): LearnedPlace[] {
  const hour = hourOfWeek(nowMs);
  return places
    .filter((place) => from === undefined || !isAt(place, from))
    .map((place) => ({ place, score: scoreAt(place, hour, nowMs) }))
    .sort((a, b) => b.score - a.score || a.place.id - b.place.id)
    .map(({ place }) => place);
}

function scoreAt({ arrivals, lastMs }: LearnedPlace, hour: number, nowMs: number): number {
  const score = arrivals.reduce((sum, [each, weight]) => {
    const apart = Math.min((each - hour + 168) % 168, (hour - each + 168) % 168);
    const apartInDay = Math.min(apart % 24, 24 - (apart % 24));
    const near = (hours: number): number => (hours === 0 ? 1 : hours === 1 ? nextHour : 0);
    return sum + weight * (near(apart) + otherDay * near(apartInDay) + anyTime);
  }, 0);
  return weightAt(score, lastMs, nowMs);
}
