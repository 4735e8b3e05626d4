import { indexGeocoder } from '#api/geocode/index-geocoder.js';
import { openGeocodeIndex } from '#geocoding/index/geocode-store.js';
import { loadHotels } from '#hotel/load/load-hotels.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { Sql } from '#platform/sql/sql.js';
import type { OpenedMap } from '../open/open-map.js';
import { hotelSites } from './hotel-sites.js';

const size = { hotels: 12, roomTypes: 4, rooms: 40, days: 180 } as const;

/** Sample hotels in streets of the map, where the database has none yet. */
export async function sampleHotels(
  sql: Sql,
  objects: ObjectStore,
  { name, network, release }: Pick<OpenedMap, 'name' | 'network' | 'release'>,
): Promise<void> {
  const { rows } = await sql.query('SELECT FROM hotel LIMIT 1');
  if (rows.length > 0) return;
  const index = release.geocodeId === null ? undefined : await openGeocodeIndex(objects, release.geocodeId);
  const places = index && {
    geocoder: indexGeocoder(index, network),
    country: index.head.country,
    houses: [...index.houses()],
  };
  const sites = hotelSites(network, { name, country: '', ...places }, size.hotels);
  if (sites.length > 0) await loadHotels(sql, { ...size, hotels: sites.length, sites });
}
