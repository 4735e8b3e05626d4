import { type ExtractSea, markSea } from './extract-sea.js';
import type { CollectedRows } from './rows/collect-rows.js';
import { type AffectedBlock, AffectedTiles, markChanges } from './squares/affected-tiles.js';
import type { PreviousMap } from './squares/previous-map.js';
import { type BlockPlace, type BlockPlan, nameOf, takenBlock } from './squares/square-writer.js';
import type { TilePieces } from './tiles/tile-pieces.js';
import { unknownLayers } from './tiles/write-tile.js';

/** The differences from the previous map. */
export interface MapChanges {
  readonly earlier: PreviousMap;
  readonly touched: AffectedTiles;
}

/** Undefined if everything is built: there is no previous map, or too much has changed. */
export function changesOf(
  earlier: PreviousMap | undefined,
  drawn: CollectedRows,
  sea: ExtractSea,
  zoomMax: number,
): MapChanges | undefined {
  if (earlier === undefined) return undefined;
  const touched = new AffectedTiles(zoomMax);
  markChanges(earlier.memory.drawn, drawn, touched);
  markSea(earlier.memory.sea, sea.rows, zoomMax, touched);
  return touched.isTooMuch ? undefined : { earlier, touched };
}

/** Whether any tile of the blocks is cut, if none of them is damaged. */
export function hasCut(blocks: Iterable<BlockPlace>, changes: MapChanges | undefined): boolean {
  if (changes === undefined) return true;
  for (const { band, x, y } of blocks) if (changes.touched.block(band.from, x, y) !== undefined) return true;
  return false;
}

/**
 * @param pieces the features in the tiles of the previous map, if they are known.
 */
export async function planned(
  blocks: Iterable<BlockPlace>,
  changes: MapChanges | undefined,
  pieces: TilePieces | undefined,
): Promise<BlockPlan[]> {
  const plans: BlockPlan[] = [];
  for (const place of blocks) {
    if (changes === undefined) {
      plans.push(place);
      continue;
    }
    const { band, x, y } = place;
    const touched = changes.touched.block(band.from, x, y);
    const kept = changes.earlier.block(nameOf(place));
    if (touched === undefined) {
      plans.push({ ...place, kept });
      continue;
    }
    const taken = await takenBlock(kept);
    if (taken === undefined) plans.push(place);
    else if (pieces === undefined) plans.push({ ...place, touched, taken });
    else {
      const unknown: AffectedBlock = new Map();
      for (const [number, layers] of touched) {
        const bits = unknownLayers(layers, taken.vector?.raw(number), pieces.of(nameOf(place), number));
        if (bits !== 0) unknown.set(number, bits);
      }
      plans.push({ ...place, touched, taken, unknown });
    }
  }
  return plans;
}
