import polyline from '@mapbox/polyline';
import type { LatLng } from '#schemas/units.js';
import { osrm } from './messages.js';

/** An option of OSRM's query: its syntax for people, and its parser; undefined for other text. */
interface Option<Value> {
  readonly form: string;
  readonly read: (text: string) => Value | undefined;
}

export const geometryKinds = ['polyline', 'polyline6', 'geojson'] as const;
export type GeometryKind = (typeof geometryKinds)[number];
export const annotationKinds = ['duration', 'nodes', 'distance', 'weight', 'datasources', 'speed'] as const;
export type AnnotationKind = (typeof annotationKinds)[number];

const oneOf = <const Word extends string>(words: readonly Word[]): Option<Word> => ({
  form: words.join(', '),
  read: (text) => words.find((word) => word === text),
});
const toggle: Option<boolean> = {
  form: 'true or false',
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
};
/** One element for each coordinate; an empty one is the default. */
const perCoordinate = <Value>(form: string, read: Option<Value>['read']): Option<(Value | undefined)[]> => ({
  form: `${form};…, one for each coordinate`,
  read: (text) => all(text.split(';').map((each) => (each === '' ? { value: undefined } : wrap(read(each))))),
});
const wrap = <Value>(value: Value | undefined) => (value === undefined ? undefined : { value });
const all = <Value>(read: readonly ({ readonly value: Value } | undefined)[]): Value[] | undefined => {
  const values = read.flatMap((each) => (each === undefined ? [] : [each.value]));
  return values.length === read.length ? values : undefined;
};

const decimal = /^[+-]?\d{1,9}(?:\.\d{1,15})?$/;
const integer = /^[+-]?\d{1,4}$/;
const count = /^\d{1,9}$/;

function readBearing(text: string): { readonly deg: number; readonly rangeDeg: number } | undefined {
  const parts = text.split(',');
  if (parts.length !== 2 || !parts.every((part) => integer.test(part))) return undefined;
  return { deg: Number(parts[0]), rangeDeg: Number(parts[1]) };
}

function readRadius(text: string): number | undefined {
  if (text === 'unlimited') return Number.POSITIVE_INFINITY;
  return decimal.test(text) ? Number(text) : undefined;
}

function readAnnotations(text: string): ReadonlySet<AnnotationKind> | 'all' | undefined {
  if (text === 'true') return 'all';
  if (text === 'false') return new Set();
  const kinds = all(text.split(',').map((word) => wrap(annotationKinds.find((kind) => kind === word))));
  return kinds && new Set(kinds);
}

function readAlternatives(text: string): number | undefined {
  if (text === 'true') return 2;
  if (text === 'false') return 0;
  return count.test(text) ? Number(text) : undefined;
}

/** Every option that OSRM's route service has, and `language`, in which instructions are written. */
export const osrmOptions = {
  alternatives: { form: 'true, false or a number', read: readAlternatives },
  annotations: { form: `true, false or a list of ${annotationKinds.join(', ')}`, read: readAnnotations },
  approaches: perCoordinate(
    'curb, opposite or unrestricted',
    oneOf(['curb', 'opposite', 'unrestricted']).read,
  ),
  bearings: perCoordinate('{degrees},{range}', readBearing),
  continue_straight: oneOf(['default', 'true', 'false']),
  exclude: {
    form: '{class},{class},…',
    read: (text) => (/^[a-zA-Z0-9]+(?:,[a-zA-Z0-9]+)*$/.test(text) ? text.split(',') : undefined),
  },
  format: oneOf(['json', 'flatbuffers']),
  generate_hints: toggle,
  geometries: oneOf(geometryKinds),
  hints: perCoordinate('{hint}', (text) => (/^[\w=-]+$/.test(text) ? text : undefined)),
  language: { form: 'a language code', read: (text) => (/^[\w-]{1,35}$/.test(text) ? text : undefined) },
  overview: oneOf(['simplified', 'full', 'by_legs', 'false']),
  radiuses: perCoordinate('{metres} or unlimited', readRadius),
  skip_waypoints: toggle,
  snapping: oneOf(['default', 'any']),
  steps: toggle,
  waypoints: {
    form: '{index};{index};…',
    read: (text) =>
      all(text.split(';').map((each) => (count.test(each) ? { value: Number(each) } : undefined))),
  },
} as const satisfies Readonly<Record<string, Option<unknown>>>;

type Options = typeof osrmOptions;
export type OsrmOptions = {
  readonly [Name in keyof Options]?: Exclude<ReturnType<Options[Name]['read']>, undefined>;
};

/** The parsed options, or a sentence about an unknown or malformed one. */
export function readOsrmOptions(query: Readonly<Record<string, string>>): OsrmOptions | string {
  const read: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(query)) {
    const option = Object.hasOwn(osrmOptions, name) ? osrmOptions[name as keyof Options] : undefined;
    if (option === undefined) return osrm.unknownOption(name.slice(0, 40));
    const value = option.read(text);
    if (value === undefined) return osrm.badOption(name, option.form, text.slice(0, 40));
    read[name] = value;
  }
  return read as OsrmOptions;
}

const places = /^polyline(6?)\(([?-~]+)\)$/;

/** Longitude and latitude of each place, or a sentence; the range of the values is not checked here. */
export function readCoordinates(text: string): LatLng[] | string {
  const encoded = places.exec(text);
  if (encoded !== null) {
    const decoded = polyline.decode(encoded[2]!, encoded[1] === '6' ? 6 : 5);
    return decoded.map(([lat, lng]) => ({ lat, lng }));
  }
  const found: LatLng[] = [];
  for (const pair of text.split(';')) {
    const numbers = pair.split(',');
    if (numbers.length !== 2 || !numbers.every((number) => decimal.test(number)))
      return osrm.badCoordinate(pair.slice(0, 40));
    found.push({ lng: Number(numbers[0]), lat: Number(numbers[1]) });
  }
  return found;
}
