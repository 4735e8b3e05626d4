import { CLOSED } from '#routing-engine/network/closed.js';
import type { NetworkArrays } from '#routing-engine/network/network-arrays.js';
import { sharedInt32 } from '../arrays/shared-array.js';
import { VarintReader, VarintWriter } from './varints.js';

type Matrices = Pick<NetworkArrays, 'firstEntry' | 'firstExit' | 'firstWeight'>;

/** A tile ends with the row that exceeds this size; deflate never makes it longer. */
const TILE_BYTES = 384 * 1024;

/**
 * Weights of the overlay at free flow. Paths that share a part cost the same there, so a weight is usually
 * what the values above, left and above left predict: the difference is stored, plus one; 0 where there is no
 * path.
 */
export function encodeWeights(matrices: Matrices, weightsMs: Int32Array, modes: number): Uint8Array[] {
  const tiles: Uint8Array[] = [];
  let out = new VarintWriter();
  const close = (): void => {
    if (out.length > 0) tiles.push(out.bytes());
    out = new VarintWriter();
  };
  for (const { first, width, isTop } of rowsOf(matrices, modes)) {
    for (let column = 0; column < width; column++) {
      const ms = weightsMs[first + column];
      if (ms === CLOSED) out.unsigned(0);
      else {
        const rest = ms - expected(weightsMs, first + column, column === 0, isTop, width);
        out.unsigned(rest < 0 ? -2 * rest : 2 * rest + 1);
      }
    }
    if (out.length >= TILE_BYTES) close();
  }
  close();
  return tiles;
}

/**
 * [modes × weights]. Throws a RangeError when the tiles hold another number of weights, or one that is not
 * positive.
 */
export function decodeWeights(tiles: readonly Uint8Array[], matrices: Matrices, modes: number): Int32Array {
  const { firstWeight } = matrices;
  const weightsMs = sharedInt32(modes * firstWeight[firstWeight.length - 1]);
  const readers = tiles.map((payload) => new VarintReader(payload));
  let tile = readers.shift();
  for (const { first, width, isTop } of rowsOf(matrices, modes)) {
    while (tile?.isAtEnd()) tile = readers.shift();
    if (tile === undefined) throw new RangeError('the weights end too early');
    for (let column = 0; column < width; column++) {
      const symbol = tile.unsigned();
      const at = first + column;
      if (symbol === 0) {
        weightsMs[at] = CLOSED;
        continue;
      }
      const rest = symbol % 2 === 0 ? symbol / -2 : (symbol - 1) / 2;
      const ms = rest + expected(weightsMs, at, column === 0, isTop, width);
      if (!(ms >= 0 && ms < CLOSED)) throw new RangeError('a weight that is no time');
      weightsMs[at] = ms;
    }
  }
  if (tile?.isAtEnd() === false || readers.length > 0)
    throw new RangeError('more weights than the cells have');
  return weightsMs;
}

interface Row {
  /** Its first weight. */
  readonly first: number;
  readonly width: number;
  /** The first row of its cell. */
  readonly isTop: boolean;
}

function* rowsOf({ firstEntry, firstExit, firstWeight }: Matrices, modes: number): Iterable<Row> {
  const cells = firstWeight.length - 1;
  for (let mode = 0; mode < modes; mode++)
    for (let cell = 0; cell < cells; cell++) {
      const width = firstExit[cell + 1] - firstExit[cell];
      if (width === 0) continue;
      const start = mode * firstWeight[cells] + firstWeight[cell];
      for (let row = 0; row < firstEntry[cell + 1] - firstEntry[cell]; row++)
        yield { first: start + row * width, width, isTop: row === 0 };
    }
}

/** The prediction of a weight from adjacent values. */
function expected(ms: Int32Array, at: number, isFirst: boolean, isTop: boolean, width: number): number {
  const above = isTop ? CLOSED : ms[at - width];
  const left = isFirst ? CLOSED : ms[at - 1];
  const aboveLeft = isTop || isFirst ? CLOSED : ms[at - width - 1];
  if (above !== CLOSED && left !== CLOSED && aboveLeft !== CLOSED) return above + left - aboveLeft;
  if (above !== CLOSED) return above;
  return left === CLOSED ? 0 : left;
}
