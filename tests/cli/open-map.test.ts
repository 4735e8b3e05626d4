import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openMap } from '#cli/open/open-map.js';
import { readSettings } from '#cli/read-settings.js';
import { defaultMapSource } from '#map-data/default-map.js';
import { currentRelease } from '#map-data/release/release.js';
import { encodeManifest, manifestKey } from '#map-data/tiles/manifest.js';
import { readManifest } from '#map-data/tiles/tile-source.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { openObjectStore } from '#platform/object-store/open-object-store.js';
import { buildRelease } from '#tile-builder/build-release.js';
import { addressTown, sourceOf } from '../geocoding/address-town.js';

const earlierDefault = createRequire(import.meta.url).resolve('geojson-path-finder/test/large-network.json');

describe('a data folder that an earlier version built', () => {
  let data: string;
  let objects: ObjectStore;
  let messages: string[];

  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-earlier-map-'));
    objects = await openObjectStore(`dir:${join(data, 'objects')}`);
    await buildRelease(sourceOf(addressTown), objects, { map: false });
    messages = [];
    vi.spyOn(console, 'error').mockImplementation((message: string) => void messages.push(message));
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await objects.close();
    await rm(data, { recursive: true, force: true });
  });

  /** What the version that built the map wrote about it. */
  const noteOf = async (file: string): Promise<void> => {
    const { size, mtimeMs } = await stat(file);
    const { releaseId } = (await currentRelease(objects))!;
    await writeFile(
      join(data, 'map.json'),
      JSON.stringify({ file, bytes: size, changedMs: mtimeMs, releaseId }),
    );
  };
  const open = () => openMap(readSettings({ MERIDIAN_DATA: data }), objects, undefined);

  test('keeps its map and says in a sentence that it is not the default map', async () => {
    await noteOf(earlierDefault);
    const before = await currentRelease(objects);
    expect(await open()).toMatchObject({ name: 'Gothenburg', release: before, builtInS: undefined });
    expect(messages).toEqual([
      'The data folder has the map of Gothenburg, the default map of earlier versions. ' +
        'For Malta, set MERIDIAN_DATA to a new folder.',
    ]);
  });

  test('keeps a map that was built by other rules, although its source is still installed', async () => {
    const before = (await currentRelease(objects))!;
    const manifest = await readManifest(objects, before.tilesetId);
    const earlier = encodeManifest({ ...manifest, builder: manifest.builder - 1 });
    await objects.put(manifestKey(before.tilesetId), earlier);
    await noteOf(earlierDefault);
    expect(await open()).toMatchObject({ name: 'Gothenburg', release: before, builtInS: undefined });
    expect(messages[0]).toMatch(/with other rules\. It stays\.$/);
  });

  test('is not replaced when its map is damaged: the command fails with a sentence', async () => {
    await noteOf(earlierDefault);
    await objects.delete(manifestKey((await currentRelease(objects))!.tilesetId));
    await expect(open()).rejects.toThrow(/^The map cannot be opened: .*has the map of Gothenburg/);
  });

  test('of the default map has its name and no message', async () => {
    await noteOf(defaultMapSource().file);
    expect(await open()).toMatchObject({ name: 'Malta', builtInS: undefined });
    expect(messages).toEqual([]);
  });
});
