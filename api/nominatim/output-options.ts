import { acceptedLanguages } from '../http/accepted-languages.js';
import type { QueryOptions } from '../http/query-options.js';
import { type GeometryFormat, geometryFormats } from './geometry.js';
import * as messages from './messages.js';

export const formats = ['xml', 'json', 'jsonv2', 'geojson', 'geocodejson'] as const;
export type Format = (typeof formats)[number];

/** What an answer of any operation contains. */
export interface OutputOptions {
  readonly format: Format;
  readonly addressDetails: boolean;
  readonly nameDetails: boolean;
  readonly geometry: GeometryFormat | undefined;
  readonly languages: readonly string[];
}

/** Options that every operation has. */
export const outputOptions = [
  ...['format', 'addressdetails', 'namedetails', 'accept-language', 'email', 'polygon_threshold'],
  ...['json_callback', ...geometryFormats.map((each) => `polygon_${each}`), ...Object.keys(messages.refused)],
];

/** Everything but `0` is true, as on Nominatim's server. */
export const isOn = (options: QueryOptions, name: string, otherwise: boolean): boolean => {
  const text = options.text(name);
  return text === undefined ? otherwise : text !== '0';
};

export function formatOf(options: QueryOptions, otherwise: Format): Format {
  const text = options.text('format');
  if (text === undefined) return otherwise;
  const format = formats.find((each) => each === text);
  return format ?? options.refuse(messages.notOneOf('format', formats)) ?? otherwise;
}

/** One format of the border of areas, which other places do not have. */
function geometryOf(options: QueryOptions, format: Format): GeometryFormat | undefined {
  const [geometry, ...more] = geometryFormats.filter((each) => isOn(options, `polygon_${each}`, false));
  const threshold = options.number('polygon_threshold', { least: 0, most: 360 }) ?? 0;
  if (threshold > 0 && geometry !== undefined) options.refuse(messages.noThreshold);
  if (more.length > 0) options.refuse(messages.tooManyPolygonOptions);
  const isFeature = format === 'geojson' || format === 'geocodejson';
  if (isFeature && geometry !== undefined && geometry !== 'geojson')
    options.refuse(messages.notInFormat(`polygon_${geometry}`, format));
  return geometry;
}

/** `header` is `Accept-Language`, which counts where the query has no such parameter. */
export function readOutputOptions(
  options: QueryOptions,
  header: string | undefined,
  defaults: Pick<OutputOptions, 'format' | 'addressDetails'>,
): OutputOptions {
  const format = formatOf(options, defaults.format);
  for (const [name, message] of Object.entries(messages.refused))
    if (isOn(options, name, false)) options.refuse(message);
  if (options.text('json_callback') !== undefined) options.refuse(messages.noCallback);
  const asked = options.text('accept-language');
  const languages = acceptedLanguages(asked ?? header);
  if (asked !== undefined && asked !== '*' && languages.length === 0) options.refuse(messages.badLanguages);
  return {
    format,
    addressDetails: isOn(options, 'addressdetails', defaults.addressDetails),
    nameDetails: isOn(options, 'namedetails', false),
    geometry: geometryOf(options, format),
    languages,
  };
}
