import { type ColumnBuffer, reserveArrays } from '#map-data/tiles/cell-columns.js';
import { CellFiller } from '#map-data/tiles/fill-cell.js';
import { frameOfCells } from '#map-data/tiles/frame-of-cells.js';
import type { NetworkFrame } from '#map-data/tiles/network-frame.js';
import { tileNamed } from '#map-data/tiles/tile-kinds.js';
import { corrupt, fetchTiles } from '#map-data/tiles/tile-source.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';

/** Cells that are in memory at the same time; those next to them have space too. */
const CELLS_PER_WINDOW = 256;

/**
 * Fetches cells and opens each as a server does, a window of them at a time, so that the memory does not grow
 * with the map. Nothing stays of them. Throws `CorruptTileset` for a cell that is missing, damaged or
 * inconsistent.
 */
export async function tryCells(
  objects: ObjectStore,
  frame: NetworkFrame,
  cells: readonly number[],
  cellsPerWindow = CELLS_PER_WINDOW,
): Promise<void> {
  const bufferOf = reusedBuffers();
  for (let first = 0; first < cells.length; first += cellsPerWindow) {
    const window = cells.slice(first, first + cellsPerWindow);
    const ofWindow = frameOfCells(frame, window);
    const arrays = reserveArrays(ofWindow, bufferOf);
    const filler = new CellFiller(ofWindow);
    const tiles = window.map((cell) => tileNamed(frame.manifest, 'roads', cell));
    await fetchTiles(objects, tiles, ({ key, index }, payload) => {
      try {
        filler.fill(arrays, index, payload);
      } catch (cause) {
        if (cause instanceof RangeError) throw corrupt(key, cause.message, cause);
        throw cause;
      }
    });
  }
}

/** The same memory for the column of each window, cleared: what was there before must not complete a cell. */
function reusedBuffers(): ColumnBuffer {
  const buffers = new Map<string, SharedArrayBuffer>();
  return (column, bytes) => {
    let buffer = buffers.get(column);
    if (buffer === undefined || buffer.byteLength < bytes) {
      buffer = new SharedArrayBuffer(bytes + (bytes >>> 1));
      buffers.set(column, buffer);
    } else new Uint8Array(buffer, 0, bytes).fill(0);
    return buffer;
  };
}
