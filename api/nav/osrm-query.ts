import { avoidMask } from '#routing-engine/network/edge-flags.js';
import { limits } from '#routing-engine/network/limits.js';
import type { AskedStop } from '#routing-engine/snap/stop-places.js';
import { type Avoidance, avoidances } from '#schemas/http/nav.js';
import type { LatLng } from '#schemas/units.js';
import type { ThroughQuestion } from '../ports/plan-through.js';
import type { Mode } from '../ports/planner.js';
import { osrm } from './messages.js';
import { osrmHint } from './osrm-hint.js';
import {
  type AnnotationKind,
  annotationKinds,
  type GeometryKind,
  type OsrmOptions,
  readCoordinates,
  readOsrmOptions,
} from './osrm-options.js';

/** A query, and the requested parts of the answer. */
export interface OsrmQuery {
  readonly question: ThroughQuestion;
  readonly overview: 'simplified' | 'full' | 'by_legs' | 'false';
  readonly geometries: GeometryKind;
  readonly annotations: ReadonlySet<AnnotationKind>;
  readonly hints: boolean;
  readonly waypoints: boolean;
}

export type OsrmCode =
  | 'InvalidQuery'
  | 'InvalidValue'
  | 'InvalidOptions'
  | 'TooBig'
  | 'NoSegment'
  | 'NoRoute';
export interface OsrmRefusal {
  readonly code: OsrmCode;
  readonly message: string;
}

const modes: ReadonlyMap<string, Mode> = new Map([
  ['driving', 'driving'],
  ['car', 'driving'],
  ['cycling', 'bicycling'],
  ['bike', 'bicycling'],
  ['bicycle', 'bicycling'],
  ['walking', 'walking'],
  ['foot', 'walking'],
]);
const classes: ReadonlyMap<string, Avoidance> = new Map([
  ['toll', 'tolls'],
  ['motorway', 'motorways'],
  ['ferry', 'ferries'],
  ...avoidances.map((word) => [word, word] as const),
]);

const alternativesMax = 3;
/** Default radius, as everywhere in the platform. */
const defaultRadiusM = 1_000;

/**
 * From path and query string to a query, or OSRM's refusal; checked in OSRM's order: form, number of
 * elements, size, values.
 */
export function parseOsrmQuery(
  { profile, coordinates: text }: { readonly profile: string; readonly coordinates: string },
  query: Readonly<Record<string, string>>,
  languages: readonly string[],
): OsrmQuery | OsrmRefusal {
  const [, list, suffix] = /^(.*?)(?:\.(json|flatbuffers))?$/s.exec(text)!;
  const coordinates = readCoordinates(list!);
  if (typeof coordinates === 'string') return { code: 'InvalidQuery', message: coordinates };
  const options = readOsrmOptions(query);
  if (typeof options === 'string') return { code: 'InvalidQuery', message: options };
  const mode = modes.get(profile);
  const language = languageOf(options, languages);
  const message = wrongOptions(options, coordinates);
  if (message !== undefined) return { code: 'InvalidOptions', message };
  const tooBig = tooMany(options, coordinates);
  if (tooBig !== undefined) return { code: 'TooBig', message: tooBig };
  if (mode === undefined) return { code: 'InvalidValue', message: osrm.profiles([...modes.keys()]) };
  if (language === undefined) return { code: 'InvalidValue', message: osrm.languages(languages) };
  const wrong = wrongValue(options, coordinates, suffix);
  if (wrong !== undefined) return { code: 'InvalidValue', message: wrong };
  const { annotations = new Set(), overview = 'simplified' } = options;
  const annotated = annotations === 'all' ? new Set(annotationKinds.filter(isKept)) : annotations;
  const avoided = (options.exclude ?? []).flatMap((word) => classes.get(word) ?? []);
  const goOn = continuesStraight(options, mode);
  return {
    question: {
      mode,
      stops: coordinates.map((point, at) => askedStop(point, at, options)),
      legEnds: legEnds(options, coordinates),
      avoid: avoidMask(avoided),
      stopsOnFerries: options.snapping === 'any',
      // A route through several places has no alternatives.
      alternatives: coordinates.length === 2 ? (options.alternatives ?? 0) : 0,
      ...(goOn === undefined ? {} : { goOn }),
      ...(options.steps === true ? { language } : {}),
      annotate: annotated.size > 0,
      simplify: overview === 'simplified',
    },
    overview,
    geometries: options.geometries ?? 'polyline',
    annotations: annotated,
    hints: options.generate_hints ?? true,
    waypoints: options.skip_waypoints !== true,
  };
}

