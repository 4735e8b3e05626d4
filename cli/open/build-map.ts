import type { ObjectStore } from '#platform/object-store/object-store.js';
import { type BuiltRelease, buildRelease, type ReleaseOptions } from '#tile-builder/build-release.js';
import type { MapSource } from '#tile-builder/build-tileset.js';
import { buildProgress } from './build-progress.js';

/** Builds a release of one extract, with progress bars. */
export async function build(
  source: MapSource,
  objects: ObjectStore,
  options: Pick<ReleaseOptions, 'map' | 'places' | 'reuse' | 'workers'> = {},
): Promise<BuiltRelease> {
  const progress = buildProgress();
  try {
    return await buildRelease(source, objects, { ...options, onProgress: progress.show });
  } finally {
    progress.end();
  }
}
