import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildMapTiles } from '#map-tiles/build/build-map-tiles.js';
import { blockName } from '#map-tiles/format/block-grid.js';
import { blockKey, mapManifestKey } from '#map-tiles/format/map-manifest.js';
import { CorruptMapTiles, MapTiles } from '#map-tiles/format/open-map-tiles.js';
import { tileAt } from '#map-tiles/format/web-mercator.js';
import { PngRenderer } from '#map-tiles/png/png-renderer.js';
import { MemoryObjectStore } from '../tile-builder/memory-object-store.js';
import { drawnMap, islandTown } from './drawn-city.js';

async function contents(objects: MemoryObjectStore): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for await (const key of objects.list(''))
    all.set(
      key,
      createHash('sha256')
        .update((await objects.get(key))!)
        .digest('hex'),
    );
  return all;
}
const town = tileAt(35.903, 14.5035, 14);

describe('building map tiles', () => {
  it('M-043: gives the same bytes when it is repeated, including PNG', async () => {
    const [first, second] = await Promise.all([1, 2].map(() => drawnMap(islandTown(), { pngZoomMax: 14 })));
    expect(second!.built).toEqual(first!.built);
    expect(first!.built.pngTiles).toBeGreaterThan(10);
    expect(await contents(second!.objects)).toEqual(await contents(first!.objects));
  });

  it('rewrites only the blocks that a change affects', async () => {
    const city = islandTown();
    const objects = new MemoryObjectStore();
    const options = { world: false, pngZoomMax: -1 } as const;
    await buildMapTiles(city.elements(), objects, options);
    const before = await contents(objects);
    // A house far from all others: its block, the blocks above it, and the manifest.
    city.square([14.5403, 35.9403], 0.0002, { building: 'yes' });
    await buildMapTiles(city.elements(), objects, options);
    const after = await contents(objects);
    for (const [key, hash] of before) expect(after.get(key)).toBe(hash);
    const added = [...after.keys()].filter((key) => !before.has(key) && key.includes('/blocks/'));
    expect(added.length).toBeGreaterThan(0);
    expect(added.length).toBeLessThan([...before.keys()].filter((key) => key.includes('/blocks/')).length);
  });

  it('M-100: shows the world at low zooms, at zoom 0 in one tile', async () => {
    const { map, built } = await drawnMap(islandTown(), { world: true, zoomMax: 4 });
    expect(built.vectorTiles).toBeGreaterThan(200);
    expect(await map.vectorTile({ z: 0, x: 0, y: 0 })).toBeDefined();
    const stockholm = await map.vectorTile(tileAt(59.3, 18, 4));
    expect(Buffer.from(stockholm!).toString('latin1')).toMatch(/Sweden/);
    expect(Buffer.from(stockholm!).toString('latin1')).toMatch(/boundaries/);
  });

  it('finds no map under an id that was never built', async () => {
    const { objects } = await drawnMap(islandTown(), { zoomMax: 8 });
    expect(await MapTiles.open(objects, '0123456789abcdef')).toBeUndefined();
  });

  it('never shows a tile of a block or manifest that is missing, truncated or changed', async () => {
    const { objects, built, map } = await drawnMap(islandTown());
    const manifest = mapManifestKey(built.mapId);
    const whole = (await objects.get(manifest))!;
    await objects.put(manifest, whole.subarray(0, whole.length - 30));
    await expect(MapTiles.open(objects, built.mapId)).rejects.toThrow(CorruptMapTiles);
    const text = Buffer.from(whole).toString();
    await objects.put(manifest, Buffer.from(text.replace('"version":1', '"version":9')));
    await expect(MapTiles.open(objects, built.mapId)).rejects.toThrow(/version/);
    await objects.put(manifest, Buffer.from(text.replace('"world":false', '"world":true')));
    await expect(MapTiles.open(objects, built.mapId)).rejects.toThrow(/checksum/);
    await objects.put(manifest, whole);

    const reopened = async (): Promise<MapTiles> => (await MapTiles.open(objects, built.mapId))!;
    const entry = map.manifest.vector.blocks.find(({ name }) => name === blockName(town))!;
    const key = blockKey(entry.sha256);
    const block = (await objects.get(key))!;
    const changed = Uint8Array.from(block);
    changed[block.length - 10]! ^= 1;
    await objects.put(key, changed);
    await expect((await reopened()).vectorTile(town)).rejects.toThrow(key);
    await objects.delete(key);
    await expect((await reopened()).vectorTile(town)).rejects.toThrow(CorruptMapTiles);
    await objects.put(key, block);
    expect(await (await reopened()).vectorTile(town)).toBeDefined();
  });
});

describe('PNG tiles', () => {
  it('M-100: PNG tiles have 256 by 256 pixels, and show the content of the vector tile', async () => {
    const { map } = await drawnMap(islandTown());
    const painter = new PngRenderer();
    const png = Buffer.from(await painter.paint(await map.vectorTile(town), 14));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([256, 256]);
    const empty = Buffer.from(await painter.paint(undefined, 14));
    expect(empty.length).toBeLessThan(300);
    expect(png.length).toBeGreaterThan(2 * empty.length);
    // Another renderer, another order: the same bytes.
    expect(Buffer.from(await new PngRenderer().paint(await map.vectorTile(town), 14)).equals(png)).toBe(true);
  });
});
