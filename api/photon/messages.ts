import type { OptionMessages } from '../http/query-options.js';

/** What clients of Photon read when a query is refused. */

export const optionMessages: OptionMessages = {
  missing: (name) => `Missing parameter '${name}'.`,
  notNumber: (name) => `Parameter '${name}' must be a number.`,
  outOfRange: (name, least, most) => `Parameter '${name}' must be between ${least} and ${most}.`,
  unknown: (name, known) =>
    `Unknown query parameter '${name}'.  Allowed parameters are: [${known.join(', ')}]`,
};

export const badFlag = (name: string) => `Parameter '${name}' must be true or false.`;
export const noQuery = 'q parameter is required.';
export const tooLong = (length: number, most: number) =>
  `Parameter 'q' has ${length} characters; the maximum is ${most}.`;
export const badLanguage = "Parameter 'lang' must be a language tag such as sv or pt-BR, or default.";
export const badLayer = (layers: readonly string[]) =>
  `Unknown layer type. Available layers: [${layers.join(', ')}]`;
export const badTag = 'Invalid format for osm_tag parameter.';
export const badCategory = (name: string) => `Invalid category pattern in '${name}'.`;
export const noTags = 'The map was built without the tags of places. Build it again to filter by them.';
export const badBox =
  "Invalid number of supplied coordinates for parameter 'bbox', expected format is: " +
  'minLon,minLat,maxLon,maxLat';
export const boxOutOfRange =
  "Invalid bounds for parameter 'bbox', expected values minLat, maxLat element [-90,90], minLon, maxLon " +
  'element [-180,180]';
export const badCountryCode = "Parameter 'countrycode' must be a code of two letters.";

/** Options of Photon that are not supported, and why. */
export const refused: Readonly<Record<string, string>> = {
  debug: "Parameter 'debug' is not supported.",
  geometry: 'Geometry output requested but not available in database.',
  suggest_addresses: "Parameter 'suggest_addresses' is not supported.",
};
export const noDuplicates = "Parameter 'dedupe' must be true: the map has each place once.";
export const noStringFilter = "Parameter 'query_string_filter' is not supported.";
