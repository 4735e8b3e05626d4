import type { ReleaseParts } from '#map-data/release/release-parts.js';
import { type ObjectStore, ObjectStoreUnavailable } from '#platform/object-store/object-store.js';
import { verifyMap } from './verify-map.js';
import { verifyPlaces } from './verify-places.js';
import { verifyRoads } from './verify-roads.js';

/** The new release cannot be opened, or does not answer. The message names the object. */
export class ReleaseDoesNotAnswer extends Error {
  override readonly name = 'ReleaseDoesNotAnswer';
}

/**
 * Queries a release before it serves. `before`: the current release. Throws `ReleaseDoesNotAnswer`, and
 * `ObjectStoreUnavailable` when the store is unavailable.
 */
export async function verifyRelease(
  objects: ObjectStore,
  { tilesetId, geocodeId, mapId }: ReleaseParts,
  before: ReleaseParts | undefined,
): Promise<void> {
  try {
    await verifyRoads(objects, tilesetId, before?.tilesetId);
    if (geocodeId !== null) await verifyPlaces(objects, geocodeId, tilesetId);
    if (mapId !== null) await verifyMap(objects, mapId, before?.mapId ?? null);
  } catch (cause) {
    if (cause instanceof ObjectStoreUnavailable) throw cause;
    throw new ReleaseDoesNotAnswer(
      `The new release does not answer (${(cause as Error).message}), so it is not published.`,
      { cause },
    );
  }
}