/** A map keeps the nodes of OpenStreetMap at crossings only, not along the roads. */
const isKept = (kind: AnnotationKind): boolean => kind !== 'nodes';

/**
 * Undefined: go straight on unless there is no other route. As in OSRM's profiles, this applies to drivers
 * only.
 */
function continuesStraight({ continue_straight: asked }: OsrmOptions, mode: Mode): boolean | undefined {
  if (asked === 'true' || asked === 'false') return asked === 'true';
  return mode === 'driving' ? undefined : false;
}

function languageOf({ language }: OsrmOptions, languages: readonly string[]): string | undefined {
  const base = (language ?? 'en').split(/[-_]/)[0]!.toLowerCase();
  return language === undefined ? 'en' : languages.find((each) => each === base);
}

const legEnds = ({ waypoints }: OsrmOptions, coordinates: readonly LatLng[]): number[] =>
  coordinates.flatMap((_, at) => (at > 0 && (waypoints?.includes(at) ?? true) ? [at] : []));

function askedStop(point: LatLng, at: number, options: OsrmOptions): AskedStop {
  const heading = options.bearings?.[at];
  const approach = options.approaches?.[at];
  const hint = options.hints?.[at];
  const road = hint === undefined ? undefined : osrmHint.read(hint);
  return {
    point,
    maxMeters: Math.min(options.radiuses?.[at] ?? defaultRadiusM, limits.snapMetersMax),
    ...(heading === undefined ? {} : { heading }),
    ...(approach === undefined || approach === 'unrestricted' ? {} : { approach }),
    ...(road === undefined ? {} : { hint: road }),
  };
}

function wrongOptions(options: OsrmOptions, coordinates: readonly LatLng[]): string | undefined {
  const { length } = coordinates;
  for (const name of ['hints', 'bearings', 'radiuses', 'approaches'] as const) {
    const size = options[name]?.length ?? length;
    if (size !== length) return osrm.elements(name, size, length);
  }
  if (length < 2) return osrm.twoCoordinates;
  for (const bearing of options.bearings ?? []) {
    if (bearing === undefined) continue;
    const { deg, rangeDeg } = bearing;
    if (deg < 0 || deg > 360 || rangeDeg < 0 || rangeDeg > 180) return osrm.bearing(deg, rangeDeg);
  }
  const negative = options.radiuses?.find((radius) => radius !== undefined && radius < 0);
  if (negative !== undefined) return osrm.radius(negative);
  const beyond = options.waypoints?.find((index) => index >= length);
  return beyond === undefined ? undefined : osrm.noCoordinate(beyond);
}

function tooMany({ alternatives = 0 }: OsrmOptions, { length }: readonly LatLng[]): string | undefined {
  if (length > limits.stopsMax) return osrm.tooManyStops(length, limits.stopsMax);
  return alternatives > alternativesMax ? osrm.tooManyAlternatives(alternativesMax) : undefined;
}

function wrongValue(
  options: OsrmOptions,
  coordinates: readonly LatLng[],
  suffix: string | undefined,
): string | undefined {
  const { waypoints, hints, exclude = [], annotations, format } = options;
  const off = coordinates.find(({ lat, lng }) => Math.abs(lat) > 90 || Math.abs(lng) > 180);
  if (off !== undefined) return osrm.notOnEarth(off.lng, off.lat);
  if (waypoints !== undefined && (waypoints[0] !== 0 || waypoints.at(-1) !== coordinates.length - 1))
    return osrm.waypointEnds;
  const hint = hints?.find((each) => each !== undefined && osrmHint.read(each) === undefined);
  if (hint !== undefined) return osrm.badHint(hint.slice(0, 40));
  const unknown = exclude.find((word) => word !== 'none' && !classes.has(word));
  if (unknown !== undefined || (exclude.includes('none') && exclude.length > 1))
    return osrm.exclude([...classes.keys()]);
  if (annotations !== undefined && annotations !== 'all' && annotations.has('nodes')) return osrm.noNodes;
  if (format === 'flatbuffers' || suffix === 'flatbuffers') return osrm.onlyJson;
  return undefined;
}
