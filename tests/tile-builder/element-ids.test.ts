import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGeocodeIndex } from '#geocoding/index/geocode-store.js';
import { searchPlaces } from '#geocoding/query/search-places.js';
import { openTileset } from '#map-data/open-tileset.js';
import { currentRelease } from '#map-data/release/release.js';
import { decodeWays, encodeWays } from '#map-data/tiles/way-tiles.js';
import { MapTiles } from '#map-tiles/format/open-map-tiles.js';
import { OsmChangeParser } from '#osm/change/osm-change-parser.js';
import { elementIdMax } from '#osm/read/element-id.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import { buildRelease } from '#tile-builder/build-release.js';
import { addressTown } from '../geocoding/address-town.js';
import { MemoryObjectStore } from './memory-object-store.js';
import { encodePbf, type Fixture } from './osm-fixture.js';

const drawn = { map: { world: false, zoomMax: 12, pngZoomMax: 8 } } as const;

/** The same map with other ids. */
function renumbered({ nodes, ways, relations = [] }: Fixture, idOf: (id: number) => number): Fixture {
  return {
    nodes: nodes.map((node) => ({ ...node, id: idOf(node.id) })),
    ways: ways.map((way) => ({ ...way, id: idOf(way.id), refs: way.refs.map(idOf) })),
    relations: relations.map((relation) => ({
      ...relation,
      id: idOf(relation.id),
      members: relation.members.map((member) => ({ ...member, id: idOf(member.id) })),
    })),
  };
}

describe('ids of elements', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meridian-ids-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function built(fixture: Fixture) {
    const file = join(folder, 'map.osm.pbf');
    await writeFile(file, encodePbf(fixture));
    const objects = new MemoryObjectStore();
    await buildRelease({ kind: 'osm-pbf', file }, objects, drawn);
    const { geocodeId, mapId } = (await currentRelease(objects))!;
    return {
      network: await openTileset(objects),
      index: await openGeocodeIndex(objects, geocodeId!),
      map: (await MapTiles.open(objects, mapId!))!,
    };
  }

  /** Durations of all routes between two roads, whatever their names. */
  function timesIn({ network }: Awaited<ReturnType<typeof built>>): number[] {
    const times: number[] = [];
    for (const mode of travelModes)
      for (let from = 0; from < network.edgeCount; from++)
        for (let to = 0; to < network.edgeCount; to++) {
          const found = findRoute(network, freeFlowMetric(network, mode), {
            from: [{ edge: from, fraction: 0.5 }],
            to: [{ edge: to, fraction: 0.5 }],
          });
          times.push(found.status === 'ok' ? found.path.durationMs : -1);
        }
    return times.sort((a, b) => a - b);
  }

  it('M-042: ids of either sign, up to fifteen digits, give the same routes, places and map', async () => {
    const plain = await built(addressTown);
    const numberings: readonly ((id: number) => number)[] = [
      (id) => -id,
      (id) => (id % 2 === 0 ? id : -id),
      (id) => elementIdMax - 100_000 + id,
      (id) => (id % 2 === 0 ? elementIdMax - 100_000 + id : 100_000 - id - elementIdMax),
    ];
    for (const idOf of numberings) {
      const other = await built(renumbered(addressTown, idOf));
      expect(timesIn(other)).toEqual(timesIn(plain));
      for (let edge = 0; edge < other.network.edgeCount; edge++)
        expect(other.network.edgeByStableId(other.network.edgeId(edge))).toBe(
          other.network.arrays.copyOf[edge],
        );
      expect(other.index.rowCount).toBe(plain.index.rowCount);
      for (let row = 0; row < other.index.placeCount; row++) {
        expect(other.index.rowOf(other.index.placeId(row))).toBe(row);
        const name = other.index.name(row, '');
        expect(searchPlaces(other.index, name).length).toBe(searchPlaces(plain.index, name).length);
      }
      expect(other.map.manifest.vector.blocks.length).toBe(plain.map.manifest.vector.blocks.length);
    }
  });

  it('rejects ids of more digits with one sentence, and writes nothing', async () => {
    for (const id of [elementIdMax + 1, -elementIdMax - 1, Number.MAX_SAFE_INTEGER]) {
      const file = join(folder, 'long.osm.pbf');
      await writeFile(file, encodePbf(renumbered(addressTown, (each) => (each === 1 ? id : each))));
      const objects = new MemoryObjectStore();
      await expect(buildRelease({ kind: 'osm-pbf', file }, objects, drawn)).rejects.toThrow(/fifteen digits/);
      expect([...objects.objects.keys()].filter((key) => !key.startsWith('prune/'))).toEqual([]);
      const change = `<osmChange><modify><node id="${id}" lat="1" lon="1"/></modify></osmChange>`;
      expect(() => new OsmChangeParser().write(change)).toThrow(/no id/);
    }
  });

  it('ids of ways are read back from their tiles, and those of earlier tilesets are the same', () => {
    const ids = fc.uniqueArray(fc.integer({ min: -elementIdMax, max: elementIdMax }), { minLength: 1 });
    fc.assert(
      fc.property(ids, (some) => {
        const wayIds = Float64Array.from(some).sort();
        const wayCells = Uint32Array.from(wayIds, (_, i) => i % 5);
        const tiles = encodeWays({ wayIds, wayCells });
        expect(decodeWays(tiles, 5)).toMatchObject({ wayIds, wayCells });
      }),
      { seed: 12 },
    );
    const [tile] = encodeWays({ wayIds: Float64Array.of(7, 300), wayCells: Uint32Array.of(0, 1) });
    expect([...tile!]).toEqual([2, 7, 0xa5, 2, 0, 2]);
  });
});
