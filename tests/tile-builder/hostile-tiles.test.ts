import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { CorruptTileset, openTileset } from '#map-data/open-tileset.js';
import { reserveArrays } from '#map-data/tiles/cell-columns.js';
import { CellFiller } from '#map-data/tiles/fill-cell.js';
import { decodeManifest, encodeManifest, manifestKey } from '#map-data/tiles/manifest.js';
import { InvalidTile, openTile, sealTile } from '#map-data/tiles/tile-envelope.js';
import { type TileKind, tileNamed } from '#map-data/tiles/tile-kinds.js';
import { readFrame, readManifest } from '#map-data/tiles/tile-source.js';
import { RoadNetwork } from '#routing-engine/network/road-network.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import { ContradictoryTiles } from '#routing-engine/search/unpack.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { runs } from '../property-runs.js';
import { MemoryObjectStore } from './memory-object-store.js';
import { playFixture } from './osm-fixture.js';

const side = 8;

async function town(): Promise<{ objects: MemoryObjectStore; id: string }> {
  const objects = new MemoryObjectStore();
  const id = (x: number, y: number): number => 1 + y * side + x;
  const places = Array.from({ length: side * side }, (_, i) => ({ x: i % side, y: Math.floor(i / side) }));
  const { tilesetId } = await buildTileset(
    {
      kind: 'elements',
      read: (sink) =>
        playFixture(
          {
            nodes: places.map(({ x, y }) => ({ id: id(x, y), lng: 10 + x / 500, lat: 50 + y / 500 })),
            ways: places.flatMap(({ x, y }) => [
              ...(x + 1 < side
                ? [
                    {
                      id: 1000 + id(x, y),
                      refs: [id(x, y), id(x + 1, y)],
                      tags: { highway: 'residential', name: `R${y}` },
                    },
                  ]
                : []),
              ...(y + 1 < side
                ? [{ id: 2000 + id(x, y), refs: [id(x, y), id(x, y + 1)], tags: { highway: 'service' } }]
                : []),
            ]),
            relations: [
              {
                id: 1,
                members: [
                  { type: 'way', id: 1000 + id(2, 2), role: 'from' },
                  { type: 'way', id: 1000 + id(3, 2), role: 'via' },
                  { type: 'way', id: 2000 + id(4, 2), role: 'to' },
                ],
                tags: { type: 'restriction', restriction: 'no_right_turn' },
              },
            ],
          },
          sink,
        ),
    },
    objects,
    { cellNodesMax: [10, 30] },
  );
  return { objects, id: tilesetId };
}

it('a forged tile with correct checksums is rejected or gives a searchable network', async () => {
  const { objects, id } = await town();
  const manifestBytes = objects.objects.get(manifestKey(id))!;
  let refused = 0;
  let opened = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<TileKind>('roads', 'roads', 'borders', 'weights', 'ways', 'numbers'),
      fc.nat(),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (kind, cellSeed, edits, cut) => {
        const manifest = decodeManifest(manifestBytes, id);
        const index = cellSeed % manifest[kind]!.sha256.length;
        const whole = objects.objects.get(tileNamed(manifest, kind, index).key)!;
        let payload = Uint8Array.from(openTile(kind, whole));
        for (const [at, value] of edits) payload[at % payload.length] = value;
        if (cut) payload = payload.subarray(0, edits[0]![0] % payload.length);
        (manifest[kind]!.sha256 as string[])[index] = createHash('sha256').update(payload).digest('hex');
        const { key } = tileNamed(manifest, kind, index);
        const before = objects.objects.get(key);
        objects.objects.set(key, sealTile(kind, payload));
        objects.objects.set(manifestKey(id), encodeManifest(manifest));
        const outcome = await openTileset(objects).catch((error: unknown) => error);
        if (before === undefined) objects.objects.delete(key);
        else objects.objects.set(key, before);
        objects.objects.set(manifestKey(id), manifestBytes);
        if (!(outcome instanceof RoadNetwork)) {
          expect(outcome).toBeInstanceOf(CorruptTileset);
          refused++;
          return;
        }
        opened++;
        const metric = freeFlowMetric(outcome, 'driving');
        for (let edge = 0; edge < outcome.edgeCount; edge += 17) {
          outcome.edgeGeometry(edge);
          outcome.edgeName(edge);
          try {
            findRoute(outcome, metric, { from: [{ edge, fraction: 0 }], to: [{ edge: 0, fraction: 1 }] });
          } catch (error) {
            expect(error).toBeInstanceOf(ContradictoryTiles);
          }
        }
      },
    ),
    { numRuns: runs(300), seed: 5 },
  );
  expect(refused).toBeGreaterThan(runs(20));
  expect(opened).toBeGreaterThan(runs(5));
});

