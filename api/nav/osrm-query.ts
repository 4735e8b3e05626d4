import { type Avoidance, avoidances } from '#schemas/http/nav.js';
import type { LatLng } from '#schemas/units.js';
import type { Mode } from './planner.js';

export const geometryKinds = ['polyline', 'polyline6', 'geojson'] as const;
export type GeometryKind = (typeof geometryKinds)[number];

export interface OsrmQuery {
  readonly mode: Mode;
  readonly coordinates: readonly LatLng[];
  readonly alternatives: number;
  readonly steps: boolean;
  readonly overview: boolean;
  readonly geometries: GeometryKind;
  readonly language: string;
  readonly avoid: readonly Avoidance[];
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
const excludes: ReadonlyMap<string, Avoidance> = new Map([
  ['toll', 'tolls'],
  ['motorway', 'motorways'],
  ['ferry', 'ferries'],
]);

export const coordinatesMax = 12;
const alternativesMax = 3;
const decimal = /^-?\d{1,3}(?:\.\d{1,15})?$/;

export interface OsrmParts {
  readonly profile: string;
  readonly coordinates: string;
  readonly alternatives?: string;
  readonly steps?: string;
  readonly geometries?: string;
  readonly overview?: string;
  readonly language?: string;
  readonly exclude?: string;
}

/** From path and query to a question, or OSRM's refusal. */
export function parseOsrmQuery(parts: OsrmParts, languages: readonly string[]): OsrmQuery | OsrmRefusal {
  const mode = modes.get(parts.profile);
  if (mode === undefined)
    return { code: 'InvalidValue', message: `Profile must be one of ${[...modes.keys()].join(', ')}.` };
  const coordinates = parts.coordinates.split(';').map(parseCoordinate);
  const wrong = coordinates.find((each) => typeof each === 'string');
  if (typeof wrong === 'string') return { code: 'InvalidQuery', message: wrong };
  if (coordinates.length < 2) return { code: 'InvalidOptions', message: 'Give at least two coordinates.' };
  if (coordinates.length > coordinatesMax)
    return { code: 'TooBig', message: `${coordinates.length} coordinates, ${coordinatesMax} are taken.` };
  const geometries = geometryKinds.find((kind) => kind === (parts.geometries ?? 'polyline'));
  if (geometries === undefined)
    return { code: 'InvalidValue', message: `geometries is one of ${geometryKinds.join(', ')}.` };
  if (!['simplified', 'full', 'false', undefined].includes(parts.overview))
    return { code: 'InvalidValue', message: 'overview is simplified, full or false.' };
  const alternatives = parseAlternatives(parts.alternatives ?? 'false');
  if (alternatives === undefined)
    return { code: 'InvalidValue', message: 'alternatives is true, false or a number.' };
  const avoid = (parts.exclude ?? '').split(',').filter((word) => word !== '');
  const known = avoid.map((word) => excludes.get(word) ?? avoidances.find((each) => each === word));
  if (known.includes(undefined))
    return { code: 'InvalidValue', message: `exclude takes ${[...excludes.keys()].join(', ')}.` };
  const base = parts.language?.split(/[-_]/)[0]?.toLowerCase();
  return {
    mode,
    coordinates: coordinates as LatLng[],
    // A way through several places has no alternatives.
    alternatives: coordinates.length === 2 ? alternatives : 0,
    steps: parts.steps === 'true',
    overview: parts.overview !== 'false',
    geometries,
    language: languages.find((each) => each === base) ?? 'en',
    avoid: known as Avoidance[],
  };
}

function parseCoordinate(text: string): LatLng | string {
  const [lngText, latText, ...rest] = text.split(',');
  if (rest.length > 0 || !decimal.test(lngText ?? '') || !decimal.test(latText ?? ''))
    return `"${text.slice(0, 40)}" is no coordinate: write longitude,latitude.`;
  const lng = Number(lngText);
  const lat = Number(latText);
  if (Math.abs(lat) > 90) return `Latitude ${lat} is not between -90 and 90: write longitude,latitude.`;
  if (Math.abs(lng) > 180) return `Longitude ${lng} is not between -180 and 180.`;
  return { lat, lng };
}

function parseAlternatives(text: string): number | undefined {
  if (text === 'true') return 2;
  if (text === 'false') return 0;
  return /^\d{1,2}$/.test(text) ? Math.min(alternativesMax, Number(text)) : undefined;
}
