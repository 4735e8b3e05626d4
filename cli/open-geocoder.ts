import { type FollowedGeocoder, followGeocoder } from '#api/geocode/follow-geocoder.js';
import { indexGeocoder } from '#api/geocode/index-geocoder.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { Logger } from '#platform/telemetry/logger.js';
import { buildGeocodingFrom } from '#tile-builder/geocoding/build-geocoding.js';
import { currentGeocodeIndexId, openGeocodeIndex } from '#tile-builder/geocoding/geocode-store.js';
import type { OpenedMap } from './open-map.js';

/** The geocoder of the map, as long as the program runs; its index is built first when there is none that can be read. */
export async function openGeocoder(
  objects: ObjectStore,
  { network, source }: OpenedMap,
  logger: Logger,
): Promise<FollowedGeocoder> {
  const follower = await followGeocoder(
    {
      currentId: () => currentGeocodeIndexId(objects, network.tilesetId),
      open: async (id) => indexGeocoder(await openGeocodeIndex(objects, id), network),
    },
    logger,
  );
  if (follower.current() !== undefined) return follower;
  await buildGeocodingFrom(source, network, objects);
  await follower.look();
  return follower;
}
