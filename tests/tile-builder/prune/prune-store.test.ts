import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { openGeocodeIndex } from '#geocoding/index/geocode-store.js';
import { openTileset } from '#map-data/open-tileset.js';
import { currentRelease, currentReleaseKey } from '#map-data/release/release.js';
import { MapTiles } from '#map-tiles/format/open-map-tiles.js';
import { ObjectStoreUnavailable } from '#platform/object-store/object-store.js';
import { buildRelease } from '#tile-builder/build-release.js';
import { pruneLimits } from '#tile-builder/prune/limits.js';
import { type Pruned, pruneStore } from '#tile-builder/prune/prune-store.js';
import { reachableKeys } from '#tile-builder/prune/reachable-keys.js';
import { addressTown, sourceOf } from '../../geocoding/address-town.js';
import { MemoryObjectStore } from '../memory-object-store.js';

const drawn = { map: { world: false, zoomMax: 12, pngZoomMax: 8 } } as const;
const town = sourceOf(addressTown);
const smaller = sourceOf({ ...addressTown, ways: addressTown.ways.slice(0, -1) });
const hourMs = 3_600_000;

describe('pruning the object store', () => {
  let objects: MemoryObjectStore;
  let nowMs: number;

  const prune = async (graceMs = hourMs): Promise<Pruned> => {
    const pruned = await pruneStore(objects, { clock: () => nowMs, graceMs });
    if ('heldUpBy' in pruned) throw new Error(`held up by ${pruned.heldUpBy}`);
    return pruned;
  };
  const keys = (): string[] => [...objects.objects.keys()].sort();
  const serves = async (): Promise<void> => {
    const { mapId, geocodeId } = (await currentRelease(objects))!;
    await openTileset(objects);
    await openGeocodeIndex(objects, geocodeId!);
    await MapTiles.open(objects, mapId!);
    for (const key of await reachableKeys(objects, (await currentRelease(objects))!))
      expect(objects.objects.has(key), key).toBe(true);
  };

  beforeEach(async () => {
    objects = new MemoryObjectStore();
    nowMs = Date.now();
    await buildRelease(smaller, objects, drawn);
    await buildRelease(town, objects, drawn);
  });

  it('leaves, after the grace period, the same objects as a store with only the last build', async () => {
    const alone = new MemoryObjectStore();
    await buildRelease(smaller, alone, drawn);
    const [, before] = [await buildRelease(town, alone, drawn), keys()];
    expect(before).toEqual([...alone.objects.keys()].sort());
    const first = await prune();
    expect(first.deleted).toBe(0);
    expect(first.waiting).toBeGreaterThan(5);
    nowMs += hourMs - 1;
    expect((await prune()).deleted).toBe(0);
    nowMs += 1;
    expect(await prune()).toEqual({ reachable: first.reachable, waiting: 0, deleted: first.waiting });
    const reachable = await reachableKeys(objects, (await currentRelease(objects))!);
    expect(keys()).toEqual([...reachable, 'prune/unreachable.json'].sort());
    await serves();
  });

  it('lets the next build reuse objects as before', async () => {
    await prune(0);
    const { releaseId, writtenTiles } = await buildRelease(town, objects, drawn);
    expect(releaseId).toBe((await currentRelease(objects))!.releaseId);
    expect(writtenTiles).toBe(0);
    await serves();
  });

  it('restarts the grace period of objects that were used in between', async () => {
    await prune();
    nowMs += hourMs;
    await buildRelease(smaller, objects, drawn);
    const { deleted, waiting } = await prune();
    expect(deleted).toBe(0);
    expect(waiting).toBeGreaterThan(5);
    await serves();
  });

  it('restarts the grace period of objects that served between two runs', async () => {
    const release = await currentRelease(objects);
    await prune();
    nowMs += hourMs;
    // The release that was unused in the previous run serves again, and then another.
    await buildRelease(smaller, objects, drawn);
    const served = await reachableKeys(objects, (await currentRelease(objects))!);
    await buildRelease(town, objects, drawn);
    expect(await currentRelease(objects)).toEqual(release);
    expect((await prune()).deleted).toBe(0);
    for (const key of served) expect(objects.objects.has(key), key).toBe(true);
    expect(keys().filter((key) => key.startsWith('prune/'))).toEqual(['prune/unreachable.json']);
    nowMs += hourMs;
    expect((await prune()).waiting).toBe(0);
    await serves();
  });

  it('is not prevented by an unreadable earlier release, but by an unavailable store', async () => {
    await objects.put('prune/published/0123456789abcdef', new Uint8Array(0));
    expect((await prune(0)).deleted).toBeGreaterThan(5);
    await objects.put('prune/published/0123456789abcdef', new Uint8Array(0));
    objects.afterGet = (key, bytes) => {
      if (key === 'releases/0123456789abcdef.json') throw new ObjectStoreUnavailable('away');
      return bytes;
    };
    await expect(prune(0)).rejects.toThrow('away');
    expect(keys()).toContain('prune/published/0123456789abcdef');
  });

  it('leaves for the next run what time or a signal does not let it delete', async () => {
    const { delete: remove } = MemoryObjectStore.prototype;
    const stop = new AbortController();
    let deletes = 0;
    objects.delete = async (key) => {
      if (!key.startsWith('prune/')) deletes += 1;
      if (deletes === 3) nowMs += pruneLimits.pruneMsMax;
      if (deletes === 5) stop.abort();
      return remove.call(objects, key);
    };
    const first = await prune(0);
    expect(first.deleted).toBe(3);
    expect(first.waiting).toBeGreaterThan(5);
    const second = await pruneStore(objects, { clock: () => nowMs, graceMs: 0, signal: stop.signal });
    expect(second).toEqual({ ...first, waiting: first.waiting - 2, deleted: 2 });
    expect(await prune(0)).toEqual({ ...first, waiting: 0, deleted: first.waiting - 2 });
    await serves();
  });

  it('deletes the metric of removed roads, cells last, and no other', async () => {
    const { tilesetId } = (await currentRelease(objects))!;
    const gone = keys().find((key) => /tilesets\/[0-9a-f]{16}\/m/.test(key) && !key.includes(tilesetId))!;
    const metric = ['cells/7/1-ab', 'current', 'epochs/1', 'versions/1'];
    const of = (tileset: string) => metric.map((key) => `metrics/${tileset}/${key}`);
    const earlier = gone.split('/')[1]!;
    for (const key of [...of(tilesetId), ...of(earlier)]) await objects.put(key, new Uint8Array(1));
    await prune(0);
    expect(keys()).not.toContain(gone);
    for (const key of of(earlier)) expect(objects.objects.has(key), key).toBe(true);
    const deleted: string[] = [];
    const { delete: remove } = MemoryObjectStore.prototype;
    objects.delete = (key) => {
      deleted.push(key);
      return remove.call(objects, key);
    };
    expect((await prune()).deleted).toBe(0);
    nowMs += hourMs;
    expect((await prune()).deleted).toBe(4);
    expect(deleted.filter((key) => key.startsWith('metrics/'))).toEqual(of(earlier).reverse());
    for (const key of of(tilesetId)) expect(objects.objects.has(key), key).toBe(true);
  });

  it('deletes nothing that no build made', async () => {
    const others = ['accepted-roads/1', 'typical-week/a/1', 'metrics/a/current', 'mail/1.eml'];
    for (const key of others) await objects.put(key, new Uint8Array(1));
    await prune(0);
    for (const key of others) expect(objects.objects.has(key), key).toBe(true);
  });

  it('M-043: deletes nothing while a build runs, and a build waits for a prune to end', async () => {
    const { put, delete: remove } = MemoryObjectStore.prototype;
    let seen: unknown = 'not asked';
    objects.put = async (key, bytes) => {
      if (key === currentReleaseKey) seen = await pruneStore(objects, { clock: () => nowMs, graceMs: 0 });
      return put.call(objects, key, bytes);
    };
    await buildRelease(smaller, objects, drawn);
    expect(seen).toMatchObject({ heldUpBy: expect.stringMatching(/^prune\/builds\/[0-9a-f-]{36}$/) });
    await serves();

    // Held up in the middle of deleting what the build is about to reuse.
    await buildRelease(town, objects, drawn);
    objects.put = put;
    let deletes = 0;
    let building: Promise<unknown> | undefined;
    objects.delete = async (key) => {
      if (!key.startsWith('prune/') && deletes++ === 0) {
        building = buildRelease(smaller, objects, drawn);
        await delay(50);
      }
      return remove.call(objects, key);
    };
    expect((await prune(0)).deleted).toBeGreaterThan(5);
    await building;
    await serves();
  });

  it('deletes nothing if the release cannot be read', async () => {
    const { tilesetId } = (await currentRelease(objects))!;
    objects.objects.delete(`tilesets/${tilesetId}/manifest.json`);
    const before = keys();
    await expect(prune(0)).rejects.toThrow(/there is no tileset/);
    expect(keys()).toEqual(before);
  });

  it('deletes nothing if the map cannot be read, or no release serves', async () => {
    const { mapId } = (await currentRelease(objects))!;
    const manifest = `map-tiles/${mapId}/manifest.json`;
    const whole = objects.objects.get(manifest)!;
    objects.objects.delete(manifest);
    let before = keys();
    await expect(prune(0)).rejects.toThrow(`${manifest}: it is missing; build the tiles again`);
    expect(keys()).toEqual(before);
    objects.objects.set(manifest, whole);
    objects.objects.delete(currentReleaseKey);
    before = keys();
    expect(await prune(0)).toEqual({ reachable: 0, waiting: 0, deleted: 0 });
    expect(keys()).toEqual(before);
  });

  it.each([
    ['damaged', () => '{"format":"meridian-unre'],
    [
      'of another format',
      (notes: string) => notes.replace('meridian-unreachable-1', 'meridian-unreachable-0'),
    ],
    ['no time', (notes: string) => notes.replaceAll(/:(\d+)/g, ':"$1"')],
    ['of a clock that was ahead', (notes: string) => notes.replaceAll(/:(\d)(\d+)/g, ':9$2')],
  ])('waits again when its stored state is %s', async (_, spoilt) => {
    const notesKey = 'prune/unreachable.json';
    const { waiting } = await prune();
    const notes = new TextDecoder().decode(objects.objects.get(notesKey));
    objects.objects.set(notesKey, new TextEncoder().encode(spoilt(notes)));
    nowMs += hourMs;
    expect(await prune()).toMatchObject({ deleted: 0, waiting });
    nowMs += hourMs;
    expect(await prune()).toMatchObject({ deleted: waiting, waiting: 0 });
  });
});
