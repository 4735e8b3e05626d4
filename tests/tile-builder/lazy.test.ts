import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { MemoryBoundTooSmall } from '#map-data/lazy/lazy-tileset.js';
import { openLazyTileset } from '#map-data/lazy/open-lazy-tileset.js';
import { CorruptTileset, openTileset } from '#map-data/open-tileset.js';
import { tileNamed } from '#map-data/tiles/tile-kinds.js';
import { readManifest } from '#map-data/tiles/tile-source.js';
import { ReachSearch } from '#routing-engine/isochrone/reach-search.js';
import { CellsMissing } from '#routing-engine/network/cells-missing.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { openEnds } from '#routing-engine/search/route-ends.js';
import { snap } from '#routing-engine/snap/snap.js';
import { answerIsochroneTask } from '#routing-engine/tasks/isochrone-task.js';
import { answerRouteTask, type RouteTaskOutcome } from '#routing-engine/tasks/route-task.js';
import type { CellId } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';
import type { MemoryObjectStore } from './memory-object-store.js';
import { gothenburg, storeOf } from './real-maps.js';

describe('a tileset that is loaded cell by cell', () => {
  let objects: MemoryObjectStore;
  let eager: RoadNetwork;
  let wholeBytes: number;

  beforeAll(async () => {
    objects = await storeOf(gothenburg);
    eager = await openTileset(objects);
    const all = await openLazyTileset(objects, { bytesMax: 2 ** 32 });
    await all.ensure(Array.from({ length: eager.cellCount }, (_, cell) => cell));
    wholeBytes = all.stats().bytes;
  });

  const placeIn = (random: () => number, reach: number, around = { lat: 0, lng: 0 }) => {
    const [west, south, east, north] = eager.bounds;
    if (reach === 1) return { lng: west + (east - west) * random(), lat: south + (north - south) * random() };
    const { lng, lat } = around;
    return {
      lng: lng + (random() - 0.5) * reach * (east - west),
      lat: lat + (random() - 0.5) * reach * (north - south),
    };
  };

  /**
   * Whatever was carried over or fetched, in any order: the edges of loaded cells equal those of the complete
   * network.
   */
  const expectLoadedCells = (network: RoadNetwork): void => {
    const columns = [
      'tail',
      'head',
      'reverse',
      'copyOf',
      'lengthCm',
      'flags',
      'bearingOut',
      'wayId',
    ] as const;
    for (let cell = 0; cell < network.cellCount; cell++) {
      if (network.arrays.loaded[cell] === 0) continue;
      const [first, end] = network.cellEdges(cell as CellId);
      for (const name of [...columns, 'name', 'ref', 'piece', 'roadClass', 'ordinal'] as const)
        expect([cell, name, network.arrays[name].slice(first, end)]).toEqual([
          cell,
          name,
          eager.arrays[name].slice(first, end),
        ]);
      // The rank of an edge among the incoming ones is known where it arrives.
      const { cellFirstNode, firstIn } = eager.arrays;
      const arriving = [firstIn[cellFirstNode[cell]!]!, firstIn[cellFirstNode[cell + 1]!]!] as const;
      expect(network.arrays.inEdges.slice(...arriving)).toEqual(eager.arrays.inEdges.slice(...arriving));
      for (const edge of eager.arrays.inEdges.subarray(...arriving))
        expect([edge, network.arrays.inRank[edge], network.arrays.head[edge]]).toEqual([
          edge,
          eager.arrays.inRank[edge],
          eager.arrays.head[edge],
        ]);
      for (let edge = first; edge < end; edge += 11)
        expect(network.edgeName(edge)).toBe(eager.edgeName(edge));
    }
  };

  const summary = (outcome: RouteTaskOutcome) =>
    outcome.status === 'ok'
      ? {
          status: outcome.status,
          origin: outcome.origin,
          destination: outcome.destination,
          durationMs: outcome.routes[0]!.path.durationMs,
        }
      : outcome;

  proves('M-042', {
    asked: 'adjacency lists in the object store; an empty cache serves the same',
    shown: 'all cells, loaded in mixed order, equal the network loaded at once: all numbers, names as texts',
    settings: ['objects in memory'],
    control: {
      in: 'map-data/lazy/generation.ts',
      change: '    filler.fill(this.network.arrays, cell, payload);',
      to: '    if (cell > 0) filler.fill(this.network.arrays, cell, payload);',
    },
  });
  it('M-042: all cells loaded in any order equal the network loaded at once, by number', async () => {
    const random = seeded(3);
    const lazy = await openLazyTileset(objects, { bytesMax: 2 ** 32 });
    const cells = Array.from({ length: eager.cellCount }, (_, cell) => cell).sort(() => random() - 0.5);
    while (cells.length > 0) await lazy.ensure(cells.splice(0, 1 + Math.floor(random() * 20)));
    expect(lazy.stats()).toMatchObject({ generations: 1, cellsLoaded: eager.cellCount });
    for (const [name, column] of Object.entries(eager.arrays) as [keyof typeof eager.arrays, Uint8Array][]) {
      // Equal names are in several cells; which of them a number refers to depends on the order.
      if (name === 'nameAt') continue;
      const other = lazy.network.arrays[name] as Uint8Array;
      expect([name, other.length]).toEqual([name, column.length]);
      expect([name, column.findIndex((value, i) => other[i] !== value)]).toEqual([name, -1]);
    }
    for (let edge = 0; edge < eager.edgeCount; edge += 1)
      expect(lazy.network.edgeName(edge)).toBe(eager.edgeName(edge));
  });

  it('an isochrone is that of the complete network, and loads the cells that it needs', async () => {
    const random = seeded(8);
    for (let round = 0; round < 4; round++) {
      const lazy = await openLazyTileset(objects, { bytesMax: 2 ** 32 });
      const { nodeLngE7, nodeLatE7 } = eager.arrays;
      const node = Math.floor(random() * eager.nodeCount);
      const point = { lng: nodeLngE7[node]! / 1e7, lat: nodeLatE7[node]! / 1e7 };
      const contours = [
        { kind: 'ms', limit: 90_000 },
        { kind: 'cm', limit: 60_000 },
      ] as const;
      const ask = (network: RoadNetwork) => {
        const metric = freeFlowMetric(network, travelModes[round % 3]!);
        return answerIsochroneTask(network, { metric, point, contours, avoid: 0, denoise: 0 });
      };
      const expected = ask(eager);
      expect(expected.status).toBe('ok');
      expect(await lazy.ask(ask)).toEqual(expected);
      const { cellsLoaded } = lazy.stats();
      expect(cellsLoaded).toBeGreaterThan(0);
      expect(cellsLoaded).toBeLessThan(eager.cellCount);
    }
  });

  it('a search over all roads within a time misses the cells that it comes to', async () => {
    const lazy = await openLazyTileset(objects, { bytesMax: 2 ** 32 });
    const edge = eager.arrays.cellFirstEdge[eager.cellCount >>> 1]!;
    const { network } = await lazy.ensure([eager.edgeCell(edge)]).then(() => lazy);
    const metric = freeFlowMetric(network, 'driving');
    const search = new ReachSearch(network);
    const starts = openEnds(network, metric, [{ edge, fraction: 0 }], 0, false);
    expect(starts).toHaveLength(1);
    expect(() => search.run(metric, starts, 0, { ms: 600_000, cm: 0 })).toThrow(CellsMissing);
  });

  it('returns the length of a line only if it is known', async () => {
    const random = seeded(5);
    const lazy = await openLazyTileset(objects, { bytesMax: 2 ** 32 });
    let [known, missing] = [0, 0];
    for (let some = 0; some < 6; some++) {
      await lazy.ensure([Math.floor(random() * eager.cellCount)]);
      const { network } = lazy;
      for (let edge = 0; edge < eager.edgeCount; edge++) {
        if (network.arrays.loaded[network.edgeCell(edge)] === 0) continue;
        try {
          expect([edge, network.edgePoints(edge)]).toEqual([edge, eager.edgePoints(edge)]);
          known++;
        } catch (error) {
          // The line of a road that crosses cells is stored in one of them.
          if (!(error instanceof CellsMissing)) throw error;
          missing++;
        }
      }
    }
    expect(known).toBeGreaterThan(1_000);
    expect(missing).toBeGreaterThan(0);
  });

  proves('M-042', {
    asked: 'cached; a second engine started on an empty cache serves the same answers',
    shown: '150 trips, over 60 with a route: equal times, over 9 in 10 equal steps; S3 in real/second-engine',
    settings: [
      'a third of the memory that all cells need; under 15 trips need more and are left out',
      'objects in memory',
    ],
    control: {
      in: 'map-data/lazy/generation.ts',
      change: '    filler.fill(this.network.arrays, cell, payload);',
      to: '    if (cell > 0) filler.fill(this.network.arrays, cell, payload);',
    },
  });
  it('M-042: answers like the completely loaded network, with a third of its memory', async () => {
    const bytesMax = Math.round(wholeBytes / 3);
    const lazy = await openLazyTileset(objects, { bytesMax });
    const random = seeded(11);
    let ok = 0;
    let sameWay = 0;
    let tooLong = 0;
    let generationsSeen = 1;
    lazy.onGeneration((network) => {
      generationsSeen++;
      expect(network).toBe(lazy.network);
    });
    for (let i = 0; i < 150; i++) {
      const mode = travelModes[i % 3]!;
      const from = placeIn(random, 1);
      const to = placeIn(random, 0.15, from);
      const task = { from: { point: from }, to: { point: to }, avoid: 0, alternatives: 0, language: 'en' };
      const expected = answerRouteTask(eager, { ...task, metric: freeFlowMetric(eager, mode) });
      let found: RouteTaskOutcome;
      try {
        found = await lazy.ask((network) =>
          answerRouteTask(network, { ...task, metric: freeFlowMetric(network, mode) }),
        );
      } catch (error) {
        expect(error).toBeInstanceOf(MemoryBoundTooSmall);
        tooLong++;
        continue;
      }
      expect(lazy.stats().bytes).toBeLessThanOrEqual(bytesMax);
      expect(summary(found)).toEqual(summary(expected));
      if (found.status !== 'ok' || expected.status !== 'ok') continue;
      ok++;
      // Of two routes with the same duration either may be found.
      if (found.routes[0]!.path.edges.join() !== expected.routes[0]!.path.edges.join()) continue;
      sameWay++;
      expect(found.routes[0]!.polyline).toBe(expected.routes[0]!.polyline);
      expect(found.routes[0]!.steps).toEqual(expected.routes[0]!.steps);
    }
    expect(ok).toBeGreaterThan(60);
    expect(sameWay).toBeGreaterThan(0.9 * ok);
    expect(tooLong).toBeLessThan(15);
    expect(lazy.stats().generations).toBeGreaterThan(3);
    expect(generationsSeen).toBe(lazy.stats().generations);
  });

  it('snaps and finds edges by their ids like the complete network', async () => {
    const lazy = await openLazyTileset(objects, { bytesMax: wholeBytes });
    const random = seeded(2);
    const first = eager.edgeId(5);
    expect(() => lazy.network.edgeByStableId(first)).toThrow(CellsMissing);
    for (let i = 0; i < 60; i++) {
      const point = placeIn(random, 1);
      const options = { mode: travelModes[i % 3]!, maxMeters: 700, limit: 4 };
      expect(await lazy.ask((network) => snap(network, point, options))).toEqual(snap(eager, point, options));
      const edge = Math.floor(random() * eager.edgeCount);
      const id = eager.edgeId(edge);
      const found = await lazy.ask((network) => {
        const known = network.edgeByStableId(id)!;
        return { known, geometry: network.edgeGeometry(known), name: network.edgeName(known) };
      });
      const { arrays } = eager;
      expect(found).toEqual({
        known: arrays.copyOf[edge],
        geometry: eager.edgeGeometry(edge),
        name: eager.edgeName(edge),
      });
    }
    expect(await lazy.ask((network) => network.edgeByStableId('1:2-3+'))).toBeUndefined();
  });

  it('a reader of an old generation continues while others have started a new one', async () => {
    const lazy = await openLazyTileset(objects, { bytesMax: Math.round(wholeBytes / 3) });
    const held = await lazy.ensure([0, 1, 2]);
    const ids = [...held.cellEdges(1 as CellId)].map((edge) => eager.edgeId(edge));
    for (let cell = 3; lazy.network === held; cell++) await lazy.ensure([cell % eager.cellCount]);
    expect(ids.map((id) => held.edgeByStableId(id)).every((edge) => edge !== undefined)).toBe(true);
    // All at once, more than fit together: each gets a network with its requested cells.
    const asked = Array.from({ length: 40 }, (_, i) => [i, (i * 7) % eager.cellCount, 100 + i]);
    const networks = await Promise.all(asked.map((cells) => lazy.ensure(cells)));
    for (const [i, network] of networks.entries())
      for (const cell of asked[i]!) expect(network.arrays.loaded[cell]).toBe(1);
    expect(lazy.stats().generations).toBeGreaterThan(3);
    for (const network of new Set(networks)) expectLoadedCells(network);
    expect(lazy.stats().bytes).toBeLessThanOrEqual(lazy.stats().bytesMax);
  });

  proves('M-042', {
    asked: 'tiles of the object store are cached',
    shown: 'three readers of three cells at once, and one after them: three fetches in all',
    settings: ['objects in memory'],
    control: {
      in: 'map-data/lazy/lazy-tileset.ts',
      change: 'this.#fetching.set(cell, payload);',
      to: '',
    },
  });
  it('M-042: two readers that need the same cell wait for one fetch, later ones for none', async () => {
    const lazy = await openLazyTileset(objects, { bytesMax: wholeBytes });
    await Promise.all([lazy.ensure([4, 5]), lazy.ensure([5, 6]), lazy.ensure([4])]);
    expect(lazy.stats().tilesFetched).toBe(3);
    await lazy.ensure([4, 5, 6]);
    expect(lazy.stats()).toMatchObject({ tilesFetched: 3, cellsLoaded: 3 });
  });

  proves('F31', {
    asked: 'a tile that is damaged, exchanged or missing',
    shown: 'five damages: fetched again, then reported by name; the rest works',
  });
  it('F31: a damaged, wrong or missing tile is fetched again, then reported; the rest works', async () => {
    const { tilesetId } = eager;
    const manifest = await readManifest(objects, tilesetId);
    const { key } = tileNamed(manifest, 'roads', 9);
    const whole = objects.objects.get(key)!;
    const flipped = Uint8Array.from(whole);
    flipped[flipped.length >> 1]! ^= 4;
    const bad = [
      whole.subarray(0, whole.length - 3),
      flipped,
      objects.objects.get(tileNamed(manifest, 'roads', 10).key),
      undefined,
      new Uint8Array(300),
    ];
    const lazy = await openLazyTileset(objects, { bytesMax: wholeBytes });
    for (const bytes of bad) {
      let reads = 0;
      objects.afterGet = (name, stored) => {
        if (name !== key) return stored;
        reads++;
        return bytes;
      };
      const error: unknown = await lazy.ensure([8, 9]).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(CorruptTileset);
      expect((error as Error).message).toContain(key);
      expect(reads).toBe(2);
      expect(lazy.network.arrays.loaded[9]).toBe(0);
    }
    let reads = 0;
    objects.afterGet = (name, stored) => (name === key && ++reads === 1 ? flipped : stored);
    expect((await lazy.ensure([8, 9])).arrays.loaded[9]).toBe(1);
    objects.afterGet = (_, stored) => stored;
    await expect(lazy.ensure([eager.cellCount])).rejects.toThrow(RangeError);
  });

  it('says what to do when one query needs more than the bound', async () => {
    const lazy = await openLazyTileset(objects, { bytesMax: wholeBytes / 3 });
    const cells = Array.from({ length: eager.cellCount }, (_, cell) => cell);
    await expect(lazy.ensure(cells)).rejects.toThrow(MemoryBoundTooSmall);
    await expect(lazy.ensure(cells)).rejects.toThrow(/raise it/);
    expect((await lazy.ensure([3])).arrays.loaded[3]).toBe(1);
    await expect(openLazyTileset(objects, { bytesMax: 0 })).rejects.toThrow(RangeError);
  });
});
