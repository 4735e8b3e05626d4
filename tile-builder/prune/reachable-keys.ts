import { indexKey } from '#geocoding/index/geocode-store.js';
import { currentReleaseKey, type Release, releaseKey } from '#map-data/release/release.js';
import { manifestKey } from '#map-data/tiles/manifest.js';
import { tileKinds, tilesOfKind } from '#map-data/tiles/tile-kinds.js';
import { readManifest } from '#map-data/tiles/tile-source.js';
import { blockKey, mapManifestKey, mapMemoryKey } from '#map-tiles/format/map-manifest.js';
import { CorruptMapTiles, MapTiles } from '#map-tiles/format/open-map-tiles.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { memoKey } from '../tiles/tileset-memo.js';

/**
 * Keys of everything that a release consists of, and of what the next build reuses from it. Throws what
 * reading its manifests throws: if the reachable keys are unknown, nothing may be deleted.
 */
export async function reachableKeys(objects: ObjectStore, release: Release): Promise<Set<string>> {
  const { releaseId, tilesetId, mapId, geocodeId } = release;
  const keys = new Set([
    currentReleaseKey,
    releaseKey(releaseId),
    manifestKey(tilesetId),
    memoKey(tilesetId),
  ]);
  const tileset = await readManifest(objects, tilesetId);
  for (const kind of tileKinds) for (const { key } of tilesOfKind(tileset, kind)) keys.add(key);
  if (geocodeId !== null) keys.add(indexKey(geocodeId));
  if (mapId !== null) {
    const map = await MapTiles.open(objects, mapId);
    if (map === undefined)
      throw new CorruptMapTiles(`${mapManifestKey(mapId)}: it is missing; build the tiles again`);
    const { vector, png } = map.manifest;
    keys.add(mapManifestKey(mapId)).add(mapMemoryKey(mapId));
    for (const { sha256 } of [...vector.blocks, ...png.blocks]) keys.add(blockKey(sha256));
  }
  return keys;
}
