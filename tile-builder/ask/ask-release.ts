import type { ReleaseParts } from '#map-data/release/release-parts.js';
import { type ObjectStore, ObjectStoreUnavailable } from '#platform/object-store/object-store.js';
import { askMap } from './ask-map.js';
import { askPlaces } from './ask-places.js';
import { askRoads } from './ask-roads.js';

/** What was built cannot be opened, or does not answer. The message names the object. */
export class ReleaseDoesNotAnswer extends Error {
  override readonly name = 'ReleaseDoesNotAnswer';
}

/**
 * Queries a release before it serves, as its users will. `before`: the release that serves now. Throws
 * `ReleaseDoesNotAnswer`, and `ObjectStoreUnavailable` when the store is unavailable.
 */
export async function askRelease(
  objects: ObjectStore,
  { tilesetId, geocodeId, mapId }: ReleaseParts,
  before: ReleaseParts | undefined,
): Promise<void> {
  try {
    await askRoads(objects, tilesetId, before?.tilesetId);
    if (geocodeId !== null) await askPlaces(objects, geocodeId, tilesetId);
    if (mapId !== null) await askMap(objects, mapId, before?.mapId ?? null);
  } catch (cause) {
    if (cause instanceof ObjectStoreUnavailable) throw cause;
    throw new ReleaseDoesNotAnswer(
      `The new release does not answer (${(cause as Error).message}), so it is not published.`,
      { cause },
    );
  }
}
