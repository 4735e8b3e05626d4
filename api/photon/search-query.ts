import { limits } from '#geocoding/index/limits.js';
import type { LatLng } from '#schemas/units.js';
import { QueryOptions } from '../http/query-options.js';
import type { AddressedPlace, PlaceFinder } from '../ports/place-finder.js';
import * as messages from './messages.js';
import { type Accepts, readShared, sharedOptions } from './shared-options.js';

const known = [
  ...['q', 'lat', 'lon', 'zoom', 'location_bias_scale', 'bbox', 'countrycode', 'suggest_addresses'],
  ...sharedOptions,
];
const resultsDefault = 15;
const zoomMax = 18;
/** A lesser zoom shows so much that nothing is near. */
const zoomLeast = 5;
const zoomDefault = 12;
const scaleDefault = 0.4;

type Query = Readonly<Record<string, string | readonly string[]>>;

/** The search, ready to be run, or what is wrong with it. */
export function parseSearch(
  query: Query,
  header: string | undefined,
  finder: PlaceFinder,
): (() => AddressedPlace[]) | string {
  const options = new QueryOptions(query, known, messages.optionMessages);
  const { languages, limit, accepts } = readShared(options, finder, header, resultsDefault);
  const bias = readBias(options);
  const filters = [accepts, readBox(options), readCountries(options)];
  const text = options.text('q') ?? '';
  if (text === '') options.refuse(messages.noQuery);
  if (text.length > limits.queryLengthMax)
    options.refuse(messages.tooLong(text.length, limits.queryLengthMax));
  if (options.refusal !== undefined) return options.refusal;
  return () =>
    finder.search(text, {
      languages,
      limit,
      prefix: true,
      accepts: (facts) => filters.every((filter) => filter(facts)),
      ...bias,
    });
}

interface Bias {
  readonly near?: LatLng;
  readonly nearness?: { readonly radiusM: number; readonly importance: number };
}

/** The radius follows from the zoom as in Photon: 11 km at zoom 12, 2.2 times as much at zoom 11. */
function readBias(options: QueryOptions): Bias {
  const lat = options.number('lat', { least: -90, most: 90 });
  const lng = options.number('lon', { least: -180, most: 180 });
  const zoom = options.number('zoom', { least: 0, most: zoomMax, clamp: true, integer: true }) ?? zoomDefault;
  const importance =
    options.number('location_bias_scale', { least: 0, most: 1, clamp: true }) ?? scaleDefault;
  if (lat === undefined && lng === undefined) return {};
  if (lat === undefined || lng === undefined)
    return options.refuse(messages.optionMessages.missing(lat === undefined ? 'lat' : 'lon')) ?? {};
  if (zoom < zoomLeast) return {};
  return { near: { lat, lng }, nearness: { radiusM: 2.2 ** (zoomMax - zoom) * 100, importance } };
}

const coordinate = /^\s*[+-]?\d{1,3}(?:\.\d{1,20})?\s*$/;

function readBox(options: QueryOptions): Accepts {
  const text = options.text('bbox');
  if (text === undefined) return () => true;
  const corners = text.split(',');
  if (corners.length !== 4 || !corners.every((corner) => coordinate.test(corner)))
    return options.refuse(messages.badBox) ?? (() => true);
  const [x1, y1, x2, y2] = corners.map(Number) as [number, number, number, number];
  if (Math.max(Math.abs(x1), Math.abs(x2)) > 180 || Math.max(Math.abs(y1), Math.abs(y2)) > 90)
    options.refuse(messages.boxOutOfRange);
  const [west, east] = [Math.min(x1, x2), Math.max(x1, x2)];
  const [south, north] = [Math.min(y1, y2), Math.max(y1, y2)];
  return ({ location: { lat, lng } }) => lng >= west && lng <= east && lat >= south && lat <= north;
}

function readCountries(options: QueryOptions): Accepts {
  const codes = options.list('countrycode').map((code) => code.trim().toUpperCase());
  if (!codes.every((code) => /^[A-Z]{2}$/.test(code))) options.refuse(messages.badCountryCode);
  return ({ countryCode }) => codes.length === 0 || codes.includes(countryCode);
}
