import { describe, expect, it } from 'vitest';
import { ChangingMap } from '#bench/map-tiles/changing-map.js';
import { seeded } from '#bench/routing/seeded.js';
import { currentRelease } from '#map-data/release/release.js';
import type { OsmChange } from '#osm/change/osm-change.js';
import type { MapSource } from '#osm/read/read-map-source.js';
import { buildRelease } from '#tile-builder/build-release.js';
import { ReleaseBuilder } from '#tile-builder/follow/release-builder.js';
import { readPartition } from '#tile-builder/tiles/previous-tileset.js';
import { randomChange, smallTown } from '../../osm/random-changes.js';
import { MemoryObjectStore } from '../memory-object-store.js';

const drawn = { map: { world: false, zoomMax: 14, pngZoomMax: 12 } } as const;
const noChange: OsmChange = { nodes: new Map(), ways: new Map(), relations: new Map() };

function townInMemory(): { readonly model: ChangingMap; readonly source: MapSource } {
  const model = new ChangingMap();
  smallTown(model.sink);
  return { model, source: { kind: 'elements', read: (sink) => model.play(sink) } };
}

/**
 * Every object of a build from scratch with the same cells is in the store, and is the same; except for the
 * hash of the roads that a command leaves for the next one.
 */
async function expectFullBuild(store: MemoryObjectStore, source: MapSource, at: string): Promise<void> {
  const scratch = new MemoryObjectStore();
  const { tilesetId } = (await currentRelease(store))!;
  await buildRelease(source, scratch, { ...drawn, partition: await readPartition(store, tilesetId) });
  for (const [key, bytes] of scratch.objects) {
    if (key.startsWith('build-memo/')) continue;
    const ours = store.objects.get(key);
    expect(ours !== undefined && Buffer.compare(ours, bytes) === 0, `${at}: ${key}`).toBe(true);
  }
}

describe('a long-running builder', () => {
  it.each([1, 2, 3])(
    'M-043: builds after any changes what a full build makes, byte for byte (seed %i)',
    async (seed) => {
      const random = seeded(seed);
      const { model, source } = townInMemory();
      const store = new MemoryObjectStore();
      const builder = await ReleaseBuilder.read(source, store, drawn);
      await builder.build();
      await expectFullBuild(store, source, 'first');
      for (let step = 0; step < 8; step++) {
        // No release is built of the first ones: then the last build is several changes old.
        for (let skipped = 0; skipped < step % 3; skipped++) {
          const change = randomChange(model, random);
          model.apply(change);
          builder.apply(change);
        }
        const change = randomChange(model, random);
        model.apply(change);
        await builder.build(change);
        await expectFullBuild(store, source, `seed ${seed}, step ${step}`);
      }
    },
  );

  it('continues after a failed build, and after another process published', async () => {
    const random = seeded(5);
    const { model, source } = townInMemory();
    const store = new MemoryObjectStore();
    const builder = await ReleaseBuilder.read(source, store, drawn);
    const { releaseId } = await builder.build();
    let puts = 0;
    for (let failing = 1; failing <= 5; failing++) {
      puts = 0;
      store.beforePut = (key) => {
        if (++puts === failing) throw new Error(`the power went off at ${key}`);
      };
      const change = randomChange(model, random);
      model.apply(change);
      await expect(builder.build(change)).rejects.toThrow(/the power went off/);
      expect((await currentRelease(store))!.releaseId).toBe(releaseId);
    }
    store.beforePut = () => {};
    await builder.build();
    await expectFullBuild(store, source, 'after failures');

    await buildRelease(townInMemory().source, store, drawn);
    const change = randomChange(model, random);
    model.apply(change);
    await builder.build(change);
    await expectFullBuild(store, source, 'after another');
  });

  it('publishes the same release when nothing changed', async () => {
    const { source } = townInMemory();
    const store = new MemoryObjectStore();
    const builder = await ReleaseBuilder.read(source, store, drawn);
    const first = await builder.build();
    expect((await builder.build(noChange)).releaseId).toBe(first.releaseId);
  });
});
