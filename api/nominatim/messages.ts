import type { OptionMessages } from '../http/query-options.js';

/** What clients of Nominatim read when a query is refused; the first four in its words. */

export const optionMessages: OptionMessages = {
  missing: (name) => `Parameter '${name}' missing.`,
  notNumber: (name) => `Parameter '${name}' must be a number.`,
  outOfRange: (name, least, most) => `Parameter '${name}' must be between ${least} and ${most}.`,
  unknown: (name) => `Unknown parameter '${name}'.`,
};

export const notOneOf = (name: string, words: readonly string[]) =>
  `Parameter '${name}' must be one of: ${words.join(', ')}`;
export const notListOf = (name: string, words: readonly string[]) =>
  `Parameter '${name}' must be a list of: ${words.join(', ')}`;
export const badCountryCodes = "Parameter 'countrycodes' must be a list of codes such as se,no.";
export const badLanguages = "Parameter 'accept-language' must be a list of languages such as sv,en.";
export const badBox = 'Bounding box parameter needs 4 coordinates.';
export const emptyBox = 'Bounding box with invalid parameters.';
export const badExcluded = (id: string) => `Invalid exclude ID: ${id}`;
export const badIds = "Parameter 'osm_ids' must be a list of ids such as N123,W45,R6.";
export const tooManyIds = 'Too many object IDs.';
export const nothingToSearch = 'Nothing to search for.';
export const bothForms = (parts: readonly string[]) =>
  `Structured query parameters (${parts.join(', ')}) cannot be used together with 'q' parameter.`;
export const tooLong = (length: number, most: number) =>
  `The query has ${length} characters; the maximum is ${most}.`;
export const noTags = 'The map was built without the tags of places. Build it again to select layers.';
export const notFound = 'Unable to geocode';

/** Options of Nominatim that the map cannot answer, and why. */
export const refused: Readonly<Record<string, string>> = {
  extratags: "Parameter 'extratags' is not supported: the map keeps names and addresses of places only.",
  entrances: "Parameter 'entrances' is not supported: the map keeps no entrances.",
  debug: "Parameter 'debug' is not supported.",
};
export const noThreshold =
  "Parameter 'polygon_threshold' is not supported together with polygons: borders are given in full.";
export const tooManyPolygonOptions = 'Too many polygon output options selected.';
export const notInFormat = (name: string, format: string) =>
  `Parameter '${name}' is not supported in the format ${format}; use polygon_geojson.`;
export const tooManyPoints = (points: number, most: number) =>
  `The borders have ${points} points; the maximum is ${most}. Ask for fewer places, or without polygons.`;
export const noCallback = "Parameter 'json_callback' is not supported: browsers may read the answers (CORS).";
export const noDuplicates = "Parameter 'dedupe' must be 1: the map has each place once.";
