import { VarintReader, VarintWriter } from './varints.js';

/**
 * A cell's tile has its own numbers for names, zones and connected parts, so that it does not change with
 * other cells. These tiles map them to the numbers of the tileset. By cell: names, zones, then the parts of
 * each mode.
 */
export const numberLists = [
  'names',
  'zones',
  'drivingParts',
  'bicyclingParts',
  'walkingParts',
  'truckParts',
] as const;

/** By list of a cell: the number in the tileset of each of its own numbers. */
export type NumbersOfCell = readonly (readonly number[])[];

/** A tile ends with the cell that takes it beyond this many numbers. */
const NUMBERS_PER_TILE = 65_536;

export function encodeNumbers(cells: readonly NumbersOfCell[]): Uint8Array[] {
  const tiles: Uint8Array[] = [];
  let out = new VarintWriter();
  let written = 0;
  for (const [cell, lists] of cells.entries()) {
    for (const list of lists) {
      out.unsigned(list.length);
      let last = 0;
      for (const number of list) {
        out.signed(number - last);
        last = number;
      }
      written += 1 + list.length;
    }
    if (written < NUMBERS_PER_TILE && cell + 1 < cells.length) continue;
    tiles.push(out.bytes());
    out = new VarintWriter();
    written = 0;
  }
  return tiles;
}

export class CellNumbers {
  /** Of the tileset: those of `travelModes`, or the first of them. */
  readonly modes: number;
  /** [lists × cells + 1] */
  readonly #first: Uint32Array;
  readonly #numbers: Uint32Array;

  constructor(modes: number, first: Uint32Array, numbers: Uint32Array) {
    this.modes = modes;
    this.#first = first;
    this.#numbers = numbers;
  }

  /** The caller checks whether such a name, zone or part exists. */
  of(cell: number, list: number): Uint32Array {
    const at = listsOf(this.modes) * cell + list;
    return this.#numbers.subarray(this.#first[at], this.#first[at + 1]);
  }
}

const listsOf = (modes: number): number => numberLists.indexOf('drivingParts') + modes;

/** Throws a RangeError when the tiles hold the numbers of more or fewer cells. */
export function decodeNumbers(tiles: readonly Uint8Array[], cells: number, modes: number): CellNumbers {
  const first = new Uint32Array(listsOf(modes) * cells + 1);
  const numbers: number[] = [];
  let list = 0;
  for (const payload of tiles) {
    const tile = new VarintReader(payload);
    while (!tile.isAtEnd()) {
      if (list + 1 >= first.length) throw new RangeError('numbers for more cells than there are');
      let last = 0;
      for (let left = tile.count(); left > 0; left--) {
        last += tile.signed();
        if (!(last >= 0 && last < 2 ** 32)) throw new RangeError('a number that nothing has');
        numbers.push(last);
      }
      first[++list] = numbers.length;
    }
  }
  if (list + 1 !== first.length) throw new RangeError('numbers for fewer cells than there are');
  return new CellNumbers(modes, first, Uint32Array.from(numbers));
}
