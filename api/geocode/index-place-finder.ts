import type { GeocodeIndex } from '#geocoding/index/geocode-index.js';
import { hasTagKeys, rowOfElement } from '#geocoding/index/osm-element.js';
import { nearestPlaces, type PlaceHere, placesAt } from '#geocoding/query/reverse-places.js';
import { searchPlaces } from '#geocoding/query/search-places.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { AddressedPlace, FindOptions, PlaceFinder } from '../ports/place-finder.js';
import { addressDescriber } from './address-of-row.js';
import { RowFacts } from './row-facts.js';

/** A place and its address. */
const rowsOfElement = 2;

type Found = Pick<PlaceHere, 'row' | 'at'>;

/** The finder over an index and its network. */
export function indexPlaceFinder(index: GeocodeIndex, network: RoadNetwork): PlaceFinder {
  const acceptedBy =
    ({ accepts }: FindOptions) =>
    (row: number): boolean =>
      accepts(new RowFacts(index, row));
  /** Of a place and its address, two rows of one element, the place, which shows the address. */
  const elementRow = (row: number): number => {
    if (!index.isHouse(row) || index.isInterpolated(row)) return row;
    const [place, ...addresses] = index.rowsOf(index.data.key[row]!);
    return addresses.length === 1 && !index.isHouse(place!) ? place! : row;
  };
  const described = (found: readonly Found[], options: FindOptions): AddressedPlace[] => {
    const accepts = acceptedBy(options);
    const describe = addressDescriber(index, options.languages);
    const rows = new Map<number, Found>();
    for (const each of found) {
      const row = elementRow(each.row);
      const own = row !== each.row && accepts(row) ? row : each.row;
      if (!rows.has(own)) rows.set(own, each);
    }
    return Array.from(rows, ([row, { at }]) => describe(row, { at })).slice(0, options.limit);
  };
  return {
    hasTags: hasTagKeys(index),
    search(text, options) {
      const { prefix, near, nearness, limit } = options;
      const found = searchPlaces(index, text, {
        prefix,
        limit: rowsOfElement * limit,
        accepts: acceptedBy(options),
        ...(near === undefined ? {} : { near }),
        ...(nearness === undefined ? {} : { nearness }),
      });
      return described(found, options);
    },
    at: (location, options) => described(placesAt(index, network, location, acceptedBy(options)), options),
    nearest(location, options) {
      const { radiusM: reachM, limit } = options;
      const search = { reachM, limit: rowsOfElement * limit, accepts: acceptedBy(options) };
      return described(nearestPlaces(index, network, location, search), options);
    },
    ofElement(element, languages) {
      const row = rowOfElement(index, element);
      return row === undefined ? undefined : addressDescriber(index, languages)(row, { element });
    },
  };
}
