import type { NetworkArrays } from '#routing-engine/network/network-arrays.js';
import { sharedFloat64, sharedUint32 } from '../arrays/shared-array.js';
import { VarintReader, VarintWriter } from './varints.js';

type Ways = Pick<NetworkArrays, 'wayIds' | 'wayCells'>;

const PAIRS_PER_TILE = 65_536;

/**
 * Pairs of way and cell, ascending. No tile is empty, so a 0 in front says that the first way has a negative
 * id.
 */
export function encodeWays({ wayIds, wayCells }: Ways): Uint8Array[] {
  const tiles: Uint8Array[] = [];
  for (let start = 0; start < wayIds.length; start += PAIRS_PER_TILE) {
    const end = Math.min(wayIds.length, start + PAIRS_PER_TILE);
    const out = new VarintWriter();
    if (wayIds[start] < 0) out.unsigned(0);
    out.unsigned(end - start);
    out.unsigned(Math.abs(wayIds[start]));
    for (let i = start + 1; i < end; i++) out.unsigned(wayIds[i] - wayIds[i - 1]);
    for (let i = start; i < end; i++) out.signed(wayCells[i] - (i === start ? 0 : wayCells[i - 1]));
    tiles.push(out.bytes());
  }
  return tiles;
}

/** Throws a RangeError for a cell that is not there, or pairs that do not ascend. */
export function decodeWays(tiles: readonly Uint8Array[], cells: number): Ways {
  const readers = tiles.map((payload) => new VarintReader(payload));
  const heads = readers.map(readHead);
  const counts = heads.map(({ count }) => count);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const wayIds = sharedFloat64(total);
  const wayCells = sharedUint32(total);
  let first = 0;
  for (const [i, tile] of readers.entries()) {
    const end = first + counts[i];
    for (let at = first; at < end; at++)
      wayIds[at] = at === first ? heads[i].sign * tile.unsigned() : wayIds[at - 1] + tile.unsigned();
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

function readHead(tile: VarintReader): { readonly sign: 1 | -1; readonly count: number } {
  const count = tile.count(2);
  return count > 0 ? { sign: 1, count } : { sign: -1, count: tile.count(2) };
}
