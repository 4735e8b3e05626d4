import { expect, it } from 'vitest';
import { openTileset } from '#map-data/open-tileset.js';
import { snap } from '#routing-engine/snap/snap.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { MemoryObjectStore } from '../tile-builder/memory-object-store.js';
import { playFixture } from '../tile-builder/osm-fixture.js';

it('a heading chooses the direction on a long straight road too', async () => {
  const objects = new MemoryObjectStore();
  const fixture = {
    nodes: [
      { id: 1, lng: 0, lat: 0, tags: {} },
      { id: 2, lng: 0.003, lat: 0.003, tags: {} },
    ],
    ways: [{ id: 10, refs: [1, 2], tags: { highway: 'residential' } }],
  };
  await buildTileset({ kind: 'elements', read: (sink) => playFixture(fixture, sink) }, objects);
  const network = await openTileset(objects);
  const { nodeOsmId, head } = network.arrays;
  const towards = (headingDeg: number): number | undefined => {
    const [nearest] = snap(
      network,
      { lng: 0.0015, lat: 0.0015 },
      { mode: 'driving', maxMeters: 100, headingDeg },
    );
    return nearest === undefined ? undefined : nodeOsmId[head[nearest.edge]!];
  };
  expect(towards(45)).toBe(2);
  expect(towards(225)).toBe(1);
});
