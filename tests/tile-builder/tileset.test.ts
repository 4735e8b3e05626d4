import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { CorruptTileset, openTileset, TilesetNotFound } from '#map-data/open-tileset.js';
import { currentRelease } from '#map-data/release/release.js';
import { adjacentCells } from '#map-data/tiles/decode-roads.js';
import { openTile, tileBytesMax } from '#map-data/tiles/tile-envelope.js';
import { tileKinds, tileNamed } from '#map-data/tiles/tile-kinds.js';
import { readManifest } from '#map-data/tiles/tile-source.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { InvalidMapSource } from '#schemas/osm-sink.js';
import { type BuildPhase, type BuiltTileset, buildTileset } from '#tile-builder/build-tileset.js';
import { inspectTileset, verifyTileset } from '#tile-builder/inspect-tileset.js';
import { proves } from '#tools/acceptance/proves.js';
import { MemoryObjectStore } from './memory-object-store.js';
import { playFixture } from './osm-fixture.js';
import { gothenburg, storeOf } from './real-maps.js';

describe('a tileset of Gothenburg', () => {
  const objects = new MemoryObjectStore();
  let built: BuiltTileset;
  let network: RoadNetwork;
  const phases = new Set<BuildPhase>();

  beforeAll(async () => {
    built = await buildTileset(gothenburg, objects, { onProgress: (phase) => phases.add(phase) });
    network = await openTileset(objects);
  });

  proves('M-042', {
    asked: 'compressed binary adjacency lists in the object store',
    shown: 'road tiles take at most four fifths of their unpacked bytes; the network comes from them',
    settings: ['objects in memory'],
    control: {
      in: 'map-data/tiles/tile-envelope.ts',
      change: 'deflateRawSync(payload, { level: packLevel });',
      to: 'deflateRawSync(payload, { level: 0 * packLevel });',
    },
  });
  it('M-042: opens from the object store with the built content, packed', async () => {
    const manifest = await readManifest(objects, built.tilesetId);
    let [packed, unpacked] = [0, 0];
    for (let cell = 0; cell < network.cellCount; cell++) {
      const bytes = objects.objects.get(tileNamed(manifest, 'roads', cell).key)!;
      expect(Buffer.from(bytes.subarray(0, 4)).toString()).toBe('MRTL');
      packed += bytes.length;
      unpacked += openTile('roads', bytes).length;
    }
    expect(unpacked / packed).toBeGreaterThan(1.25);
    expect(network.edgeCount).toBeGreaterThan(10_000);
    expect(network.tilesetId).toBe(built.tilesetId);
    expect(network.edgeCount).toBe(built.edgeCount);
    expect((await currentRelease(objects))?.tilesetId).toBe(built.tilesetId);
    expect([...phases]).toEqual(expect.arrayContaining(['graph', 'partition', 'tiles', 'publish']));
  });

  proves('M-043', {
    asked: 'the offline job turns an extract into tiles, repeatable byte for byte',
    shown:
      'the roads of Gothenburg twice: the same objects with the same bytes; all else in tile-builder/release',
    control: {
      in: 'tile-builder/tiles/cut-tiles.ts',
      change: "attribution: '© OpenStreetMap contributors, ODbL 1.0',",
      to: "attribution: '© OpenStreetMap contributors, ODbL 1.0, ' + Date.now(),",
    },
  });
  it('M-043: a repeated build gives the same bytes', async () => {
    const again = await storeOf(gothenburg);
    expect([...again.objects.keys()].sort()).toEqual([...objects.objects.keys()].sort());
    for (const [key, bytes] of again.objects)
      expect(Buffer.compare(bytes, objects.objects.get(key)!)).toBe(0);
  });

  proves('M-040', {
    asked: 'each tile lists its adjacent tiles, and the lists are symmetric',
    shown: 'all tiles of Gothenburg list exactly the cells that an edge joins to theirs, both ways',
    control: {
      in: 'map-data/tiles/cell-border.ts',
      change: 'for (const number of entries) adjacent.add(boundaryTailCell[number]);',
      to: 'for (const number of entries) if (number % 2 === 0) adjacent.add(boundaryTailCell[number]);',
    },
  });
  it('M-040: each tile lists its neighbours, symmetrically, and none is over 512 KB', async () => {
    const manifest = await readManifest(objects, built.tilesetId);
    const { cellFirstNode, firstOut, tail, head } = network.arrays;
    const neighbours = Array.from({ length: network.cellCount }, (_, cell) => {
      const bytes = objects.objects.get(tileNamed(manifest, 'roads', cell).key)!;
      return new Set(adjacentCells(openTile('roads', bytes)));
    });
    for (const bytes of objects.objects.values()) expect(bytes.length).toBeLessThanOrEqual(tileBytesMax);
    for (const [cell, others] of neighbours.entries())
      for (const other of others) expect(neighbours[other]!.has(cell)).toBe(true);
    const joined = neighbours.map(() => new Set<number>());
    let crossing = 0;
    for (let edge = 0; edge < network.edgeCount; edge++) {
      const from = network.nodeCell(tail[edge]!);
      const to = network.nodeCell(head[edge]!);
      if (from === to) continue;
      crossing++;
      joined[from]!.add(to);
      joined[to]!.add(from);
    }
    // These and no others.
    expect(neighbours.map((cells) => [...cells].toSorted())).toEqual(
      joined.map((cells) => [...cells].toSorted()),
    );
    expect(crossing).toBeGreaterThan(100);
    expect(cellFirstNode[network.cellCount]).toBe(network.nodeCount);
    expect(firstOut[network.nodeCount]).toBe(network.edgeCount);
  });

  proves('M-041', {
    asked: 'several levels of detail',
    shown: 'three or more levels, each cell within one of the next, up to one cell for the whole map',
    control: {
      in: 'tile-builder/graph/build-road-graph.ts',
      change: '[128, 768, 4_096, 24_576, 147_456] as const',
      to: '[128, 147_456] as const',
    },
  });
  it('M-041: cells nest, level by level, up to one', () => {
    expect(network.levelCount).toBeGreaterThanOrEqual(3);
    expect(network.meta.cellCounts.at(-1)).toBe(1);
    for (let level = 1; level < network.levelCount; level++)
      for (let cell = 1; cell < network.cellCount; cell++) {
        const step =
          network.ancestor(network.nodeCell(network.arrays.cellFirstNode[cell]!), level) -
          network.ancestor(network.nodeCell(network.arrays.cellFirstNode[cell - 1]!), level);
        expect([0, 1]).toContain(step);
      }
  });

  it('names every edge by an id that leads back to it, unique and with geometry from node to node', () => {
    const { copyOf, nodeLngE7, nodeLatE7, tail, head } = network.arrays;
    const ids = new Set<string>();
    for (let edge = 0; edge < network.edgeCount; edge++) {
      if (copyOf[edge] !== edge) continue;
      const id = network.edgeId(edge);
      ids.add(id);
      expect(network.edgeByStableId(id)).toBe(edge);
      if (edge % 50 !== 0) continue;
      const line = network.edgeGeometry(edge);
      expect(line[0]).toBeCloseTo(nodeLngE7[tail[edge]!]! / 1e7, 7);
      expect(line.at(-1)).toBeCloseTo(nodeLatE7[head[edge]!]! / 1e7, 7);
      const reverse = network.reverseOf(edge);
      if (reverse !== undefined) expect(network.reverseOf(reverse)).toBe(edge);
    }
    expect(ids.size).toBe(network.edgeCount);
    expect(network.edgeByStableId('1:2-3+')).toBeUndefined();
    expect(network.edgeByStableId('nonsense')).toBeUndefined();
  });

  it('a corrupt, truncated, exchanged or missing tile is a clear error, never a network', async () => {
    const random = seeded(5);
    const keys = [...objects.objects.keys()]
      .filter((key) => /\.(roads|borders|weights|ways|numbers)$/.test(key))
      .sort();
    const supers = keys.filter((key) => !key.endsWith('.roads'));
    expect(supers.length).toBeGreaterThanOrEqual(3);
    const damage: ((bytes: Uint8Array, key: string) => Uint8Array | undefined)[] = [
      (bytes) => bytes.subarray(0, Math.floor(random() * bytes.length)),
      (bytes) => {
        const damaged = Uint8Array.from(bytes);
        damaged[Math.floor(random() * bytes.length)]! ^= 1 + Math.floor(random() * 255);
        return damaged;
      },
      (_, key) => objects.objects.get(keys[(keys.indexOf(key) + 2) % keys.length]!)!,
      () => undefined,
      () => new Uint8Array(),
    ];
    for (let i = 0; i < 40; i++) {
      const among = i < 20 ? supers : keys;
      const key = among[Math.floor(random() * among.length)]!;
      const whole = objects.objects.get(key)!;
      const damaged = damage[i % damage.length]!(whole, key);
      if (damaged === undefined) objects.objects.delete(key);
      else objects.objects.set(key, damaged);
      const error: unknown = await openTileset(objects).catch((reason: unknown) => reason);
      objects.objects.set(key, whole);
      expect(error).toBeInstanceOf(CorruptTileset);
      expect((error as Error).message).toContain(key);
    }
    await expect(openTileset(objects)).resolves.toBeDefined();
  });

  it('M-042: a summary describes the tileset without reading a tile', async () => {
    const read: string[] = [];
    objects.afterGet = (key, bytes) => {
      read.push(key);
      return bytes;
    };
    const summary = await inspectTileset(objects);
    objects.afterGet = (_, bytes) => bytes;
    const isTile = (key: string): boolean => key.startsWith('tilesets/tiles/');
    expect(read.filter(isTile)).toEqual([]);
    expect(summary).toMatchObject({
      tilesetId: built.tilesetId,
      nodes: network.nodeCount,
      edges: network.edgeCount,
      levels: network.meta.cellCounts,
      drivingSide: 'right',
    });
    const stored = [...objects.objects].filter(([key]) => isTile(key));
    expect(summary.bytes).toBe(stored.reduce((sum, [, bytes]) => sum + bytes.length, 0));
    for (const { largest } of Object.values(summary.kinds)) {
      expect(largest!.bytes).toBe(objects.objects.get(largest!.key)!.length);
      expect(largest!.bytes).toBeLessThanOrEqual(tileBytesMax);
    }
  });

  it.each(tileKinds)('verification detects a flipped bit in a tile of %s', async (kind) => {
    await verifyTileset(objects, built.tilesetId);
    const { key } = tileNamed(await readManifest(objects, built.tilesetId), kind, 0);
    objects.afterGet = (name, bytes) => {
      if (name !== key) return bytes;
      const flipped = bytes!.slice();
      flipped[flipped.length >> 1] = flipped[flipped.length >> 1]! ^ 1;
      return flipped;
    };
    await expect(verifyTileset(objects, built.tilesetId)).rejects.toThrow(CorruptTileset);
    objects.afterGet = (_, bytes) => bytes;
  });

  it('a tile that arrives damaged once is fetched again', async () => {
    const key = [...objects.objects.keys()].find((name) => name.endsWith('.roads'))!;
    const whole = objects.objects.get(key)!;
    let reads = 0;
    objects.afterGet = (name, bytes) => (name === key && ++reads === 1 ? bytes?.subarray(0, 100) : bytes);
    const opened = await openTileset(objects);
    objects.afterGet = (_, bytes) => bytes;
    expect(reads).toBe(2);
    expect(objects.objects.get(key)).toBe(whole);
    expect(opened.edgeCount).toBe(network.edgeCount);
  });
});

