import { describe, expect, it } from 'vitest';
import { openGeocodeIndex } from '#geocoding/index/geocode-store.js';
import { openTileset } from '#map-data/open-tileset.js';
import { CorruptRelease, currentRelease, currentReleaseKey } from '#map-data/release/release.js';
import { MapTiles } from '#map-tiles/format/open-map-tiles.js';
import { buildRelease } from '#tile-builder/build-release.js';
import { proves } from '#tools/acceptance/proves.js';
import { addressTown, sourceOf } from '../geocoding/address-town.js';
import { MemoryObjectStore } from './memory-object-store.js';

const drawn = { map: { world: false, zoomMax: 12, pngZoomMax: 8 } } as const;
const town = sourceOf(addressTown);
const grown = sourceOf({
  ...addressTown,
  nodes: [...addressTown.nodes, { id: 99, lng: 12.002, lat: 58.002, tags: { shop: 'books', name: 'Nya' } }],
});
const withoutLast = sourceOf({ ...addressTown, ways: addressTown.ways.slice(0, -1) });

describe('a release', () => {
  proves('M-043', {
    asked: 'the offline job turns an extract into tiles, repeatable byte for byte',
    shown: 'roads, vector and PNG tiles and places of a drawn town, twice: the same objects, byte for byte',
    settings: ['map tiles to zoom 12, PNG to zoom 8, no world around it'],
    control: {
      in: 'map-tiles/build/build-map-tiles.ts',
      change: 'attribution: attributionText,',
      to: 'attribution: attributionText + Date.now(),',
    },
  });
  it('M-043: holds roads, map and places of one extract, and is byte for byte reproducible', async () => {
    const [first, second] = [new MemoryObjectStore(), new MemoryObjectStore()];
    const built = await buildRelease(town, first, drawn);
    await buildRelease(town, second, drawn);
    expect(second.objects).toEqual(first.objects);

    const release = (await currentRelease(first))!;
    expect(release.releaseId).toBe(built.releaseId);
    const network = await openTileset(first);
    const index = await openGeocodeIndex(first, release.geocodeId!);
    expect(index.head.tilesetId).toBe(network.tilesetId);
    expect((await MapTiles.open(first, release.mapId!))!.manifest.mapId).toBe(built.map!.mapId);
  });

  it('shares unchanged parts with the previous one: a shop leaves the roads as they are', async () => {
    const objects = new MemoryObjectStore();
    const before = await buildRelease(town, objects, drawn);
    const shop = await buildRelease(grown, objects, drawn);
    expect(shop.tilesetId).toBe(before.tilesetId);
    expect(shop.geocoding!.id).not.toBe(before.geocoding!.id);
    expect(shop.releaseId).not.toBe(before.releaseId);
    const road = await buildRelease(withoutLast, objects, drawn);
    expect(road.tilesetId).not.toBe(before.tilesetId);
    await buildRelease(town, objects, { map: false });
    // Built without a map, the roads continue without one: the map of other roads is not theirs.
    expect((await currentRelease(objects))!.mapId).toBeNull();
  });

  it('keeps map and places of the same roads where none are built, and none of other roads', async () => {
    const objects = new MemoryObjectStore();
    const alone = await buildRelease(town, objects, { map: false, places: false });
    expect(alone).toMatchObject({ map: undefined, geocoding: undefined });
    expect(await currentRelease(objects)).toMatchObject({ mapId: null, geocodeId: null });
    const whole = await buildRelease(town, objects, drawn);
    expect(whole.tilesetId).toBe(alone.tilesetId);
    const roads = await buildRelease(town, objects, { map: false, places: false });
    expect(roads.releaseId).toBe(whole.releaseId);
    expect(await currentRelease(objects)).toMatchObject({ geocodeId: whole.geocoding!.id });
    await buildRelease(withoutLast, objects, { map: false, places: false });
    expect(await currentRelease(objects)).toMatchObject({ mapId: null, geocodeId: null });
  });

  it('copies what was learned on the previous roads, and keeps what exists already', async () => {
    const objects = new MemoryObjectStore();
    const before = await buildRelease(town, objects, drawn);
    const week = Buffer.from('a week');
    await objects.put(`typical-week/${before.tilesetId}/00000/7`, week);
    const road = await buildRelease(withoutLast, objects, drawn);
    expect(Buffer.from((await objects.get(`typical-week/${road.tilesetId}/00000/7`))!)).toEqual(week);
    await objects.put(`typical-week/${road.tilesetId}/00000/7`, Buffer.from('another'));
    await buildRelease(town, objects, drawn);
    expect(Buffer.from((await objects.get(`typical-week/${before.tilesetId}/00000/7`))!)).toEqual(week);
  });

  it('M-043: a crash at any put leaves the previous one current', async () => {
    const objects = new MemoryObjectStore();
    const { releaseId } = await buildRelease(town, objects, drawn);
    let puts = 0;
    let last = 0;
    objects.beforePut = () => void last++;
    await buildRelease(withoutLast, objects, drawn);
    await buildRelease(town, objects, drawn);
    for (let failing = 1; failing <= last / 2; failing++) {
      puts = 0;
      objects.beforePut = (key) => {
        if (++puts === failing) throw new Error(`the power went off at ${key}`);
      };
      await buildRelease(withoutLast, objects, drawn).catch((error: Error) => {
        expect(error.message).toMatch(/the power went off/);
      });
      if (puts >= failing) expect((await currentRelease(objects))!.releaseId).toBe(releaseId);
    }
  });

  it('is rejected if it is missing, changed or exchanged', async () => {
    const objects = new MemoryObjectStore();
    const { releaseId } = await buildRelease(town, objects, { map: false });
    const key = `releases/${releaseId}.json`;
    const whole = objects.objects.get(key)!;
    const text = Buffer.from(whole).toString();
    for (const bad of [
      '',
      'null',
      '{}',
      text.slice(0, -9),
      text.replace(/"geocodeId":"./, '"geocodeId":"!'),
    ]) {
      objects.objects.set(key, Buffer.from(bad));
      await expect(currentRelease(objects)).rejects.toThrow(CorruptRelease);
    }
    objects.objects.delete(key);
    await expect(currentRelease(objects)).rejects.toThrow(/missing/);
    objects.objects.set(currentReleaseKey, Buffer.from('../../etc/passwd'));
    await expect(currentRelease(objects)).rejects.toThrow(/does not hold the id/);
  });
});
