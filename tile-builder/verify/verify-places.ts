import { indexKey, openGeocodeIndex } from '#geocoding/index/geocode-store.js';
import { searchPlaces } from '#geocoding/query/search-places.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';

const placesAsked = 8;

/**
 * Opens the index, and looks up places by their ids and by their names. No search finds a name of punctuation
 * alone, so one of several is enough. Throws an Error that names the failed query.
 */
export async function verifyPlaces(
  objects: ObjectStore,
  geocodeId: string,
  tilesetId: string,
): Promise<void> {
  const key = indexKey(geocodeId);
  const index = await openGeocodeIndex(objects, geocodeId);
  if (index.head.tilesetId !== tilesetId) throw new Error(`${key}: it is the index of other roads`);
  const step = Math.max(1, Math.floor(index.placeCount / placesAsked));
  let [named, found] = [0, 0];
  for (let row = 0; row < index.placeCount; row += step) {
    const id = index.placeId(row);
    if (index.rowOf(id) === undefined) throw new Error(`${key}: place ${id} is not found by its id`);
    const name = index.name(row, '');
    if (name === '') continue;
    named++;
    if (searchPlaces(index, name).length > 0) found++;
  }
  if (named > 0 && found === 0) throw new Error(`${key}: no place is found by its name`);
}