describe('publication', () => {
  const road = (id: number, name: string) => ({
    kind: 'elements' as const,
    read: (sink: Parameters<typeof playFixture>[1]) =>
      playFixture(
        {
          nodes: [
            { id: 1, lng: 10, lat: 50 },
            { id: 2, lng: 10.001, lat: 50 },
          ],
          ways: [{ id, refs: [1, 2], tags: { highway: 'residential', name } }],
        },
        sink,
      ),
  });

  it('M-043: a crash at any put leaves the old tileset current', async () => {
    const objects = new MemoryObjectStore();
    const first = await buildTileset(road(7, 'Old'), objects);
    for (const failing of ['.roads', 'manifest.json', 'releases/current']) {
      objects.beforePut = (key) => {
        if (key.endsWith(failing)) throw new Error('the power went off');
      };
      await expect(buildTileset(road(7, 'New'), objects)).rejects.toThrow('the power went off');
      objects.beforePut = () => {};
      expect((await openTileset(objects)).tilesetId).toBe(first.tilesetId);
    }
    const second = await buildTileset(road(7, 'New'), objects);
    const network = await openTileset(objects);
    expect(network.tilesetId).toBe(second.tilesetId);
    expect(network.edgeName(0)).toBe('New');
    // Ids survive: the same road is found in the new tileset by its old id, whose tiles are still there.
    const old = await openTileset(objects, first.tilesetId);
    expect(network.edgeByStableId(old.edgeId(0))).toBe(0);
  });

  it('an empty store and an extract without roads give an error that says what to do', async () => {
    const objects = new MemoryObjectStore();
    await expect(openTileset(objects)).rejects.toThrow(TilesetNotFound);
    await expect(inspectTileset(objects)).rejects.toThrow(TilesetNotFound);
    expect(await currentRelease(objects)).toBeUndefined();
    await expect(buildTileset({ kind: 'elements', read: () => {} }, objects)).rejects.toThrow(
      InvalidMapSource,
    );
    expect(objects.objects.size).toBe(0);
  });
});
