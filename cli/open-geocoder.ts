import type { Geocoder } from '#api/geocode/geocoder.js';
import { indexGeocoder } from '#api/geocode/index-geocoder.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { buildGeocoding } from '#tile-builder/geocoding/build-geocoding.js';
import { currentGeocodeIndexId, openGeocodeIndex } from '#tile-builder/geocoding/geocode-store.js';
import { InvalidGeocodeIndex } from '#tile-builder/geocoding/index-file.js';
import type { OpenedMap } from './open-map.js';

/** The geocoder of the map; its index is built first when the store has none, or a damaged one. */
export async function openGeocoder(objects: ObjectStore, { network, source }: OpenedMap): Promise<Geocoder> {
  const known = await currentGeocodeIndexId(objects, network.tilesetId);
  if (known !== undefined)
    try {
      return indexGeocoder(await openGeocodeIndex(objects, known), network);
    } catch (error) {
      if (!(error instanceof InvalidGeocodeIndex)) throw error;
    }
  const { id } = await buildGeocoding(source, network, objects);
  return indexGeocoder(await openGeocodeIndex(objects, id), network);
}
