/** Names, road numbers and signs, each once, in the order in which they come; the empty one is 0. */
export interface NumberedTexts {
  readonly texts: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
}

/** Numbers texts, some of which had a number in the build before. */
export class TextNumbers implements NumberedTexts {
  readonly texts: string[] = [''];
  readonly numbers = new Map([['', 0]]);
  readonly #before: NumberedTexts;
  /** [texts before] number now; -1 where the text did not come yet. */
  readonly now: Int32Array;

  constructor(before: NumberedTexts = { texts: [''], numbers: new Map() }) {
    this.#before = before;
    this.now = new Int32Array(before.texts.length).fill(-1);
    this.now[0] = 0;
  }

  numberOf(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const was = this.#before.numbers.get(text);
    return was === undefined ? this.#add(text) : this.carried(was);
  }

  /** Number now of what had this number before. */
  carried(was: number): number {
    let number = this.now[was];
    if (number < 0) {
      number = this.#add(this.#before.texts[was]);
      this.now[was] = number;
    }
    return number;
  }

  #add(text: string): number {
    const number = this.texts.push(text) - 1;
    this.numbers.set(text, number);
    return number;
  }
}
