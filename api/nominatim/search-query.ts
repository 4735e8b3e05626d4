import { limits } from '#geocoding/index/limits.js';
import { metersPerDegree } from '#routing-engine/network/earth.js';
import type { LatLng } from '#schemas/units.js';
import { QueryOptions } from '../http/query-options.js';
import type { AddressedPlace, PlaceFacts, PlaceFinder } from '../ports/place-finder.js';
import { type Accepts, readLayers } from './layers.js';
import * as messages from './messages.js';
import { isOn, type OutputOptions, outputOptions, readOutputOptions } from './output-options.js';
import { readStructured, structuredParts } from './structured-query.js';

/** A search, ready to be run. */
export interface SearchQuery {
  readonly output: OutputOptions;
  /** As the answer repeats it. */
  readonly text: string;
  find(): AddressedPlace[];
}

const known = [
  ...['q', 'limit', 'countrycodes', 'layer', 'featureType', 'exclude_place_ids', 'viewbox', 'bounded'],
  ...['dedupe', ...structuredParts, ...outputOptions],
];
const resultsDefault = 10;
const resultsMax = 40;

/** A query, or what is wrong with it. */
export function parseSearch(
  query: Readonly<Record<string, string>>,
  header: string | undefined,
  finder: PlaceFinder,
): SearchQuery | string {
  const options = new QueryOptions(query, known, messages.optionMessages);
  const output = readOutputOptions(options, header, { format: 'jsonv2', addressDetails: false });
  const limit =
    options.number('limit', { least: 1, most: resultsMax, clamp: true, integer: true }) ?? resultsDefault;
  const box = readBox(options);
  const structured = readStructured(options);
  const free = options.text('q');
  const filters: Accepts[] = [
    options.text('featureType') === undefined ? readLayers(options, finder) : readFeatureType(options),
    readCountries(options),
    readExcluded(options),
    structured.accepts,
  ];
  if (box !== undefined && isOn(options, 'bounded', false)) filters.push(box.holds);
  if (!isOn(options, 'dedupe', true)) options.refuse(messages.noDuplicates);
  if (free !== undefined && structured.text !== '') options.refuse(messages.bothForms(structuredParts));
  const text = free ?? structured.text;
  if (text === '') options.refuse(messages.nothingToSearch);
  if (text.length > limits.queryLengthMax)
    options.refuse(messages.tooLong(text.length, limits.queryLengthMax));
  if (options.refusal !== undefined) return options.refusal;

  const accepts: Accepts = (facts) => filters.every((filter) => filter(facts));
  const { languages } = output;
  const place = free === undefined ? undefined : coordinate(free);
  return {
    output,
    text,
    find: () =>
      place === undefined
        ? finder.search(text, { languages, limit, accepts, prefix: false, ...box?.bias })
        : finder.at(place, { languages, limit: 1, accepts }),
  };
}

/** `35.9110, 14.5020` asks for what is there. */
function coordinate(text: string): LatLng | undefined {
  const found = /^\[?([+-]?\d{1,2}\.\d{1,15})[\s,]+([+-]?\d{1,3}\.\d{1,15})\]?$/.exec(text);
  const [lat, lng] = [Number(found?.[1]), Number(found?.[2])];
  return found === null || Math.abs(lat) > 90 || Math.abs(lng) > 180 ? undefined : { lat, lng };
}

/** Ranks of the values of `featureType`. */
const featureRanks: Readonly<Record<string, readonly [number, number]>> = {
  country: [4, 4],
  state: [8, 8],
  city: [14, 16],
  settlement: [8, 20],
};

function readFeatureType(options: QueryOptions): Accepts {
  const ranks = featureRanks[options.text('featureType') ?? ''];
  if (ranks === undefined) options.refuse(messages.notOneOf('featureType', Object.keys(featureRanks)));
  const [least, most] = ranks ?? [0, 30];
  return ({ kind, addressRank }) => kind !== 'poi' && addressRank >= least && addressRank <= most;
}

function readCountries(options: QueryOptions): Accepts {
  const text = options.text('countrycodes');
  if (text === undefined) return () => true;
  const codes = text.split(',').map((code) => code.trim().toUpperCase());
  if (!codes.every((code) => /^[A-Z]{2}$/.test(code))) options.refuse(messages.badCountryCodes);
  return ({ countryCode }) => codes.includes(countryCode);
}

/** Ids of elements, `N107775`, or numbers of places in an earlier answer. */
function readExcluded(options: QueryOptions): Accepts {
  const text = options.text('exclude_place_ids');
  if (text === undefined) return () => true;
  const ids = new Set(text.split(',').flatMap((id) => (id.trim() === '' ? [] : [id.trim().toUpperCase()])));
  for (const id of ids)
    if (!/^[NWR]?\d{1,15}$/.test(id)) options.refuse(messages.badExcluded(id.slice(0, 40)));
  return ({ placeId, element }) =>
    !ids.has(String(placeId)) &&
    !(element !== undefined && ids.has(`${element.type[0]!.toUpperCase()}${element.id}`));
}

interface Box {
  readonly holds: (facts: PlaceFacts) => boolean;
  /** Prefers places in and around it. */
  readonly bias: {
    readonly near: LatLng;
    readonly nearness: { readonly radiusM: number; readonly importance: number };
  };
}

const coordinateForm = /^[+-]?\d{1,3}(?:\.\d{1,20})?$/;
const radiusLeastM = 500;

/** Two corners, in any order. */
function readBox(options: QueryOptions): Box | undefined {
  const text = options.text('viewbox');
  if (text === undefined) return undefined;
  const corners = text.split(',').map((part) => part.trim());
  if (corners.length !== 4 || !corners.every((corner) => coordinateForm.test(corner)))
    return options.refuse(messages.badBox);
  const within = (degrees: number, most: number): number => Math.min(most, Math.max(-most, degrees));
  const [x1, y1, x2, y2] = corners.map((corner, i) => within(Number(corner), i % 2 === 0 ? 180 : 90));
  const [west, east] = [Math.min(x1!, x2!), Math.max(x1!, x2!)];
  const [south, north] = [Math.min(y1!, y2!), Math.max(y1!, y2!)];
  if (west === east || south === north) return options.refuse(messages.emptyBox);
  const radiusM = Math.max(radiusLeastM, ((north - south) / 2) * metersPerDegree);
  return {
    holds: ({ location: { lat, lng } }) => lat >= south && lat <= north && lng >= west && lng <= east,
    bias: {
      near: { lat: (south + north) / 2, lng: (west + east) / 2 },
      nearness: { radiusM, importance: 0.5 },
    },
  };
}
