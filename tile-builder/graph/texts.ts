/**
 * Numbers names, road numbers and signs in the order in which they come, some of which had a number in the
 * previous build; the empty one is 0.
 */
export class TextNumbers {
  readonly texts: string[] = [''];
  readonly #numbers = new Map([['', 0]]);
  #before: TextNumbers | undefined;
  /** [texts before] number now; -1 where the text did not come. */
  readonly now: Int32Array;

  constructor(before?: TextNumbers) {
    this.#before = before;
    this.now = new Int32Array(before?.texts.length ?? 1).fill(-1);
    this.now[0] = 0;
  }

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const was = this.#before === undefined ? undefined : this.#before.#numbers.get(text);
    return was === undefined ? this.#add(text) : this.carried(was);
  }

  /** Number now of what had this number before. */
  carried(was: number): number {
    const known = this.now[was];
    if (known >= 0) return known;
    const number = this.#add(this.#before!.texts[was]);
    this.now[was] = number;
    return number;
  }

  /** Drops the previous build: otherwise each would hold all earlier ones. */
  settled(): this {
    this.#before = undefined;
    return this;
  }

  #add(text: string): number {
    const number = this.texts.push(text) - 1;
    this.#numbers.set(text, number);
    return number;
  }
}
