import type { Scratch } from '#map-data/arrays/scratch.js';
import { type IndexColumns, NOTHING } from '../../index/index-file.js';
import { indexedModes } from '../../index/indexed-modes.js';
import { accessPlaceCount, accessPlacesAt, placeNumbers, rowRecord } from './row-record.js';

type Columns = Pick<IndexColumns, 'access' | 'accessWay' | 'accessLngE7' | 'accessLatE7' | 'accessSide'>;

const modes = indexedModes.length;

/** Collects the access points of each row on the roads. */
export class AccessColumns {
  readonly #access: Uint32Array;
  readonly #way: Uint32Array;
  readonly #lng: Int32Array;
  readonly #lat: Int32Array;
  readonly #side: Uint8Array;
  readonly #wayOfSlot: Uint32Array;
  #count = 0;

  /** `wayOfSlot`: number of the way among those of the index, by the slot of its road. */
  constructor(rows: number, wayOfSlot: Uint32Array, scratch: Scratch) {
    const most = modes * rows;
    this.#access = scratch.uint32('access', most);
    this.#way = scratch.uint32('accessWay', most);
    this.#lng = scratch.int32('accessLngE7', most);
    this.#lat = scratch.int32('accessLatE7', most);
    this.#side = scratch.uint8('accessSide', most);
    this.#wayOfSlot = wayOfSlot;
  }

  /** `at` is the start of the row's record. */
  put(row: number, numbers: Int32Array, at: number): void {
    const first = this.#count;
    for (let mode = 0; mode < modes; mode++) {
      const place = numbers[at + rowRecord.access + mode]!;
      this.#access[modes * row + mode] = place < 0 ? NOTHING : first + place;
    }
    const end = first + accessPlaceCount(numbers, at);
    let place = accessPlacesAt(at);
    for (let i = first; i < end; i++) {
      this.#way[i] = this.#wayOfSlot[numbers[place]!]!;
      this.#lng[i] = numbers[place + 1]!;
      this.#lat[i] = numbers[place + 2]!;
      this.#side[i] = numbers[place + 3]!;
      place += placeNumbers;
    }
    this.#count = end;
  }

  columns(): Columns {
    return {
      access: this.#access,
      accessWay: this.#way.subarray(0, this.#count),
      accessLngE7: this.#lng.subarray(0, this.#count),
      accessLatE7: this.#lat.subarray(0, this.#count),
      accessSide: this.#side.subarray(0, this.#count),
    };
  }
}
