import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AffectedTiles } from '#map-tiles/build/squares/affected-tiles.js';
import { encodeMapMemory, readMapMemory } from '#map-tiles/build/squares/map-build-cache.js';
import { mapMemoryKey } from '#map-tiles/format/map-manifest.js';
import { buildRelease } from '#tile-builder/build-release.js';
import { MemoryObjectStore } from '../tile-builder/memory-object-store.js';
import { type Fixture, playFixture } from '../tile-builder/osm-fixture.js';

/**
 * A town of a few build tiles of zoom 12 with roads of several classes, houses and woods, rendered from one
 * seed.
 */
function town(seed: number, houses: number): Fixture {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const nodes: { id: number; lng: number; lat: number }[] = [];
  const ways: { id: number; refs: number[]; tags: Record<string, string> }[] = [];
  const node = (lng: number, lat: number): number => {
    nodes.push({ id: nodes.length + 1, lng, lat });
    return nodes.length;
  };
  const classes = ['primary', 'secondary', 'residential', 'footway'];
  const corners = Array.from({ length: 36 }, (_, i) =>
    node(14 + (i % 6) * 0.03 + random() * 0.01, 35 + Math.floor(i / 6) * 0.03 + random() * 0.01),
  );
  for (let row = 0; row < 6; row++) {
    const highway = classes[row % classes.length]!;
    ways.push({
      id: 10 + row,
      refs: corners.slice(6 * row, 6 * row + 6),
      tags: { highway, name: `Row ${row}` },
    });
    const refs = [0, 1, 2, 3, 4, 5].map((i) => corners[6 * i + row]!);
    ways.push({ id: 20 + row, refs, tags: { highway, name: `Column ${row}` } });
  }
  for (let i = 0; i < houses; i++) {
    const [lng, lat, side] = [14 + random() * 0.15, 35 + random() * 0.15, i % 9 === 0 ? 0.02 : 0.0003];
    const ring = [node(lng, lat), node(lng + side, lat), node(lng + side, lat + side), node(lng, lat + side)];
    const tags: Record<string, string> =
      i % 9 === 0 ? { natural: 'wood', name: `Wood ${i}` } : { building: 'yes' };
    ways.push({ id: 100 + i, refs: [...ring, ring[0]!], tags });
  }
  // Two far islets define the extent of the map; between them are others, and a lagoon in one.
  const islet = (id: number, lng: number, lat: number, size: number): void => {
    const ring = [node(lng, lat), node(lng + size, lat), node(lng + size, lat + size), node(lng, lat + size)];
    ways.push({ id, refs: [...ring, ring[0]!], tags: { natural: 'coastline' } });
  };
  for (const [i, at] of [-0.03, 0.18].entries()) islet(1_000 + i, 14 + at, 35 + at, 0.02);
  for (let i = 0; i < 6; i++) islet(900 + i, 14 + random() * 0.16, 34.98 + random() * 0.012, 0.004);
  return { nodes, ways };
}

/** One of several ways is removed, renamed, of another kind, or moved. */
function changed({ nodes, ways }: Fixture, which: number, how: number): Fixture {
  const at = which % ways.length;
  const way = ways[at]!;
  const others = ways.filter((_, i) => i !== at);
  switch (how) {
    case 0:
      return { nodes, ways: others };
    case 1:
      return { nodes, ways: ways.with(at, { ...way, tags: { ...way.tags, name: 'New name' } }) };
    case 2:
      return { nodes, ways: ways.with(at, { ...way, tags: { natural: 'water' } }) };
    default: {
      const moved = nodes.map((each) =>
        way.refs.includes(each.id) ? { ...each, lat: each.lat + 0.004 } : each,
      );
      return { nodes: moved, ways };
    }
  }
}

const build = (fixture: Fixture, objects: MemoryObjectStore) =>
  buildRelease({ kind: 'elements', read: (sink) => playFixture(fixture, sink) }, objects, {
    map: { world: false, zoomMax: 15, pngZoomMax: 11 },
  });

