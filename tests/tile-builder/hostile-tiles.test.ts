import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findRoute } from '#routing-engine/find-route.js';
import { freeFlowMetric } from '#routing-engine/metric.js';
import { RoadNetwork } from '#routing-engine/road-network.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { CorruptTileset, openTileset } from '#tile-builder/open-tileset.js';
import { manifestKey, type TilesetManifest } from '#tile-builder/tiles/manifest.js';
import { openTile, sealTile } from '#tile-builder/tiles/tile-envelope.js';
import { type TileKind, tileKey } from '#tile-builder/tiles/tile-kinds.js';
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

it('a tile that lies although its checksums are right is refused or gives a network that can be searched, and never hangs', async () => {
  const { objects, id } = await town();
  const manifestBytes = objects.objects.get(manifestKey(id))!;
  let refused = 0;
  let opened = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<TileKind>('roads', 'roads', 'borders', 'weights', 'ways'),
      fc.nat(),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (kind, cellSeed, edits, cut) => {
        const manifest = JSON.parse(new TextDecoder().decode(manifestBytes)) as TilesetManifest;
        const index = cellSeed % manifest[kind].sha256.length;
        const key = tileKey(id, kind, index);
        const whole = objects.objects.get(key)!;
        let payload = Uint8Array.from(openTile(kind, index, whole));
        for (const [at, value] of edits) payload[at % payload.length] = value;
        if (cut) payload = payload.subarray(0, edits[0]![0] % payload.length);
        const sealed = sealTile(kind, index, payload);
        (manifest[kind].sha256 as string[])[index] = createHash('sha256').update(sealed).digest('hex');
        objects.objects.set(key, sealed);
        objects.objects.set(manifestKey(id), new TextEncoder().encode(JSON.stringify(manifest)));
        const outcome = await openTileset(objects).catch((error: unknown) => error);
        objects.objects.set(key, whole);
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
          findRoute(outcome, metric, { from: [{ edge, fraction: 0 }], to: [{ edge: 0, fraction: 1 }] });
        }
      },
    ),
    { numRuns: 300, seed: 5 },
  );
  expect(refused).toBeGreaterThan(20);
  expect(opened).toBeGreaterThan(5);
});
