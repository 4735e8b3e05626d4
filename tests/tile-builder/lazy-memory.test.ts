import { expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { openLazyTileset } from '#map-data/lazy/open-lazy-tileset.js';
import { wantedTilesetId } from '#map-data/open-tileset.js';
import { encodeManifest, manifestKey, type TilesetManifest } from '#map-data/tiles/manifest.js';
import { readManifest } from '#map-data/tiles/tile-source.js';
import { gothenburg, storeOf } from './real-maps.js';

const MiB = 2 ** 20;

/** A map that continues without end: the same cells repeated, of which only the first have tiles. */
function repeated(manifest: TilesetManifest, times: number): TilesetManifest {
  const again = <Item>(list: readonly Item[]): Item[] => Array.from({ length: times }, () => list).flat();
  const { counts, children, roads, numbers } = manifest;
  const top = children.length - 1;
  return {
    ...manifest,
    counts: Object.fromEntries(
      Object.entries(counts).map(([name, list]) => [name, again(list)]),
    ) as unknown as TilesetManifest['counts'],
    cellBounds: again(manifest.cellBounds),
    cellFlags: again(manifest.cellFlags),
    children: children.map((level, i) => (i === top ? [times * level[0]!] : again(level))),
    roads: { bytes: again(roads.bytes), sha256: again(roads.sha256) },
    numbers: { bytes: again(numbers.bytes), sha256: again(numbers.sha256) },
  };
}

it('memory follows the loaded cells, not the map, generation after generation', async () => {
  const objects = await storeOf(gothenburg);
  const tilesetId = await wantedTilesetId(objects);
  const manifest = await readManifest(objects, tilesetId);
  const cells = manifest.counts.nodes.length;
  objects.objects.set(manifestKey(tilesetId), encodeManifest(repeated(manifest, 300)));
  const rss = (): number => process.memoryUsage.rss() / MiB;
  const before = rss();
  const bytesMax = 8 * MiB;
  const lazy = await openLazyTileset(objects, { bytesMax });
  expect(lazy.stats().cells).toBe(300 * cells);
  expect(lazy.stats().bytesReserved / MiB).toBeGreaterThan(2_000);
  expect(rss() - before).toBeLessThan(300);

  const random = seeded(6);
  let most = 0;
  while (lazy.stats().generations < 16) {
    // Far from each other, so that few share a page.
    await lazy.ensure(Array.from({ length: 12 }, () => Math.floor(random() * cells)));
    expect(lazy.stats().bytes).toBeLessThanOrEqual(bytesMax);
    most = Math.max(most, rss());
  }
  expect(most - before).toBeLessThan(600);
});
