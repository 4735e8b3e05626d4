import { bandOf, bands, tileOfNumber } from '../../format/block-grid.js';
import { latOf, type TileId, tileAt } from '../../format/web-mercator.js';
import { margin } from '../geometry/cut-vector-tiles.js';
import type { FeatureRows } from '../rows/feature-rows.js';
import type { SeaRow } from '../sea/sea-tree.js';
import { type AffectedBlock, reachOf } from './affected-tiles.js';
import type { BlockPlace, BlockPlan } from './square-writer.js';

/** Blocks of lower zooms are cut from few features at once, the others by squares of this zoom. */
export const squareZoom = 10;
const side = 2 ** squareZoom;

/** By key of a square, ascending, the rows that may be visible in it; none if it has only sea. */
export type RowsOfSquares = ReadonlyMap<number, readonly number[]>;
export const squareAt = (key: number): TileId => ({
  z: squareZoom,
  x: Math.floor(key / side),
  y: key % side,
});

/** The build tiles in which anything is drawn. Rows are listed only for those that are `wanted`. */
export function rowsOfSquares(
  { length, box }: FeatureRows,
  sea: readonly SeaRow[],
  wanted: (square: TileId) => boolean,
): RowsOfSquares {
  const squares = new Map<number, number[]>();
  const isWanted = new Map<number, boolean>();
  const rowsAt = (key: number): number[] => {
    let there = squares.get(key);
    if (there === undefined) {
      there = [];
      squares.set(key, there);
      isWanted.set(key, wanted(squareAt(key)));
    }
    return there;
  };
  for (let row = 0; row < length; row++)
    forSquaresOf(box, row, (key) => {
      const there = rowsAt(key);
      if (isWanted.get(key)) there.push(row);
    });
  forSquaresOfSea(sea, (key) => void rowsAt(key));
  return new Map([...squares].sort(([a], [b]) => a - b));
}

function forSquaresOfSea(sea: readonly SeaRow[], visit: (key: number) => void): void {
  for (const { z, x, y, isAll } of sea) {
    if (z >= squareZoom) visit((x >> (z - squareZoom)) * side + (y >> (z - squareZoom)));
    else if (isAll) {
      const across = 2 ** (squareZoom - z);
      for (let dx = 0; dx < across; dx++)
        for (let dy = 0; dy < across; dy++) visit((x * across + dx) * side + y * across + dy);
    }
  }
}

/** The previous squares and those with new rows or changed sea: a superset of the squares with features. */
export function squaresWith(
  before: Iterable<number>,
  { box }: FeatureRows,
  freshRows: readonly number[],
  otherSea: readonly SeaRow[],
): number[] {
  const squares = new Set(before);
  forSquaresOfSea(otherSea, (key) => squares.add(key));
  for (const row of freshRows) forSquaresOf(box, row, (key) => squares.add(key));
  return [...squares].sort((a, b) => a - b);
}

/** Which squares, including their buffer, a row overlaps, by comparing integers. */
function forSquaresOf(box: Int32Array, row: number, visit: (key: number) => void): void {
  const lastX = columnOf(box[4 * row + 2]!, 1);
  const lastY = rowOf(box[4 * row + 1]!, 1);
  const firstY = rowOf(box[4 * row + 3]!, -1);
  for (let x = columnOf(box[4 * row]!, -1); x <= lastX; x++)
    for (let y = firstY; y <= lastY; y++) visit(x * side + y);
}

/**
 * North edges of the rows of squares, without and with the buffer, descending: a logarithm for each feature
 * would cost more.
 */
const northEdges = (shift: number): Float64Array =>
  Float64Array.from({ length: side + 1 }, (_, y) => latOf(y + shift * margin, squareZoom) * 1e7);
const [above, below] = [northEdges(1), northEdges(-1)];

function rowOf(latE7: number, direction: 1 | -1): number {
  // To the south, the next row starts one buffer earlier; to the north, the previous one ends one buffer
  // later.
  const edges = direction === 1 ? below : above;
  let low = 0;
  let high = side - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (edges[middle]! >= latE7) low = middle;
    else high = middle - 1;
  }
  return low;
}

const columnOf = (lngE7: number, direction: 1 | -1): number =>
  Math.min(
    side - 1,
    Math.max(0, Math.floor(((lngE7 + 1_800_000_000) / 3_600_000_000) * side + direction * margin)),
  );

/** The blocks below a square, deeper zooms last. */
export function* blocksOfSquare(square: TileId, zoomMax: number): Iterable<BlockPlace> {
  for (const band of bands) {
    if (band.from < squareZoom || band.from > zoomMax) continue;
    const across = 2 ** (band.root - squareZoom);
    for (let dx = 0; dx < across; dx++)
      for (let dy = 0; dy < across; dy++)
        yield { band, x: square.x * across + dx, y: square.y * across + dy };
  }
}

/** The blocks above the squares: the first of the whole world, if the map shows it. `bounds` in degrees. */
export function* shallowBlocks(
  [west, south, east, north]: readonly [number, number, number, number],
  world: boolean,
  zoomMax: number,
): Iterable<BlockPlace> {
  for (const band of bands) {
    if (band.to >= squareZoom || band.from > zoomMax) continue;
    const z = band.root;
    const all = world && bandOf(z).root === 0;
    const first = all ? { x: 0, y: 0 } : tileAt(north, west, z);
    const last = all ? { x: 2 ** z - 1, y: 2 ** z - 1 } : tileAt(south, east, z);
    for (let x = first.x; x <= last.x; x++) for (let y = first.y; y <= last.y; y++) yield { band, x, y };
  }
}

/** The rows that are visible at a lower zoom. */
export function rowsAbove({ length, minZoom }: FeatureRows, zoom: number): number[] {
  const found: number[] = [];
  for (let row = 0; row < length; row++) if (minZoom[row]! < zoom) found.push(row);
  return found;
}

/** The rows that may be visible in the tiles and layers of `chosen`; undefined for a complete block. */
export function rowsToCut(
  rows: FeatureRows,
  candidates: () => Iterable<number>,
  plans: readonly BlockPlan[],
  chosen: (plan: BlockPlan) => AffectedBlock | undefined,
): number[] {
  const reaches = plans.flatMap((plan) => (plan.kept === undefined ? reachesOf(plan, chosen(plan)) : []));
  if (reaches.length === 0) return [];
  const { box, minZoom, layer } = rows;
  const found: number[] = [];
  for (const row of candidates()) {
    const [west, south, east, north] = [
      box[4 * row]!,
      box[4 * row + 1]!,
      box[4 * row + 2]!,
      box[4 * row + 3]!,
    ];
    const bit = 1 << layer[row]!;
    for (const reach of reaches) {
      if ((reach.layers & bit) === 0 || minZoom[row]! > reach.zoom) continue;
      if (west > reach.east || east < reach.west || south > reach.north || north < reach.south) continue;
      found.push(row);
      break;
    }
  }
  return found;
}

interface Reach {
  readonly zoom: number;
  /** A bit each. */
  readonly layers: number;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

function reachesOf({ band, x, y }: BlockPlace, chosen: AffectedBlock | undefined): Reach[] {
  const reach = (tile: TileId, zoom: number, layers: number): Reach => {
    const [west, south, east, north] = reachOf(tile);
    return { zoom, layers, west, south, east, north };
  };
  if (chosen === undefined) return [reach({ z: band.root, x, y }, band.to, -1)];
  return Array.from(chosen, ([number, layers]) => {
    const tile = tileOfNumber(band, x, y, number);
    return reach(tile, tile.z, layers);
  });
}
