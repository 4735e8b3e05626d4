import {
  type HourWeight,
  hourOfWeek,
  type LearnedPlace,
  patternLimits,
  type UserPatterns,
  weightAt,
} from '#map-data/learned/user-patterns.js';
import { distanceM } from '#routing-engine/network/earth.js';
import { E7 } from '#schemas/units.js';
import { type Driven, learnTrip } from './learn-trip.js';
import { placeRadiusM, tripMsMax, weightMin } from './settings.js';
import type { Stay } from './stays.js';

const dayOf = (timeMs: number): number => Math.floor(timeMs / 86_400_000);

/**
 * The patterns after one more stay, and the trip that led to it. Stays come in the order of time; one that is
 * in the patterns already changes nothing, so a record may be read again.
 */
export function learnStay(patterns: UserPatterns, stay: Stay, driven: readonly Driven[]): UserPatterns {
  if (stay.leftMs <= patterns.foldedMs) return patterns;
  const atMs = stay.leftMs;
  const living = patterns.places.filter(({ lastMs }) => atMs - lastMs < patternLimits.keptMs);
  const known = nearest(living, stay);
  const place = known === undefined ? newPlace(patterns.nextPlaceId, stay) : withStay(known, stay);
  const places = mostUsed([...living.filter(({ id }) => id !== place.id), place], atMs);
  const kept = new Set(places.map(({ id }) => id));
  const routes = patterns.routes.filter(
    ({ from, to, lastMs }) => kept.has(from) && kept.has(to) && atMs - lastMs < patternLimits.keptMs,
  );
  const { last } = patterns;
  const isTrip =
    last !== undefined &&
    last.place !== place.id &&
    kept.has(last.place) &&
    kept.has(place.id) &&
    stay.arrivedMs - last.leftMs <= tripMsMax;
  return {
    sinceMs: patterns.sinceMs,
    foldedMs: atMs,
    nextPlaceId: known === undefined ? patterns.nextPlaceId + 1 : patterns.nextPlaceId,
    last: { place: place.id, leftMs: atMs },
    places,
    routes: isTrip ? learnTrip(routes, last, { place: place.id, arrivedMs: stay.arrivedMs }, driven) : routes,
  };
}

function nearest(places: readonly LearnedPlace[], stay: Stay): LearnedPlace | undefined {
  let best: LearnedPlace | undefined;
  let bestM = placeRadiusM;
  for (const place of places) {
    const metres = distanceM(place.lngE7 / E7, place.latE7 / E7, stay.lngE7 / E7, stay.latE7 / E7);
    if (metres > bestM || (metres === bestM && best !== undefined)) continue;
    best = place;
    bestM = metres;
  }
  return best;
}

const newPlace = (id: number, { latE7, lngE7, arrivedMs, leftMs }: Stay): LearnedPlace => ({
  ...{ id, latE7, lngE7, weight: 1, days: 1, lastDay: dayOf(arrivedMs), lastMs: leftMs },
  arrivals: [[hourOfWeek(arrivedMs), 1]],
  departures: [[hourOfWeek(leftMs), 1]],
});

function withStay(place: LearnedPlace, { latE7, lngE7, arrivedMs, leftMs }: Stay): LearnedPlace {
  const before = weightAt(place.weight, place.lastMs, leftMs);
  const weight = before + 1;
  const day = dayOf(arrivedMs);
  const hours = (known: readonly HourWeight[], timeMs: number) =>
    withHour(
      known.map(([hour, each]) => [hour, weightAt(each, place.lastMs, leftMs)] as const),
      hourOfWeek(timeMs),
    );
  return {
    id: place.id,
    latE7: Math.round((place.latE7 * before + latE7) / weight),
    lngE7: Math.round((place.lngE7 * before + lngE7) / weight),
    weight,
    days: place.days + (day > place.lastDay ? 1 : 0),
    lastDay: day,
    lastMs: leftMs,
    arrivals: hours(place.arrivals, arrivedMs),
    departures: hours(place.departures, leftMs),
  };
}

function withHour(hours: readonly HourWeight[], hour: number): HourWeight[] {
  const others = hours.filter(([each, weight]) => each !== hour && weight >= weightMin);
  const before = hours.find(([each]) => each === hour)?.[1] ?? 0;
  return [...others, [hour, before + 1] as const].sort((a, b) => a[0] - b[0]);
}

/** The places that stay where there are more than may be kept: those of the greatest weight now. */
function mostUsed(places: readonly LearnedPlace[], atMs: number): LearnedPlace[] {
  return places
    .toSorted(
      (a, b) => weightAt(b.weight, b.lastMs, atMs) - weightAt(a.weight, a.lastMs, atMs) || a.id - b.id,
    )
    .slice(0, patternLimits.placesMax);
}
