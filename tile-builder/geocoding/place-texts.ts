import type { Place } from './gazetteer.js';
import type { IndexColumns } from './index-file.js';
import { MadeOnce } from './made-once.js';
import { type PooledText, TextPool } from './text-pool.js';

/** The texts of a place and of its houses. */
export interface PlaceTexts {
  readonly category: PooledText;
  readonly postcode: PooledText;
  readonly names: readonly PooledText[];
  /** By name. */
  readonly languages: readonly PooledText[];
  /** By house. */
  readonly postcodes: readonly PooledText[];
  readonly suffixes: readonly PooledText[];
}

/** Finds the texts of places in its pools once; only their numbers are given each time. */
export class TextMemory {
  readonly texts = new TextPool();
  readonly languages = new TextPool();
  readonly categories = new TextPool();
  readonly #places = new MadeOnce<Place, PlaceTexts>(({ key }) => key);

  /** Begins to number: the empty text and the empty language are 0. Every text that is answered must be numbered then. */
  of(places: readonly Place[]): readonly PlaceTexts[] {
    for (const pool of [this.texts, this.languages, this.categories]) pool.begin();
    for (const pool of [this.texts, this.languages]) pool.numberOf(pool.enter(''));
    return this.#places.of(places, (place) => this.#textsOf(place)).all;
  }

  #textsOf({ category, postcode, names, houses }: Place): PlaceTexts {
    return {
      category: this.categories.enter(category),
      postcode: this.texts.enter(postcode),
      names: names.map(({ text }) => this.texts.enter(text)),
      languages: names.map(({ language }) => this.languages.enter(language)),
      postcodes:
        houses.length === 0 ? noTexts : houses.map((house) => this.texts.enter(house.postcode || postcode)),
      suffixes: houses.length === 0 ? noTexts : houses.map(({ suffix }) => this.texts.enter(suffix)),
    };
  }
}

const noTexts: readonly PooledText[] = [];

/** The texts one behind the other, as UTF-8. */
export function textColumns(texts: readonly PooledText[]): Pick<IndexColumns, 'textFirst' | 'textBytes'> {
  const encoder = new TextEncoder();
  const textFirst = new Uint32Array(texts.length + 1);
  let bytes = new Uint8Array(32 * texts.length + 1_024);
  let at = 0;
  for (let number = 0; number < texts.length; number++) {
    const { text } = texts[number]!;
    // No unit takes more than three bytes.
    if (at + 3 * text.length > bytes.length) {
      const longer = new Uint8Array(2 * (at + 3 * text.length));
      longer.set(bytes);
      bytes = longer;
    }
    const end = asciiInto(bytes, at, text);
    at = end >= 0 ? end : at + encoder.encodeInto(text, bytes.subarray(at)).written;
    textFirst[number + 1] = at;
  }
  return { textFirst, textBytes: bytes.subarray(0, at) };
}

/** The end of what was written, or -1 when the text is not ASCII. */
function asciiInto(bytes: Uint8Array, from: number, text: string): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) return -1;
    bytes[from + i] = unit;
  }
  return from + text.length;
}
