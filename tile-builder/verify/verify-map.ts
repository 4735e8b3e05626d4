import { gunzipSync } from 'node:zlib';
import { bands, tileOfNumber, tilesAtMost } from '#map-tiles/format/block-grid.js';
import { type BlockEntry, mapManifestKey } from '#map-tiles/format/map-manifest.js';
import { MapTiles } from '#map-tiles/format/open-map-tiles.js';
import type { TileKind } from '#map-tiles/format/tile-block.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';

/**
 * Opens every block that the previous map does not have, and fetches a tile of each. Throws an Error that
 * names the failed object.
 */
export async function verifyMap(objects: ObjectStore, mapId: string, before: string | null): Promise<void> {
  const map = await MapTiles.open(objects, mapId);
  if (map === undefined) throw new Error(`${mapManifestKey(mapId)}: it is missing`);
  // A missing or damaged map must not block the new one.
  const old = before === null ? undefined : await MapTiles.open(objects, before).catch(() => undefined);
  for (const kind of ['vector', 'png'] as const) {
    const known = new Set(old?.manifest[kind].blocks.map(({ sha256 }) => sha256));
    for (const block of map.manifest[kind].blocks) {
      if (block.tiles === 0 || known.has(block.sha256)) continue;
      const tile = await firstTile(map, kind, block);
      if (tile === undefined || (kind === 'vector' && gunzipSync(tile).length === 0))
        throw new Error(`${mapManifestKey(mapId)}: no ${kind} tile is found in block ${block.name}`);
    }
  }
}

async function firstTile(
  map: MapTiles,
  kind: TileKind,
  { name }: BlockEntry,
): Promise<Uint8Array | undefined> {
  const [from, x, y] = name.split('/').map(Number);
  const band = bands.find((each) => each.from === from);
  if (band === undefined) return undefined;
  for (let number = 0; number < tilesAtMost(band); number++) {
    const stored = await map.get(kind, tileOfNumber(band, x!, y!, number));
    if (stored !== undefined) return stored.bytes;
  }
  return undefined;
}
