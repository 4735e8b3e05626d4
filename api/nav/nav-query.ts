import type { Static } from 'typebox';
import type { FieldError } from '#platform/http/problem.js';
import { type Avoidance, avoidances, type getNav } from '#schemas/http/nav.js';
import { type Bounds, parsePlace } from './parse-place.js';
import type { Mode, PlanRequest } from './planner.js';
import type { Units } from './quantity-text.js';

export interface NavQuery {
  readonly request: PlanRequest & { readonly language: string };
  readonly units: Units;
}

export type NavQueryOutcome =
  | { readonly ok: true; readonly query: NavQuery }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

export interface NavQueryRules {
  readonly coverage: Bounds;
  /** Languages that guidance is offered in, base tags such as `sv`. */
  readonly languages: readonly string[];
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
  if (unknown >= 0)
    return `${JSON.stringify(words[unknown])} cannot be avoided; these can: ${avoidances.join(', ')}.`;
  return [...new Set(known as Avoidance[])];
}

/** `sv-SE` is served as `sv`; nothing asked for is English. */
function parseLanguage(text: string | undefined, languages: readonly string[]): string | undefined {
  if (text === undefined) return 'en';
  const exact = languages.find((each) => each.toLowerCase() === text.toLowerCase());
  const base = text.split(/[-_]/)[0]!.toLowerCase();
  return exact ?? languages.find((each) => each.toLowerCase() === base);
}

/** From the validated query string to a request for the planner. All faults are told at once. */
export function parseNavQuery(
  query: Static<(typeof getNav)['query']>,
  { coverage, languages }: NavQueryRules,
): NavQueryOutcome {
  const origin = parsePlace(query.origin, coverage);
  const destination = parsePlace(query.destination, coverage);
  const avoid = parseAvoid(query.avoid ?? '');
  const language = parseLanguage(query.language, languages);
  if (origin.ok && destination.ok && typeof avoid !== 'string' && language !== undefined) {
    const request = {
      origin: origin.place,
      destination: destination.place,
      mode: modeOf[query.mode ?? 'driving'],
      avoid,
      alternatives: query.alternatives === true ? alternativesMax : 0,
      language,
    };
    return { ok: true, query: { request, units: query.units ?? 'metric' } };
  }
  const errors: FieldError[] = [];
  if (!origin.ok) errors.push({ pointer: '/query/origin', message: origin.message });
  if (!destination.ok) errors.push({ pointer: '/query/destination', message: destination.message });
  if (typeof avoid === 'string') errors.push({ pointer: '/query/avoid', message: avoid });
  if (language === undefined)
    errors.push({ pointer: '/query/language', message: `Not offered; these are: ${languages.join(', ')}.` });
  return { ok: false, errors };
}
