import { beforeAll, describe, expect, it } from 'vitest';
import { RawMap } from '#bench/routing/raw-map.js';
import { crossingOf } from '#bench/routing/raw-steps.js';
import { seeded } from '#bench/routing/seeded.js';
import { CorruptTileset, openTileset } from '#map-data/open-tileset.js';
import { encodeManifest, manifestKey } from '#map-data/tiles/manifest.js';
import { ShapeNodes } from '#map-data/tiles/shape-nodes.js';
import { tileNamed } from '#map-data/tiles/tile-kinds.js';
import { readManifest } from '#map-data/tiles/tile-source.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import { pathGeometry } from '#routing-engine/route/path-geometry.js';
import { nodesAround, pathNodes } from '#routing-engine/route/path-nodes.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { MemoryObjectStore } from './memory-object-store.js';
import { playFixture } from './osm-fixture.js';
import { readGothenburg } from './read-gothenburg.js';
import { gothenburg, storeOf } from './real-maps.js';

describe('ids of the nodes between crossings', () => {
  let objects: MemoryObjectStore;
  const raw = new RawMap();
  let network: RoadNetwork;
  let nodes: ShapeNodes;

  beforeAll(async () => {
    objects = await storeOf(gothenburg);
    await readGothenburg(raw.sink);
    network = await openTileset(objects);
    nodes = (await ShapeNodes.open(objects, network.tilesetId))!;
  });

  it('are those of the extract, in the order of travel, on random routes', async () => {
    const stretches = new Set<string>();
    for (const { refs } of raw.ways.values())
      for (let at = 1; at < refs.length; at++) {
        stretches.add(`${refs[at - 1]},${refs[at]}`);
        stretches.add(`${refs[at]},${refs[at - 1]}`);
      }
    const metric = freeFlowMetric(network, 'walking');
    const random = seeded(7);
    const fraction = (): number => [0, 1, random(), random()][Math.floor(4 * random())]!;
    const end = () => [{ edge: Math.floor(random() * network.edgeCount), fraction: fraction() }];
    let between = 0;
    for (let asked = 0; asked < 300; asked++) {
      const outcome = findRoute(network, metric, { from: end(), to: end() });
      if (outcome.status !== 'ok') continue;
      for (const edge of outcome.path.edges) {
        const line = crossingOf(raw, network.edgeId(edge));
        if (line !== undefined) stretches.add(`${line.from},${line.to}`);
      }
      const path = pathNodes(network, outcome.path);
      const ids = await nodes.idsOf(path);
      const { lngLat } = pathGeometry(network, outcome.path);
      // A path of no length lies between two nodes all the same.
      expect(ids).toHaveLength(Math.max(2, lngLat.length / 2));
      expect(ids.slice(1).filter((id, at) => !stretches.has(`${ids[at]},${id}`))).toEqual([]);
      for (let at = 1; at < ids.length - 1; at++) {
        const [lngE7, latE7] = raw.places.get(ids[at]!)!;
        expect([lngE7 / 1e7, latE7 / 1e7]).toEqual([lngLat[2 * at], lngLat[2 * at + 1]]);
      }
      between += path.points.filter((point) => point > 0).length;
    }
    expect(between).toBeGreaterThan(1_000);
  });

  it('are the two around a place of a road, in the direction of the edge', async () => {
    let edge = 0;
    while (network.edgePoints(edge) < 4 || network.reverseOf(edge) === undefined) edge++;
    const back = network.reverseOf(edge)!;
    const around = async (of: number, fraction: number) => nodes.idsOf(nodesAround(network, of, fraction));
    const { nodeOsmId, tail, head } = network.arrays;
    const [first, second] = await around(edge, 0);
    expect(first).toBe(nodeOsmId[tail[edge]!]);
    expect(await around(back, 1)).toEqual([second, first]);
    expect((await around(edge, 1))[1]).toBe(nodeOsmId[head[edge]!]);
    for (const fraction of [0.3, 0.7])
      expect(await around(back, 1 - fraction)).toEqual((await around(edge, fraction)).reverse());
  });

  it('are fetched once for each cell, when they are asked for', async () => {
    let gets = 0;
    objects.afterGet = (key, bytes) => {
      if (key.endsWith('.nodes')) gets++;
      return bytes;
    };
    const fresh = (await ShapeNodes.open(objects, network.tilesetId))!;
    expect(gets).toBe(0);
    const points = Uint32Array.of(1, 2, network.arrays.shapeLngE7.length);
    const asked = { ids: new Float64Array(3), points };
    const all = await Promise.all([fresh.idsOf(asked), fresh.idsOf(asked)]);
    expect(all[0]).toEqual(all[1]);
    expect(all[0]!.every((id) => raw.places.has(id))).toBe(true);
    expect(gets).toBe(2);
    objects.afterGet = (_, bytes) => bytes;
  });

  it('a damaged tile is refused, and read again later', async () => {
    const fresh = (await ShapeNodes.open(objects, network.tilesetId))!;
    objects.afterGet = (key, bytes) => (key.endsWith('.nodes') ? bytes!.subarray(0, 20) : bytes);
    const asked = { ids: new Float64Array(1), points: Uint32Array.of(1) };
    await expect(fresh.idsOf(asked)).rejects.toThrow(CorruptTileset);
    objects.afterGet = (_, bytes) => bytes;
    expect(await fresh.idsOf(asked)).toEqual(await nodes.idsOf(asked));
  });

  it('a tileset of an older builder has none', async () => {
    const { nodes: _, ...older } = await readManifest(objects, network.tilesetId);
    const store = new MemoryObjectStore();
    store.objects.set(manifestKey(older.tilesetId), encodeManifest({ ...older, version: 5 }));
    expect(await ShapeNodes.open(store, older.tilesetId)).toBeUndefined();
  });

  it('a cell keeps its tile of nodes while its points stay', async () => {
    const town = (ids: readonly number[]) => ({
      kind: 'elements' as const,
      read: (sink: RawMap['sink']) =>
        playFixture(
          {
            nodes: ids.map((id, at) => ({ id, lng: 10 + at / 1_000, lat: 50 })),
            ways: [{ id: 9, refs: ids, tags: { highway: 'residential' } }],
          },
          sink,
        ),
    });
    const store = new MemoryObjectStore();
    const keyAfter = async (ids: readonly number[]): Promise<string> => {
      const { tilesetId } = await buildTileset(town(ids), store);
      return tileNamed(await readManifest(store, tilesetId), 'nodes', 0).key;
    };
    const first = await keyAfter([1, 2, 3]);
    expect(await keyAfter([1, 2, 3])).toBe(first);
    // The same line over another node.
    expect(await keyAfter([1, 3, 4])).not.toBe(first);
  });
});
