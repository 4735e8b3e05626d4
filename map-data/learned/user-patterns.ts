/** What is learned of one user who allowed it. Plain data: it is stored as JSON. */
export interface UserPatterns {
  /** Time of the permission under which it was learned, Unix milliseconds. */
  readonly sinceMs: number;
  /** End of the last stay that is in it; an older one changes nothing. */
  readonly foldedMs: number;
  readonly nextPlaceId: number;
  /** Where the user was last. */
  readonly last?: { readonly place: number; readonly leftMs: number };
  /** At most `placesMax`. */
  readonly places: readonly LearnedPlace[];
  /** At most `routesMax`. */
  readonly routes: readonly LearnedRoute[];
}

/** Hours are those of the week in UTC: 0 is Monday 00:00 to 01:00. */
export type HourWeight = readonly [hourOfWeek: number, weight: number];

export interface LearnedPlace {
  readonly id: number;
  /** Mean of the stays, weighted as they are. */
  readonly latE7: number;
  readonly lngE7: number;
  /** Stays, each halved every `halfLifeMs`; as of `lastMs`, like the weights of the hours. */
  readonly weight: number;
  /** Different days (UTC) on which the user arrived. */
  readonly days: number;
  /** Number of the last such day since 1970. */
  readonly lastDay: number;
  /** End of the last stay. */
  readonly lastMs: number;
  readonly arrivals: readonly HourWeight[];
  readonly departures: readonly HourWeight[];
}

/** One way between two places; edges by their stable ids, which outlive a tileset. */
export interface LearnedRoute {
  readonly from: number;
  readonly to: number;
  readonly trips: number;
  /** Trips, each halved every `halfLifeMs`; as of `lastMs`. */
  readonly weight: number;
  readonly lastMs: number;
  /** The longest edges of the last trip, at most `routeEdgesMax`. */
  readonly edges: readonly (readonly [edgeId: string, lengthM: number])[];
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const hoursPerWeek = 168;

export const patternLimits = {
  placesMax: 20,
  routesMax: 24,
  routesPerPairMax: 3,
  routeEdgesMax: 100,
  halfLifeMs: 30 * dayMs,
  /** A place or route is dropped when it was not used for this long, and patterns without a stay too. */
  keptMs: 90 * dayMs,
  /** A place is usual after arrivals on this many days, and a route after this many trips. */
  usualDays: 3,
  usualTrips: 3,
} as const;

export const weightAt = (weight: number, asOfMs: number, atMs: number): number =>
  weight * 0.5 ** (Math.max(0, atMs - asOfMs) / patternLimits.halfLifeMs);

/** Hour of the week in UTC; the first of January 1970 was a Thursday. */
export const hourOfWeek = (timeMs: number): number => (Math.floor(timeMs / hourMs) + 3 * 24) % hoursPerWeek;

export const isUsualPlace = ({ days, lastMs }: LearnedPlace, nowMs: number): boolean =>
  days >= patternLimits.usualDays && nowMs - lastMs < patternLimits.keptMs;

export const isUsualRoute = ({ trips, lastMs }: LearnedRoute, nowMs: number): boolean =>
  trips >= patternLimits.usualTrips && nowMs - lastMs < patternLimits.keptMs;
