import { QueryOptions } from '../http/query-options.js';
import type { AddressedPlace, OsmElement, PlaceFinder } from '../ports/place-finder.js';
import * as messages from './messages.js';
import { type OutputOptions, outputOptions, readOutputOptions } from './output-options.js';

export interface LookupQuery {
  readonly output: OutputOptions;
  /** As the answer repeats it. */
  readonly text: string;
  find(): AddressedPlace[];
}

const idsMax = 50;
const types: Readonly<Record<string, OsmElement['type']>> = { N: 'node', W: 'way', R: 'relation' };

/** A query, or what is wrong with it. */
export function parseLookup(
  query: Readonly<Record<string, string>>,
  header: string | undefined,
  finder: PlaceFinder,
): LookupQuery | string {
  const options = new QueryOptions(query, ['osm_ids', ...outputOptions], messages.optionMessages);
  const output = readOutputOptions(options, header, { format: 'jsonv2', addressDetails: true });
  const text = options.text('osm_ids') ?? '';
  if (text === '') options.refuse(messages.optionMessages.missing('osm_ids'));
  const ids = text.split(',').flatMap((id) => (id.trim() === '' ? [] : [id.trim().toUpperCase()]));
  if (!ids.every((id) => /^[NWR]\d{1,15}$/.test(id))) options.refuse(messages.badIds);
  if (ids.length > idsMax) options.refuse(messages.tooManyIds);
  if (options.refusal !== undefined) return options.refusal;
  return {
    output,
    text,
    find: () =>
      ids.flatMap((id) => {
        const element = { type: types[id[0]!]!, id: Number(id.slice(1)) };
        return finder.ofElement(element, output.languages) ?? [];
      }),
  };
}
