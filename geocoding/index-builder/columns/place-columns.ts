import type { Scratch } from '#map-data/arrays/scratch.js';
import { type IndexColumns, NOTHING } from '../../index/index-file.js';
import type { BoxE7 } from '../gazetteer/gazetteer.js';
import type { PlacePools } from './place-pools.js';
import { placeRecord } from './place-records.js';
import { endOfRow } from './row-record.js';

/** What only places have. */
export class PlaceColumns {
  readonly firstName: Uint32Array;
  readonly #pools: PlacePools;
  readonly #category: Uint16Array;
  readonly #tagKey: Uint8Array;
  readonly #importance: Uint8Array;
  readonly #box: Int32Array;
  readonly #nameText: Uint32Array;
  readonly #nameLanguage: Uint8Array;
  readonly #firstHouse: Uint32Array;
  readonly #wayStreet: Uint32Array;
  readonly #wayOfSlot: Uint32Array;
  #bounds: BoxE7 = [0x7fffffff, 0x7fffffff, -0x80000000, -0x80000000];

  /** `wayOfSlot`: number of the way among the `ways` of the index, by the slot of its road. */
  constructor(
    { places, names, ways }: { readonly places: number; readonly names: number; readonly ways: number },
    wayOfSlot: Uint32Array,
    pools: PlacePools,
    scratch: Scratch,
  ) {
    this.#pools = pools;
    this.firstName = scratch.uint32('firstName', places + 1).fill(0, 0, 1);
    this.#category = scratch.uint16('category', places);
    this.#tagKey = scratch.uint8('tagKey', places);
    this.#importance = scratch.uint8('importance', places);
    this.#box = scratch.int32('box', 4 * places);
    this.#nameText = scratch.uint32('nameText', names);
    this.#nameLanguage = scratch.uint8('nameLanguage', names);
    this.#firstHouse = scratch.uint32('firstHouse', places + 1).fill(0, 0, 1);
    this.#wayStreet = scratch.uint32('wayStreet', ways).fill(NOTHING);
    this.#wayOfSlot = wayOfSlot;
  }

  /** Rows ascend; `at` is the start of the place's record. */
  put(row: number, numbers: Int32Array, at: number): void {
    const { texts, languages, categories } = this.#pools;
    this.#category[row] = categories.numberOf(numbers[at + placeRecord.category]!);
    this.#tagKey[row] = numbers[at + placeRecord.tagKey]!;
    this.#importance[row] = numbers[at + placeRecord.importance]!;
    this.#putBox(row, numbers, at + placeRecord.box);
    let next = endOfRow(numbers, at + placeRecord.row);
    let name = this.firstName[row]!;
    const endOfNames = name + numbers[at + placeRecord.names]!;
    for (; name < endOfNames; name++) {
      this.#nameText[name] = texts.numberOf(numbers[next++]!);
      this.#nameLanguage[name] = languages.numberOf(numbers[next++]!);
    }
    this.firstName[row + 1] = name;
    for (let roads = numbers[at + placeRecord.roads]!; roads > 0; roads--) {
      const way = this.#wayOfSlot[numbers[next++]!]!;
      if (way !== NOTHING) this.#wayStreet[way] = row;
    }
    this.#firstHouse[row + 1] = this.#firstHouse[row]! + numbers[at + placeRecord.houses]!;
  }

  #putBox(row: number, numbers: Int32Array, at: number): void {
    const bounds = this.#bounds;
    for (let side = 0; side < 4; side++) {
      const e7 = numbers[at + side]!;
      this.#box[4 * row + side] = e7;
      if (side < 2 ? e7 < bounds[side]! : e7 > bounds[side]!) bounds[side] = e7;
    }
  }

  /** Of all places. */
  bounds(): BoxE7 {
    return this.#category.length === 0 ? [0, 0, 0, 0] : this.#bounds;
  }

  columns() {
    return {
      category: this.#category,
      tagKey: this.#tagKey,
      importance: this.#importance,
      box: this.#box,
      firstName: this.firstName,
      nameText: this.#nameText,
      nameLanguage: this.#nameLanguage,
      firstHouse: this.#firstHouse,
      wayStreet: this.#wayStreet,
    } satisfies Partial<IndexColumns>;
  }
}
