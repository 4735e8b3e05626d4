import type { Static } from 'typebox';
import type { FieldError } from '#platform/http/problem.js';
import { type Avoidance, avoidances, type getNav } from '#schemas/http/nav.js';
import type { Mode, PlanRequest } from '../ports/planner.js';
import * as messages from './messages.js';
import { parseDeparture } from './parse-departure.js';
import type { Bounds } from './parse-place.js';
import type { Units } from './quantity-text.js';
import { type RequestedPlace, requestedPlace } from './requested-place.js';

export interface NavQuery {
  readonly origin: RequestedPlace;
  readonly destination: RequestedPlace;
  /** All of a request except its ends. */
  readonly request: Omit<PlanRequest, 'origin' | 'destination'> & { readonly language: string };
  readonly units: Units;
}

export type NavQueryOutcome =
  | { readonly ok: true; readonly query: NavQuery }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

export interface NavQueryRules {
  readonly coverage: Bounds;
  /** Languages of guidance, base tags such as `sv`. */
  readonly languages: readonly string[];
  /** Unix milliseconds. */
  readonly nowMs?: () => number;
}

const modeOf = {
  driving: 'driving',
  walking: 'walking',
  bicycling: 'bicycling',
  cycling: 'bicycling',
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

/** `sv-SE` is served as `sv`; without a language, English is used. */
function parseLanguage(text: string | undefined, languages: readonly string[]): string | undefined {
  if (text === undefined) return 'en';
  const exact = languages.find((each) => each.toLowerCase() === text.toLowerCase());
  const base = text.split(/[-_]/)[0]!.toLowerCase();
  return exact ?? languages.find((each) => each.toLowerCase() === base);
}

/** From the validated query string to a request for the planner. All faults are reported at once. */
export function parseNavQuery(
  query: Static<(typeof getNav)['query']>,
  { coverage, languages, nowMs = Date.now }: NavQueryRules,
): NavQueryOutcome {
  const origin = requestedPlace(query.origin, coverage);
  const destination = requestedPlace(query.destination, coverage);
  const avoid = parseAvoid(query.avoid ?? '');
  const language = parseLanguage(query.language, languages);
  const departure = parseDeparture(query.departure_time, nowMs());
  if (origin.ok && destination.ok && departure.ok && typeof avoid !== 'string' && language !== undefined) {
    const request = {
      mode: modeOf[query.mode ?? 'driving'],
      avoid,
      alternatives: query.alternatives === true ? alternativesMax : 0,
      language,
      ...(departure.departureMs === undefined ? {} : { departureMs: departure.departureMs }),
    };
    const units = query.units ?? 'metric';
    return {
      ok: true,
      query: { origin: origin.place, destination: destination.place, request, units },
    };
  }
  const errors: FieldError[] = [];
  if (!origin.ok) errors.push({ pointer: '/query/origin', message: origin.message });
  if (!destination.ok) errors.push({ pointer: '/query/destination', message: destination.message });
  if (typeof avoid === 'string') errors.push({ pointer: '/query/avoid', message: avoid });
  if (language === undefined)
    errors.push({ pointer: '/query/language', message: messages.languages(languages) });
  if (!departure.ok) errors.push({ pointer: '/query/departure_time', message: departure.message });
  return { ok: false, errors };
}
