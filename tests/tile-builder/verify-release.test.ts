import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { currentRelease, readRelease } from '#map-data/release/release.js';
import { decodeManifest, encodeManifest } from '#map-data/tiles/manifest.js';
import { openTile, sealTile } from '#map-data/tiles/tile-envelope.js';
import { VarintReader, VarintWriter } from '#map-data/tiles/varints.js';
import { buildRelease } from '#tile-builder/build-release.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { ReleaseBuilder } from '#tile-builder/follow/release-builder.js';
import { ReleaseDoesNotAnswer } from '#tile-builder/verify/verify-release.js';
import { addressTown, sourceOf } from '../geocoding/address-town.js';
import { MemoryObjectStore } from './memory-object-store.js';

/** Small cells, so that a small town has borders between them. */
const cellNodesMax = [4, 8];
const drawn = { map: { world: false, zoomMax: 12, pngZoomMax: 8 }, cellNodesMax } as const;
const town = sourceOf(addressTown);
const grown = sourceOf({
  ...addressTown,
  nodes: [...addressTown.nodes, { id: 99, lng: 12.002, lat: 58.002, tags: { shop: 'books', name: 'Nya' } }],
  ways: addressTown.ways.slice(0, -1),
});

const parts = [
  /\.roads$/,
  /\.borders$/,
  /\.weights$/,
  /\.ways$/,
  /\.numbers$/,
  /^tilesets\/\w{16}\/manifest/,
  /^geocode\//,
  /^map-tiles\/\w+\/manifest/,
  /^map-tiles\/blocks/,
] as const;

/** Objects that are put from now on under such a key are read back changed. */
function spoil(objects: MemoryObjectStore, part: RegExp): () => number {
  const before = new Set(objects.objects.keys());
  let spoilt = 0;
  objects.afterGet = (key, bytes) => {
    if (bytes === undefined || before.has(key) || !part.test(key)) return bytes;
    spoilt++;
    return bytes.map((byte, i) => (i === bytes.length >>> 1 ? byte ^ 1 : byte));
  };
  return () => spoilt;
}

describe('a release that does not answer its sample requests', () => {
  it('M-043: is not published, whichever part is damaged; the previous one continues to serve', async () => {
    for (const part of parts) {
      const objects = new MemoryObjectStore();
      const before = await buildRelease(town, objects, drawn);
      const spoilt = spoil(objects, part);
      const error: unknown = await buildRelease(grown, objects, drawn).catch((cause: unknown) => cause);
      expect([String(part), error]).toEqual([String(part), expect.any(ReleaseDoesNotAnswer)]);
      expect((error as Error).message).toMatch(
        /^The new release does not answer \(.*\), so it is not published\.$/,
      );
      expect(spoilt()).toBeGreaterThan(0);
      expect((await currentRelease(objects))!.releaseId).toBe(before.releaseId);
      objects.afterGet = (_, bytes) => bytes;
      const after = await buildRelease(grown, objects, drawn);
      expect((await currentRelease(objects))!.releaseId).toBe(after.releaseId);
    }
  });

  it('M-043: is not published as the first one, nor by a builder of roads only', async () => {
    for (const part of parts.slice(0, 6)) {
      const objects = new MemoryObjectStore();
      spoil(objects, part);
      await expect(buildTileset(town, objects, { cellNodesMax })).rejects.toThrow(ReleaseDoesNotAnswer);
      expect(await currentRelease(objects)).toBeUndefined();
    }
  });

  it('M-043: is not published by a long-running builder, which then builds everything again', async () => {
    const objects = new MemoryObjectStore();
    const builder = await ReleaseBuilder.read(sourceInOrder(), objects, drawn);
    const before = await builder.build();
    const spoilt = spoil(objects, /\.roads$/);
    const way = { refs: [...addressTown.ways[0]!.refs].reverse(), tags: new Map([['highway', 'primary']]) };
    const ways = new Map([[addressTown.ways[0]!.id, way]]);
    const change = { nodes: new Map(), ways, relations: new Map() };
    await expect(builder.build(change)).rejects.toThrow(ReleaseDoesNotAnswer);
    expect(spoilt()).toBeGreaterThan(0);
    expect((await currentRelease(objects))!.releaseId).toBe(before.releaseId);
    objects.afterGet = (_, bytes) => bytes;
    const after = await builder.build();
    expect(after.releaseId).not.toBe(before.releaseId);
    expect(await readRelease(objects, after.releaseId)).toEqual(await currentRelease(objects));
  });

  it('is detected by its routes even if all its bytes are intact', async () => {
    const place = (id: number, lng: number) => ({ id, lng: 12 + lng / 1000, lat: 58 });
    const islands = sourceOf({
      nodes: [place(1, 0), place(2, 1), place(3, 2), place(4, 3)],
      ways: [
        { id: 10, refs: [1, 2], tags: { highway: 'residential' } },
        { id: 11, refs: [3, 4], tags: { highway: 'residential' } },
      ],
    });
    const objects = new MemoryObjectStore();
    await buildTileset(islands, objects);
    const lying = new MemoryObjectStore();
    const put = lying.put.bind(lying);
    let lie = { bytes: 0, sha256: '' };
    // All roads are marked as parts of one network, in which each reaches every other.
    lying.put = (key, bytes) => {
      if (key.endsWith('.numbers')) {
        const payload = allOnePart(openTile('numbers', bytes));
        const sealed = sealTile('numbers', payload);
        lie = { bytes: sealed.length, sha256: createHash('sha256').update(payload).digest('hex') };
        return put(`tilesets/tiles/${lie.sha256.slice(0, 2)}/${lie.sha256.slice(2, 32)}.numbers`, sealed);
      }
      const id = /^tilesets\/(\w+)\/manifest.json$/.exec(key)?.[1];
      if (id === undefined) return put(key, bytes);
      const numbers = { bytes: [lie.bytes], sha256: [lie.sha256] };
      return put(key, encodeManifest({ ...decodeManifest(bytes, id), numbers }));
    };
    await expect(buildTileset(islands, lying)).rejects.toThrow(/does not answer .*: no driving route from 1/);
    expect(await currentRelease(lying)).toBeUndefined();
  });
});

/** Names, zones and three lists of parts of one cell; see docs/formats/routing-tile.md. */
function allOnePart(payload: Uint8Array): Uint8Array {
  const [reader, writer] = [new VarintReader(payload), new VarintWriter()];
  for (let list = 0; !reader.isAtEnd(); list++) {
    const count = reader.unsigned();
    writer.unsigned(count);
    for (let i = 0; i < count; i++) {
      const number = reader.signed();
      writer.signed(list % 5 < 2 ? number : 0);
    }
  }
  return writer.bytes();
}

/** A long-running builder reads elements in the order of their ids. */
function sourceInOrder() {
  const byId = (a: { readonly id: number }, b: { readonly id: number }): number => a.id - b.id;
  const { nodes, ways, relations = [] } = addressTown;
  return sourceOf({
    nodes: nodes.toSorted(byId),
    ways: ways.toSorted(byId),
    relations: relations.toSorted(byId),
  });
}
