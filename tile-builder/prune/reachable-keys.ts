import type { ObjectStore } from '#platform/object-store/object-store.js';
import { indexKey } from '../geocoding/geocode-store.js';
import { blockKey, mapManifestKey, mapMemoryKey } from '../map-tiles/map-manifest.js';
import { CorruptMapTiles, MapTiles } from '../map-tiles/open-map-tiles.js';
import { currentReleaseKey, type Release, releaseKey } from '../release.js';
import { manifestKey } from '../tiles/manifest.js';
import { tileKinds, tilesOfKind } from '../tiles/tile-kinds.js';
import { readManifest } from '../tiles/tile-source.js';
import { memoKey } from '../tileset-memo.js';

/**
 * Keys of all that a release consists of, and of what the next build takes over from it. Throws what reading its manifests throws: who does
 * not know what is reachable must not delete.
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
