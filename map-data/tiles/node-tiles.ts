import { VarintReader, type VarintWriter } from './varints.js';

/**
 * OpenStreetMap ids of the points between crossings, of the pieces that a cell stores, in the order of their
 * shapes. Layout in `docs/formats/routing-tile.md`.
 */
export function encodeShapeNodes(ids: Iterable<number>, out: VarintWriter): void {
  let last = 0;
  for (const id of ids) {
    out.signed(id - last);
    last = id;
  }
}

/** Throws a RangeError when the tile has the ids of more or fewer points. */
export function decodeShapeNodes(payload: Uint8Array, count: number): Float64Array {
  const tile = new VarintReader(payload);
  const ids = new Float64Array(count);
  let last = 0;
  for (let i = 0; i < count; i++) ids[i] = last += tile.signed();
  tile.end();
  return ids;
}
