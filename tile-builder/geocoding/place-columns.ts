import { growingUint32 } from '../osm/growing-array.js';
import type { Place } from './gazetteer.js';
import type { IndexColumns } from './index-file.js';
import { TextNumbers } from './text-numbers.js';

/** What only places have. */
export class PlaceColumns {
  /** In the order of their numbers. */
  readonly languages = new TextNumbers();
  readonly categories = new TextNumbers();
  readonly firstName: Uint32Array;
  readonly #texts: TextNumbers;
  readonly #category: Uint16Array;
  readonly #importance: Uint8Array;
  readonly #box: Int32Array;
  readonly #nameText = growingUint32();
  readonly #nameLanguage = growingUint32();
  readonly #firstHouse: Uint32Array;

  constructor(places: number, texts: TextNumbers) {
    this.languages.of('');
    this.#texts = texts;
    this.firstName = new Uint32Array(places + 1);
    this.#category = new Uint16Array(places);
    this.#importance = new Uint8Array(places);
    this.#box = new Int32Array(4 * places);
    this.#firstHouse = new Uint32Array(places + 1);
  }

  /** Rows ascend. */
  put(row: number, { category, importance, box, names, houses }: Place): void {
    this.#category[row] = this.categories.of(category);
    this.#importance[row] = Math.round(255 * Math.min(1, importance));
    for (let side = 0; side < 4; side++) this.#box[4 * row + side] = box[side];
    for (const { language, text } of names) {
      this.#nameText.push(this.#texts.of(text));
      this.#nameLanguage.push(this.languages.of(language));
    }
    this.firstName[row + 1] = this.#nameText.length;
    this.#firstHouse[row + 1] = this.#firstHouse[row] + houses.length;
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
