import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTileset } from '#map-data/open-tileset.js';
import { encodeManifest, manifestKey } from '#map-data/tiles/manifest.js';
import { tileKinds, tilesOfKind } from '#map-data/tiles/tile-kinds.js';
import { readManifest } from '#map-data/tiles/tile-source.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { readPartition } from '#tile-builder/tiles/previous-tileset.js';
import { MemoryObjectStore } from './memory-object-store.js';
import { type Fixture, type FixtureWay, playFixture } from './osm-fixture.js';

const side = 12;
const cellNodesMax = [8, 40];

/**
 * Streets in a grid; every street section between crossings is a way, so that one changed way is a small
 * change.
 */
function town(): Fixture {
  const nodeId = (x: number, y: number): number => 1 + y * side + x;
  const places = Array.from({ length: side * side }, (_, i) => ({ x: i % side, y: Math.floor(i / side) }));
  const ways: FixtureWay[] = [];
  const street = (id: number, a: number, b: number, name: string): void =>
    void ways.push({ id, refs: [a, b], tags: { highway: 'residential', name } });
  for (const { x, y } of places) {
    if (x + 1 < side) street(1000 + nodeId(x, y), nodeId(x, y), nodeId(x + 1, y), `Row ${y}`);
    if (y + 1 < side) street(2000 + nodeId(x, y), nodeId(x, y), nodeId(x, y + 1), `Column ${x}`);
  }
  return {
    nodes: places.map(({ x, y }) => ({ id: nodeId(x, y), lng: 10 + x / 500, lat: 50 + y / 500 })),
    ways,
    relations: [],
  };
}

type Change = (town: Fixture, at: number) => Fixture;

const retagged =
  (tags: (way: FixtureWay) => Record<string, string>): Change =>
  (town, at) => {
    const way = town.ways[at % town.ways.length]!;
    return {
      ...town,
      ways: town.ways.with(at % town.ways.length, { ...way, tags: { ...way.tags, ...tags(way) } }),
    };
  };

const changes: Readonly<Record<string, Change>> = {
  renamed: retagged(({ id }) => ({ name: `Renamed ${id}` })),
  slower: retagged(() => ({ maxspeed: '20' })),
  private: retagged(() => ({ access: 'private' })),
  'one-way': retagged(() => ({ oneway: 'yes' })),
  gone: (town, at) => ({ ...town, ways: town.ways.toSpliced(at % town.ways.length, 1) }),
  moved: (town, at) => {
    const node = town.nodes[at % town.nodes.length]!;
    return { ...town, nodes: town.nodes.with(at % town.nodes.length, { ...node, lat: node.lat + 0.0004 }) };
  },
  'a lane to nowhere': (town, at) => {
    const from = town.nodes[at % town.nodes.length]!;
    const id = 10_000 + town.nodes.length;
    const way = { id: id + 10_000, refs: [from.id, id], tags: { highway: 'service', name: `Lane ${id}` } };
    return {
      ...town,
      nodes: [...town.nodes, { ...from, id, lng: from.lng + 0.0007 }],
      ways: [...town.ways, way],
    };
  },
  'an island': (town, at) => {
    const near = town.nodes[at % town.nodes.length]!;
    const id = 10_000 + town.nodes.length;
    const way = { id: id + 10_000, refs: [id, id + 1], tags: { highway: 'track' } };
    const nodes = [0, 1].map((i) => ({
      id: id + i,
      lng: near.lng + 0.0002,
      lat: near.lat + 0.0003 * (1 + i),
    }));
    return { ...town, nodes: [...town.nodes, ...nodes], ways: [...town.ways, way] };
  },
  'a forbidden turn': (town, at) => {
    const from = town.ways[at % town.ways.length]!;
    const via = from.refs[1]!;
    const to = town.ways.find(({ id, refs }) => id !== from.id && refs[0] === via);
    if (to === undefined) return town;
    const relation = {
      id: 1 + (town.relations?.length ?? 0),
      members: [
        { type: 'way' as const, id: from.id, role: 'from' },
        { type: 'node' as const, id: via, role: 'via' },
        { type: 'way' as const, id: to.id, role: 'to' },
      ],
      tags: { type: 'restriction', restriction: 'no_left_turn' },
    };
    return { ...town, relations: [...(town.relations ?? []), relation] };
  },
};

const build = (fixture: Fixture, objects: MemoryObjectStore, options: object = {}) =>
  buildTileset({ kind: 'elements', read: (sink) => playFixture(fixture, sink) }, objects, {
    cellNodesMax,
    ...options,
  });

