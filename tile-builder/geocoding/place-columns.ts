import { growingUint32 } from '../osm/growing-array.js';
import type { BoxE7, Place } from './gazetteer.js';
import type { IndexColumns } from './index-file.js';
import type { PlaceTexts, TextMemory } from './place-texts.js';

/** What only places have. */
export class PlaceColumns {
  readonly firstName: Uint32Array;
  readonly #memory: TextMemory;
  readonly #category: Uint16Array;
  readonly #importance: Uint8Array;
  readonly #box: Int32Array;
  readonly #nameText = growingUint32();
  readonly #nameLanguage = growingUint32();
  readonly #firstHouse: Uint32Array;

  constructor(places: number, memory: TextMemory) {
    this.#memory = memory;
    this.firstName = new Uint32Array(places + 1);
    this.#category = new Uint16Array(places);
    this.#importance = new Uint8Array(places);
    this.#box = new Int32Array(4 * places);
    this.#firstHouse = new Uint32Array(places + 1);
  }

  /** Rows ascend. */
  put(row: number, { importance, box, houses }: Place, { category, names, languages }: PlaceTexts): void {
    const memory = this.#memory;
    this.#category[row] = memory.categories.numberOf(category);
    this.#importance[row] = Math.round(255 * Math.min(1, importance));
    for (let side = 0; side < 4; side++) this.#box[4 * row + side] = box[side]!;
    for (let name = 0; name < names.length; name++) {
      this.#nameText.push(memory.texts.numberOf(names[name]!));
      this.#nameLanguage.push(memory.languages.numberOf(languages[name]!));
    }
    this.firstName[row + 1] = this.#nameText.length;
    this.#firstHouse[row + 1] = this.#firstHouse[row]! + houses.length;
  }

  /** Of all places. */
  bounds(): BoxE7 {
    const box = this.#box;
    if (box.length === 0) return [0, 0, 0, 0];
    let [west, south, east, north] = [box[0]!, box[1]!, box[2]!, box[3]!];
    for (let at = 4; at < box.length; at += 4) {
      west = Math.min(west, box[at]!);
      south = Math.min(south, box[at + 1]!);
      east = Math.max(east, box[at + 2]!);
      north = Math.max(north, box[at + 3]!);
    }
    return [west, south, east, north];
  }

  columns() {
    return {
      category: this.#category,
      importance: this.#importance,
      box: this.#box,
      firstName: this.firstName,
      nameText: this.#nameText.trimmed(),
      nameLanguage: Uint8Array.from(this.#nameLanguage.trimmed()),
      firstHouse: this.#firstHouse,
    } satisfies Partial<IndexColumns>;
  }
}
