import { carryLearnt } from '#map-data/learned/carry-learnt.js';
import {
  currentReleaseKey,
  encodeRelease,
  type Release,
  releaseBefore,
  releaseKey,
} from '#map-data/release/release.js';
import type { ReleaseParts } from '#map-data/release/release-parts.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { publishedPrefix } from './prune/published-prefix.js';
import { verifyRelease } from './verify/verify-release.js';

/**
 * Publishes staged parts after they have answered test queries: first the release object, then the pointer.
 * Throws `ReleaseDoesNotAnswer`, with nothing written, when they do not answer. A crash before the last put
 * leaves the previous release active, and a reader sees all parts of one release or of the other. What was
 * learned on the previous roads is carried over to the new ones here, because there may be no other running
 * process to do it.
 */
export async function publishRelease(objects: ObjectStore, parts: ReleaseParts): Promise<Release> {
  const { releaseId, bytes } = encodeRelease(parts);
  const before = await releaseBefore(objects);
  await verifyRelease(objects, parts, before);
  if (before !== undefined && before.tilesetId !== parts.tilesetId)
    await carryLearnt(objects, before.tilesetId, parts.tilesetId);
  await objects.put(releaseKey(releaseId), bytes);
  await objects.put(`${publishedPrefix}${releaseId}`, new Uint8Array(0));
  await objects.put(currentReleaseKey, new TextEncoder().encode(releaseId));
  return { releaseId, ...parts };
}