describe('roads built over a release', () => {
  it('M-043: rebuilt roads equal a build from scratch with the same cells, after many changes', async () => {
    const first = new MemoryObjectStore();
    const { cellCount } = await build(town(), first);
    expect(cellCount).toBeGreaterThan(15);
    let written = 0;
    let carried = 0;
    const step = fc.tuple(fc.constantFrom(...Object.keys(changes)), fc.nat(10_000));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        const over = new MemoryObjectStore();
        for (const [key, bytes] of first.objects) over.objects.set(key, bytes);
        let changed = town();
        let built = await build(changed, over);
        expect(built.writtenTiles).toBe(0);
        for (const [what, at] of steps) {
          changed = changes[what]!(changed, at);
          built = await build(changed, over);
          written += built.writtenTiles;
          carried += built.cellCount;
        }
        const partition = await readPartition(over, built.tilesetId);
        const scratch = new MemoryObjectStore();
        const full = await build(changed, scratch, { partition, reuse: false });
        expect(built.tilesetId).toBe(full.tilesetId);
        for (const [key, bytes] of scratch.objects) expect(over.objects.get(key), key).toEqual(bytes);
        await openTileset(over);
      }),
      { numRuns: 20, seed: 43 },
    );
    // Four super tiles and few cells each, or the test proves nothing.
    expect(written / carried).toBeLessThan(0.5);
  });

  it('keeps a crossing in its cell, and puts new ones into the cell that they lead to', async () => {
    const objects = new MemoryObjectStore();
    const before = await build(town(), objects);
    const cellOf = async (tilesetId: string): Promise<Map<number, number>> => {
      const { nodeIds, cellFirstNode } = await readPartition(objects, tilesetId);
      const cells = new Map<number, number>();
      for (let cell = 0; cell + 1 < cellFirstNode.length; cell++)
        for (let i = cellFirstNode[cell]!; i < cellFirstNode[cell + 1]!; i++) cells.set(nodeIds[i]!, cell);
      return cells;
    };
    const known = await cellOf(before.tilesetId);
    const grown = changes['a lane to nowhere']!(town(), 30);
    const after = await cellOf((await build(grown, objects)).tilesetId);
    for (const [node, cell] of known) expect(after.get(node)).toBe(cell);
    expect(after.get(10_000 + side * side)).toBe(known.get(31));
  });

  it('cuts roads again when a cell exceeds its limit or settings change; empty cells vanish', async () => {
    const objects = new MemoryObjectStore();
    const { tilesetId, cellCount } = await build(town(), objects);
    const { nodeIds, cellFirstNode } = await readPartition(objects, tilesetId);
    const ofFirst = new Set(nodeIds.subarray(0, cellFirstNode[1]));
    const { nodes, ways } = town();
    const without = { nodes, ways: ways.filter(({ refs }) => !refs.some((ref) => ofFirst.has(ref))) };
    expect((await build(without, objects)).cellCount).toBe(cellCount - 1);

    let grown = town();
    await build(grown, objects);
    for (let i = 0; i < 12; i++) grown = changes['a lane to nowhere']!(grown, 30);
    const anew = await build(grown, objects);
    expect(anew.tilesetId).toBe((await build(grown, new MemoryObjectStore())).tilesetId);
    const smaller = await build(grown, objects, { cellNodesMax: [6, 30] });
    const alone = await build(grown, new MemoryObjectStore(), { cellNodesMax: [6, 30] });
    expect(smaller.tilesetId).toBe(alone.tilesetId);
  });

  it('does not cut roads again if it is known that they are unchanged', async () => {
    const objects = new MemoryObjectStore();
    const { tilesetId } = await build(town(), objects);
    const phases = new Set<string>();
    const onProgress = (phase: string): void => void phases.add(phase);
    expect((await build(town(), objects, { onProgress })).tilesetId).toBe(tilesetId);
    expect(phases).not.toContain('tiles');
    const key = [...objects.objects.keys()].find((name) => name.startsWith('build-memo/tilesets/'))!;
    objects.objects.set(key, objects.objects.get(key)!.slice(0, -7));
    expect((await build(town(), objects, { onProgress })).tilesetId).toBe(tilesetId);
    expect(phases).toContain('tiles');
  });

  it('cuts roads again when only a relation says another direction of a number', async () => {
    const { nodes, ways } = retagged(() => ({ ref: 'I 80', oneway: 'yes' }))(town(), 0);
    const signed = (direction: string): Fixture => {
      const members = [{ type: 'way' as const, id: ways[0]!.id, role: direction }];
      return {
        nodes,
        ways,
        relations: [{ id: 1, members, tags: { type: 'route', route: 'road', ref: 'I 80' } }],
      };
    };
    const objects = new MemoryObjectStore();
    const { tilesetId } = await build(signed('west'), objects);
    const changed = await build(signed('north'), objects);
    expect(changed.tilesetId).not.toBe(tilesetId);
    expect((await build(signed('west'), objects)).tilesetId).toBe(tilesetId);
  });

  it('reuses no compressed tile of a program that compresses differently', async () => {
    const objects = new MemoryObjectStore();
    const { tilesetId } = await build(town(), objects);
    const manifest = { ...(await readManifest(objects, tilesetId)), builder: 1 };
    objects.objects.set(manifestKey(tilesetId), encodeManifest(manifest));
    for (const { key } of tilesOfKind(manifest, 'roads')) objects.objects.set(key, new Uint8Array(1));
    const changed = changes['gone']!(town(), 60);
    const built = await build(changed, objects);
    const partition = await readPartition(objects, built.tilesetId);
    const scratch = new MemoryObjectStore();
    await build(changed, scratch, { partition, reuse: false });
    for (const [key, bytes] of scratch.objects) expect(objects.objects.get(key), key).toEqual(bytes);
  });

  it('reuses nothing of a damaged tileset', async () => {
    const objects = new MemoryObjectStore();
    const { tilesetId } = await build(town(), objects);
    const changed = changes['gone']!(town(), 60);
    const alone = await build(changed, new MemoryObjectStore());
    const manifest = await readManifest(objects, tilesetId);
    for (const kind of tileKinds) {
      if (kind !== 'partition' && kind !== 'weights' && kind !== 'borders') continue;
      const damaged = new MemoryObjectStore();
      for (const [key, bytes] of objects.objects) damaged.objects.set(key, bytes);
      const { key } = tilesOfKind(manifest, kind)[0]!;
      damaged.objects.set(key, damaged.objects.get(key)!.slice(0, -5));
      expect((await build(changed, damaged)).tilesetId).toBe(alone.tilesetId);
      await openTileset(damaged);
    }
  });
});
