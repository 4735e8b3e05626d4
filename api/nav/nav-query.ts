import type { Static } from 'typebox';
import type { FieldError } from '#platform/http/problem.js';
import { type Avoidance, avoidances } from '#schemas/http/nav.js';
import type { getNavWithWork } from '#schemas/http/search-work.js';
import { offeredLanguage } from '../http/offered-language.js';
import type { Mode, PlanRequest } from '../ports/planner.js';
import { vehicleOf, wrongTopSpeed } from '../vehicle/vehicle-of.js';
import * as messages from './messages.js';
import { parseArrival, parseDeparture } from './parse-departure.js';
import type { Bounds } from './parse-place.js';
import { parseWaypoints, type RequestedWaypoint } from './parse-waypoints.js';
import type { Units } from './quantity-text.js';
import { type RequestedPlace, requestedPlace } from './requested-place.js';

export interface NavQuery {
  readonly origin: RequestedPlace;
  readonly destination: RequestedPlace;
  readonly waypoints: readonly RequestedWaypoint[];
  /** All of a request except its ends. */
  readonly request: Omit<PlanRequest, 'origin' | 'destination' | 'waypoints'> & { readonly language: string };
  readonly units: Units;
  /** Whether the answer has the work of the search. */
  readonly debug: boolean;
}

export type NavQueryOutcome =
  | { readonly ok: true; readonly query: NavQuery }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

export interface NavQueryRules {
  readonly coverage: Bounds;
  /** Languages of guidance. */
  readonly languages: readonly string[];
  /** Unix milliseconds. */
  readonly nowMs?: () => number;
}

const modeOf = {
  driving: 'driving',
  walking: 'walking',
  bicycling: 'bicycling',
  cycling: 'bicycling',
  truck: 'truck',
} as const satisfies Record<string, Mode>;

/** What others call motorways. */
const synonyms: ReadonlyMap<string, Avoidance> = new Map([
  ['highways', 'motorways'],
  ['freeways', 'motorways'],
]);
const alternativesMax = 2;

function parseAvoid(text: string): readonly Avoidance[] | string {
  const words = text.split(/[|,]/).filter((word) => word !== '');
  const known = words.map((word) => synonyms.get(word) ?? avoidances.find((each) => each === word));
  const unknown = known.indexOf(undefined);
  if (unknown >= 0) return messages.notAvoidable(JSON.stringify(words[unknown]), avoidances);
  return [...new Set(known as Avoidance[])];
}

/** From the validated query string to a request for the planner. All faults are reported at once. */
export function parseNavQuery(
  query: Static<(typeof getNavWithWork)['query']>,
  { coverage, languages, nowMs = Date.now }: NavQueryRules,
): NavQueryOutcome {
  const origin = requestedPlace(query.origin, coverage);
  const destination = requestedPlace(query.destination, coverage);
  const avoid = parseAvoid(query.avoid ?? '');
  const language = offeredLanguage(query.language ?? 'en', languages);
  const departure = parseDeparture(query.departure_time, nowMs());
  const arrival = parseArrival(query.arrival_time, nowMs());
  const stops = parseWaypoints(query.waypoints, coverage);
  const errors: FieldError[] = [];
  const refuse = (name: string, message: string): void => {
    errors.push({ pointer: `/query/${name}`, message });
  };
  if (!origin.ok) refuse('origin', origin.message);
  if (!destination.ok) refuse('destination', destination.message);
  if (!stops.ok) refuse('waypoints', stops.message);
  if (typeof avoid === 'string') refuse('avoid', avoid);
  if (language === undefined) refuse('language', messages.languages(languages));
  if (!departure.ok) refuse('departure_time', departure.message);
  if (!arrival.ok) refuse('arrival_time', arrival.message);
  if (query.departure_time !== undefined && query.arrival_time !== undefined)
    refuse('arrival_time', messages.oneTime);
  if (query.waypoints !== undefined && query.alternatives === true)
    refuse('alternatives', messages.noAlternatives);
  const mode = modeOf[query.mode ?? 'driving'];
  const { vehicle, wrong } = vehicleOf(mode, query);
  if (wrong !== undefined) refuse(wrong.field, wrong.message);
  const topSpeedKph = query.top_speed;
  const wrongSpeed = wrongTopSpeed(mode, topSpeedKph);
  if (wrongSpeed !== undefined) refuse('top_speed', wrongSpeed);
  if (errors.length > 0 || !origin.ok || !destination.ok || !stops.ok || !departure.ok || !arrival.ok)
    return { ok: false, errors };
  return {
    ok: true,
    query: {
      ...{ origin: origin.place, destination: destination.place, waypoints: stops.waypoints },
      request: {
        mode,
        ...(vehicle === undefined ? {} : { vehicle }),
        ...(topSpeedKph === undefined ? {} : { topSpeedKph }),
        avoid: avoid as readonly Avoidance[],
        alternatives: query.alternatives === true ? alternativesMax : 0,
        language: language!,
        ...(stops.optimize ? { optimize: true } : {}),
        ...(departure.departureMs === undefined ? {} : { departureMs: departure.departureMs }),
        ...(arrival.arriveByMs === undefined ? {} : { arriveByMs: arrival.arriveByMs }),
      },
      units: query.units ?? 'metric',
      debug: query.debug === true,
    },
  };
}