it('F31: rejects a tile with any bytes changed, truncated or invented', async () => {
  const { objects, id } = await town();
  const random = seeded(31);
  const tiles = [...objects.objects].filter(([key]) => key.startsWith('tilesets/tiles/'));
  const kindOf = (key: string): TileKind => key.slice(key.lastIndexOf('.') + 1) as TileKind;
  for (let i = 0; i < 100_000; i++) {
    const [key, whole] = tiles[i % tiles.length]!;
    let bytes: Uint8Array;
    if (i % 3 === 0) bytes = whole.subarray(0, Math.floor(random() * whole.length));
    else if (i % 3 === 1) {
      bytes = Uint8Array.from(whole);
      for (let flips = 1 + Math.floor(random() * 3); flips > 0; flips--)
        bytes[Math.floor(random() * bytes.length)]! ^= 1 << Math.floor(random() * 8);
      if (Buffer.compare(bytes, whole) === 0) continue;
    } else {
      bytes = Uint8Array.from({ length: Math.floor(random() * 60) }, () => Math.floor(random() * 256));
      if (random() < 0.5) bytes.set(whole.subarray(0, Math.min(20, bytes.length)));
    }
    let error: unknown;
    try {
      openTile(kindOf(key), bytes);
    } catch (reason) {
      error = reason;
    }
    if (!(error instanceof InvalidTile)) expect([i, key, error]).toEqual([i, key, 'InvalidTile']);
  }
  // A cell without points between its crossings has an empty tile of nodes.
  for (const [key, whole] of tiles.filter(([each]) => kindOf(each) !== 'nodes'))
    expect(openTile(kindOf(key), whole).length).toBeGreaterThan(0);
  expect(id).toMatch(/^[0-9a-f]{16}$/);
});

it('F31: a manifest with hours of an edge that is not there is rejected, an older one has none', async () => {
  const { objects, id } = await town();
  const { edgeCount } = await openTileset(objects);
  const manifest = decodeManifest(objects.objects.get(manifestKey(id))!, id);
  const rule = { shut: false, clauses: [{ shut: true, hours: '07:00-09:00' }] };
  const opened = async (hours: unknown): Promise<unknown> => {
    objects.objects.set(manifestKey(id), encodeManifest({ ...manifest, hours: hours as never }));
    return openTileset(objects).then(
      ({ meta }) => meta.hours,
      (error: unknown) => error,
    );
  };
  const fits = [{ ...rule, edges: [[0, edgeCount - 1], [], [], []] }];
  expect(await opened(fits)).toEqual(fits);
  for (const hours of [
    [{ ...rule, edges: [[edgeCount], [], [], []] }],
    [{ ...rule, edges: [[0.5], [], [], []] }],
    [{ ...rule, edges: [[0]] }],
    [{ ...rule, shut: 'no', edges: [[0], [], [], []] }],
    [{ ...rule, clauses: [{ shut: true, hours: 7 }], edges: [[0], [], [], []] }],
  ])
    expect(await opened(hours)).toBeInstanceOf(CorruptTileset);
  const { hours: _none, ...older } = manifest;
  objects.objects.set(manifestKey(id), encodeManifest({ ...older, version: 4 }));
  expect((await openTileset(objects)).meta.hours).toEqual([]);
});

it('F31: a manifest with any byte changed is rejected', async () => {
  const { objects, id } = await town();
  const whole = objects.objects.get(manifestKey(id))!;
  const random = seeded(4);
  for (let i = 0; i < 300; i++) {
    const bytes = Uint8Array.from(whole);
    // The last byte is a line feed, which carries no data.
    bytes[Math.floor(random() * (bytes.length - 1))]! ^= 1 << Math.floor(random() * 7);
    if (Buffer.compare(bytes, whole) === 0) continue;
    objects.objects.set(manifestKey(id), bytes);
    const outcome: unknown = await openTileset(objects).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(CorruptTileset);
  }
});

it('the arrays of a forged tile give a RangeError or a cell, whatever its bytes', async () => {
  const { objects, id } = await town();
  const manifest = await readManifest(objects, id);
  const frame = await readFrame(objects, manifest);
  const random = seeded(8);
  const filler = new CellFiller(frame);
  let refused = 0;
  for (let i = 0; i < 4_000; i++) {
    const cell = i % frame.meta.cellCounts[0]!;
    const payload = Uint8Array.from(
      openTile('roads', objects.objects.get(tileNamed(manifest, 'roads', cell).key)!),
    );
    if (i % 4 === 0) payload.set(payload.map(() => Math.floor(random() * 256)));
    for (let edits = Math.floor(random() * 5); edits >= 0; edits--)
      payload[Math.floor(random() * payload.length)] = Math.floor(random() * 256);
    const arrays = reserveArrays(frame);
    try {
      filler.fill(arrays, cell, random() < 0.2 ? payload.subarray(0, random() * payload.length) : payload);
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
      expect(arrays.loaded[cell]).toBe(0);
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(2_000);
  expect(refused).toBeLessThan(4_000);
});