describe('a build over an earlier one', () => {
  it('M-043: gives the bytes of a build from scratch, whatever changed', async () => {
    const before = town(7, 60);
    const objects = new MemoryObjectStore();
    await build(before, objects);
    const kept: number[] = [];
    await fc.assert(
      fc.asyncProperty(fc.nat(79), fc.nat(3), async (which, how) => {
        const after = changed(before, which, how);
        const over = new MemoryObjectStore();
        for (const [key, bytes] of objects.objects) over.objects.set(key, bytes);
        const scratch = new MemoryObjectStore();
        const [incremental, full] = [await build(after, over), await build(after, scratch)];
        expect(incremental.releaseId).toBe(full.releaseId);
        for (const [key, bytes] of scratch.objects) expect(over.objects.get(key), key).toEqual(bytes);
        expect(incremental.map!.cutTiles + incremental.map!.keptTiles).toBe(full.map!.cutTiles);
        kept.push(incremental.map!.keptTiles / full.map!.cutTiles);
      }),
      {
        numRuns: 10,
        seed: 5,
        examples: [
          [76, 3],
          [79, 0],
        ],
      },
    );
    // Most of the map is reused, or the test proves nothing.
    expect(kept.reduce((sum, share) => sum + share, 0) / kept.length).toBeGreaterThan(0.5);
  });

  it('reuses nothing of a damaged block, or of an earlier map with another style', async () => {
    const before = town(3, 20);
    const after = changed(before, 15, 1);
    const scratch = new MemoryObjectStore();
    const full = await build(after, scratch);
    const damaged = new MemoryObjectStore();
    await build(before, damaged);
    for (const [key, bytes] of damaged.objects)
      if (key.startsWith('map-tiles/blocks/')) damaged.objects.set(key, bytes.slice(0, -9));
    const repaired = await build(after, damaged);
    expect(repaired.releaseId).toBe(full.releaseId);

    const other = new MemoryObjectStore();
    const read = (sink: Parameters<typeof playFixture>[1]) => playFixture(before, sink);
    await buildRelease({ kind: 'elements', read }, other, {
      map: { world: false, zoomMax: 12, pngZoomMax: 3 },
    });
    const deeper = await build(after, other);
    expect([deeper.releaseId, deeper.map!.keptTiles]).toEqual([full.releaseId, 0]);
  });

  it('reuses nothing with a build cache that is damaged or of another map', async () => {
    const before = town(3, 20);
    const after = changed(before, 2, 1);
    const [first, full] = [new MemoryObjectStore(), new MemoryObjectStore()];
    const { map } = await build(before, first);
    const { map: drawn, releaseId } = await build(after, full);
    const over = async (memory: Uint8Array) => {
      const objects = new MemoryObjectStore();
      for (const [key, bytes] of first.objects) objects.objects.set(key, bytes);
      objects.objects.set(mapMemoryKey(map!.mapId), memory);
      return build(after, objects);
    };
    const own = first.objects.get(mapMemoryKey(map!.mapId))!;
    const others = full.objects.get(mapMemoryKey(drawn!.mapId))!;
    const damaged = Uint8Array.from(own);
    damaged[own.length - 40]! ^= 1;
    for (const memory of [damaged, own.slice(0, -8), new Uint8Array(), others]) {
      const built = await over(memory);
      expect([built.releaseId, built.map!.keptTiles]).toEqual([releaseId, 0]);
    }
    // The same build cache under the seal of this map reports that nothing has changed: the seal prevents
    // this.
    const lie = encodeMapMemory(map!.mapId, readMapMemory(drawn!.mapId, others)!);
    expect((await over(lie)).map!.mapId).toBe(map!.mapId);
    expect((await over(own)).releaseId).toBe(releaseId);
  });

  it('renders everything after a change around the world, and single tiles after a smaller one', () => {
    const world = new AffectedTiles(16);
    world.markBox(3, 0, -1_800_000_000, -850_000_000, 1_800_000_000, 850_000_000);
    expect(world.isTooMuch).toBe(true);
    const town = new AffectedTiles(16);
    town.markBox(3, 12, 140_000_000, 350_000_000, 140_100_000, 350_100_000);
    town.markBelow(0, { z: 14, x: 8_829, y: 6_500 }, 16);
    expect(town.isTooMuch).toBe(false);
    // The tile, four below it and sixteen below these, each in one block, and nothing else.
    const block = town.block(14, 8_829 >> 2, 6_500 >> 2)!;
    expect([...block.values()].filter((layers) => (layers & 1) !== 0)).toHaveLength(1 + 4 + 16);
    expect(town.block(14, 0, 0)).toBeUndefined();
  });

  it('does not rebuild unchanged roads', async () => {
    const before = town(3, 20);
    const objects = new MemoryObjectStore();
    const first = await build(before, objects);
    const phases = new Set<string>();
    const read = (sink: Parameters<typeof playFixture>[1]) => playFixture(changed(before, 20, 0), sink);
    const second = await buildRelease({ kind: 'elements', read }, objects, {
      map: false,
      onProgress: (phase) => phases.add(phase),
    });
    expect(second.tilesetId).toBe(first.tilesetId);
    expect(phases.has('partition')).toBe(false);
    await buildRelease({ kind: 'elements', read }, objects, {
      ...{ map: false, reuse: false },
      onProgress: (phase) => phases.add(phase),
    });
    expect(phases.has('partition')).toBe(true);
  });
});
