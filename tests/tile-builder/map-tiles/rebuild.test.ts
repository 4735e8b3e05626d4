import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildRelease } from '#tile-builder/build-release.js';
import { MemoryObjectStore } from '../memory-object-store.js';
import { type Fixture, playFixture } from '../osm-fixture.js';

/** A town of a few squares of zoom 12 with roads of several classes, houses and woods, drawn by one seed. */
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
  return { nodes, ways };
}

/** One way of several is gone, renamed, of another kind, or moved. */
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
      fc.asyncProperty(fc.nat(71), fc.nat(3), async (which, how) => {
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
      { numRuns: 12, seed: 5 },
    );
    // Most of the map is taken over, or the test proves nothing.
    expect(kept.reduce((sum, share) => sum + share, 0) / kept.length).toBeGreaterThan(0.5);
  }, 60_000);

  it('takes nothing of a block that is damaged, and of an earlier map that was drawn otherwise', async () => {
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

  it('does not build roads again that are as they were', async () => {
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
