import { VarintReader, VarintWriter } from '#map-data/tiles/varints.js';
import type { KeptPartition } from '../partition/carry-partition.js';

/** Ids of crossings in one tile, about. */
const IDS_PER_TILE = 65_536;
/** Cells and levels of a partition at most: more than a map of the earth has. */
const levelsMax = 32;

/**
 * The cells by the OpenStreetMap ids of their crossings, for the next build: engines do not read them. The
 * first tile begins with the levels.
 */
export function encodePartition({
  cellNodesMax,
  nodeIds,
  cellFirstNode,
  children,
}: KeptPartition): Uint8Array[] {
  const tiles: Uint8Array[] = [];
  let out = new VarintWriter();
  for (const list of [cellNodesMax, ...children]) {
    out.unsigned(list.length);
    for (const number of list) out.unsigned(number);
  }
  out.unsigned(0);
  let written = 0;
  const cells = cellFirstNode.length - 1;
  for (let cell = 0; cell < cells; cell++) {
    const ids = nodeIds.slice(cellFirstNode[cell], cellFirstNode[cell + 1]).sort();
    out.unsigned(ids.length);
    for (let i = 0; i < ids.length; i++) out.signed(ids[i] - (i === 0 ? 0 : ids[i - 1]));
    written += ids.length;
    if (written < IDS_PER_TILE && cell + 1 < cells) continue;
    tiles.push(out.bytes());
    out = new VarintWriter();
    written = 0;
  }
  return tiles;
}

/** Throws a RangeError for what `encodePartition` does not write. */
export function decodePartition(tiles: readonly Uint8Array[]): KeptPartition {
  const lists: number[][] = [];
  const nodeIds: number[] = [];
  const cellFirstNode = [0];
  for (const [i, payload] of tiles.entries()) {
    const tile = new VarintReader(payload);
    if (i === 0)
      for (let count = tile.count(); count > 0; count = tile.count()) {
        if (lists.length > levelsMax) throw new RangeError('more levels than a map has');
        lists.push(Array.from({ length: count }, () => tile.unsigned()));
      }
    while (!tile.isAtEnd()) {
      let id = 0;
      for (let left = tile.count(); left > 0; left--) {
        id += tile.signed();
        nodeIds.push(id);
      }
      cellFirstNode.push(nodeIds.length);
    }
  }
  const [cellNodesMax, ...children] = lists;
  let cells = cellFirstNode.length - 1;
  for (const counts of children) {
    if (counts.reduce((sum, count) => sum + count, 0) !== cells)
      throw new RangeError('levels that do not nest');
    cells = counts.length;
  }
  if (cellNodesMax === undefined || cells !== 1) throw new RangeError('a partition without a topmost cell');
  return {
    cellNodesMax,
    children,
    nodeIds: Float64Array.from(nodeIds),
    cellFirstNode: Uint32Array.from(cellFirstNode),
  };
}
