import type { NetworkArrays } from '#routing-engine/network-arrays.js';
import { sharedFloat64, sharedUint32 } from './shared-array.js';
import { VarintReader, VarintWriter } from './varints.js';

type Ways = Pick<NetworkArrays, 'wayIds' | 'wayCells'>;

const PAIRS_PER_TILE = 65_536;

/** Pairs of way and cell, ascending. */
export function encodeWays({ wayIds, wayCells }: Ways): Uint8Array[] {
  const tiles: Uint8Array[] = [];
  for (let start = 0; start < wayIds.length; start += PAIRS_PER_TILE) {
    const end = Math.min(wayIds.length, start + PAIRS_PER_TILE);
    const out = new VarintWriter();
    out.unsigned(end - start);
    for (let i = start; i < end; i++) out.unsigned(wayIds[i] - (i === start ? 0 : wayIds[i - 1]));
    for (let i = start; i < end; i++) out.signed(wayCells[i] - (i === start ? 0 : wayCells[i - 1]));
    tiles.push(out.bytes());
  }
  return tiles;
}

/** Throws a RangeError for a cell that is not there, or pairs that do not ascend. */
export function decodeWays(tiles: readonly Uint8Array[], cells: number): Ways {
  const readers = tiles.map((payload) => new VarintReader(payload));
  const counts = readers.map((tile) => tile.count(2));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const wayIds = sharedFloat64(total);
  const wayCells = sharedUint32(total);
  let first = 0;
  for (const [i, tile] of readers.entries()) {
    const end = first + counts[i];
    let way = 0;
    for (let at = first; at < end; at++) wayIds[at] = way += tile.unsigned();
    let cell = 0;
    for (let at = first; at < end; at++) {
      cell += tile.signed();
      const ascends =
        at === 0 || wayIds[at - 1] < wayIds[at] || (wayIds[at - 1] === wayIds[at] && wayCells[at - 1] < cell);
      if (!(cell >= 0 && cell < cells && ascends)) throw new RangeError('a way in a cell that is not there');
      wayCells[at] = cell;
    }
    tile.end();
    first = end;
  }
  return { wayIds, wayCells };
}
