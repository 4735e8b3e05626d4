import { QueryOptions } from '../http/query-options.js';
import type { AddressedPlace, PlaceFinder } from '../ports/place-finder.js';
import * as messages from './messages.js';
import { readFlag, readShared, sharedOptions } from './shared-options.js';

const known = ['lat', 'lon', 'radius', 'distance_sort', 'query_string_filter', ...sharedOptions];
const radiusDefaultKm = 1;
/** Everything in the circle may have to be looked at. */
const radiusMaxKm = 20;

type Query = Readonly<Record<string, string | readonly string[]>>;

/** The query, ready to be run, or what is wrong with it. */
export function parseReverse(
  query: Query,
  header: string | undefined,
  finder: PlaceFinder,
): (() => AddressedPlace[]) | string {
  const options = new QueryOptions(query, known, messages.optionMessages);
  const lat = options.neededNumber('lat', { least: -90, most: 90 });
  const lng = options.neededNumber('lon', { least: -180, most: 180 });
  const common = readShared(options, finder, header, 1);
  const radiusKm = options.number('radius', { least: 0, most: radiusMaxKm }) ?? radiusDefaultKm;
  const isSorted = readFlag(options, 'distance_sort', true);
  if (options.text('query_string_filter') !== undefined) options.refuse(messages.noStringFilter);
  if (options.refusal !== undefined) return options.refusal;
  return () => {
    const found = finder.nearest({ lat, lng }, { ...common, radiusM: 1_000 * radiusKm });
    return isSorted ? found : found.toSorted((a, b) => b.importance - a.importance);
  };
}
