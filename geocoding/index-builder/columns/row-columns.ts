import type { Scratch } from '#map-data/arrays/scratch.js';
import { type IndexColumns, NOTHING } from '../../index/index-file.js';
import type { AreaSet } from '../extract/surroundings.js';
import { AccessColumns } from './access-columns.js';
import { AreaSetColumns } from './area-sets.js';
import { keyOf, rowRecord } from './row-record.js';
import type { TextPool } from './text-pool.js';

/** Maps the numbers in records to those of the new index. */
export interface Numbering {
  readonly texts: TextPool;
  /** Row of a town by its number. */
  readonly rowOfTown: Uint32Array;
  /** By their own numbers. */
  readonly areaSets: readonly AreaSet[];
  /** Number of a way by the slot of its road. */
  readonly wayOfSlot: Uint32Array;
}

/** The common columns of places and houses. */
export class RowColumns {
  readonly key: Float64Array;
  readonly lngE7: Int32Array;
  readonly latE7: Int32Array;
  readonly kind: Uint8Array;
  readonly #settlement: Uint32Array;
  readonly #postcode: Uint32Array;
  readonly #access: AccessColumns;
  readonly #areaSets: AreaSetColumns;
  readonly #numbering: Numbering;

  constructor(rows: number, numbering: Numbering, scratch: Scratch) {
    this.key = scratch.float64('key', rows);
    this.lngE7 = scratch.int32('lngE7', rows);
    this.latE7 = scratch.int32('latE7', rows);
    this.kind = scratch.uint8('kind', rows);
    this.#settlement = scratch.uint32('settlement', rows);
    this.#postcode = scratch.uint32('postcode', rows);
    this.#access = new AccessColumns(rows, numbering.wayOfSlot, scratch);
    this.#areaSets = new AreaSetColumns(rows, numbering.areaSets, scratch);
    this.#numbering = numbering;
  }

  /** `at` is the start of the row's record. */
  put(row: number, kind: number, numbers: Int32Array, at: number): void {
    const { texts, rowOfTown } = this.#numbering;
    this.key[row] = keyOf(numbers, at);
    this.lngE7[row] = numbers[at + rowRecord.lngE7]!;
    this.latE7[row] = numbers[at + rowRecord.latE7]!;
    this.kind[row] = kind;
    const town = numbers[at + rowRecord.town]!;
    this.#settlement[row] = town < 0 ? NOTHING : rowOfTown[town]!;
    this.#postcode[row] = texts.numberOf(numbers[at + rowRecord.postcode]!);
    this.#areaSets.put(row, numbers[at + rowRecord.areas]!);
    this.#access.put(row, numbers, at);
  }

  columns() {
    return {
      key: this.key,
      lngE7: this.lngE7,
      latE7: this.latE7,
      kind: this.kind,
      settlement: this.#settlement,
      postcode: this.#postcode,
      ...this.#access.columns(),
      ...this.#areaSets.columns(),
    } satisfies Partial<IndexColumns>;
  }
}
