import { describe, expect, it } from 'vitest';
import { CorruptTileset, openTileset, wantedTilesetId } from '#map-data/open-tileset.js';
import { cellParts, reserveArrays } from '#map-data/tiles/cell-columns.js';
import { CellFiller } from '#map-data/tiles/fill-cell.js';
import { frameOfCells } from '#map-data/tiles/frame-of-cells.js';
import { openTile } from '#map-data/tiles/tile-envelope.js';
import { tileNamed } from '#map-data/tiles/tile-kinds.js';
import { readFrame, readManifest } from '#map-data/tiles/tile-source.js';
import { tryCells } from '#tile-builder/verify/try-cells.js';
import type { MemoryObjectStore } from './memory-object-store.js';
import { gothenburg, storeOf } from './real-maps.js';

async function frameOf(objects: MemoryObjectStore) {
  const manifest = await readManifest(objects, await wantedTilesetId(objects));
  return readFrame(objects, manifest);
}

/** Numbers of nodes, edges, pieces and rows differ between the map and a part of it. */
const places = new Set(['firstOut', 'firstIn', 'turnTable', 'tail', 'head', 'inEdges', 'reverse', 'copyOf']);
for (const column of ['piece', 'firstShape', 'pieceEdge', 'snapPiece']) places.add(column);
// The cell of an edge's end ranks it.
places.add('inRank');

describe('cells in a window of the map', () => {
  it('have the content that they have in the whole map, in space for themselves', async () => {
    const objects = await storeOf(gothenburg);
    const frame = await frameOf(objects);
    const whole = (await openTileset(objects)).arrays;
    const cells = [3, 4, 5, frame.manifest.counts.nodes.length - 1];
    const part = frameOfCells(frame, cells);
    const arrays = reserveArrays(part);
    const filler = new CellFiller(part);
    for (const cell of cells) {
      const { key } = tileNamed(frame.manifest, 'roads', cell);
      filler.fill(arrays, cell, openTile('roads', objects.objects.get(key)!));
    }
    let compared = 0;
    for (const cell of cells) {
      const here = cellParts(part.offsets, cell);
      for (const [i, { column, firstByte, endByte }] of cellParts(frame.offsets, cell).entries()) {
        if (places.has(column)) continue;
        const bytes = Buffer.from(whole[column].buffer, firstByte, endByte - firstByte);
        const ofPart = Buffer.from(arrays[column].buffer, here[i]!.firstByte, bytes.length);
        expect([column, ofPart.equals(bytes)]).toEqual([column, true]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(100);
    expect(arrays.tail.length).toBeLessThan(whole.tail.length / 2);
    for (const cell of cells)
      for (let edge = whole.cellFirstEdge[cell]!; edge < whole.cellFirstEdge[cell + 1]!; edge++) {
        const there = edge - whole.cellFirstEdge[cell]! + arrays.cellFirstEdge[cell]!;
        expect(arrays.nodeOsmId[arrays.tail[there]!]).toBe(whole.nodeOsmId[whole.tail[edge]!]);
        expect(arrays.nodeOsmId[arrays.head[there]!]).toBe(whole.nodeOsmId[whole.head[edge]!]);
      }
  });

  it('are all opened, and a wrong one is found in whichever window it lies', async () => {
    const objects = await storeOf(gothenburg);
    const frame = await frameOf(objects);
    const cells = [...frame.manifest.counts.nodes.keys()];
    await tryCells(objects, frame, cells, 7);
    for (const cell of [0, 6, 7, cells.length - 1]) {
      const { key } = tileNamed(frame.manifest, 'roads', cell);
      const { key: other } = tileNamed(frame.manifest, 'roads', (cell + 1) % cells.length);
      const spoilt = new Map(objects.objects);
      objects.afterGet = (asked, bytes) => (asked === key ? spoilt.get(other) : bytes);
      await expect(tryCells(objects, frame, cells, 7)).rejects.toThrow(CorruptTileset);
    }
  });

  it('are opened, not only compared with their checksum', async () => {
    const objects = await storeOf(gothenburg);
    const frame = await frameOf(objects);
    const { roads, ...others } = frame.manifest;
    const exchanged = [roads.sha256[1]!, ...roads.sha256.slice(1)];
    const manifest = { ...others, roads: { ...roads, sha256: exchanged } };
    await expect(tryCells(objects, { ...frame, manifest }, [0])).rejects.toThrow(/leads nowhere/);
  });
});
