/**
 * Numbers names, road numbers and signs in order of first use, and maps numbers of the previous build; the
 * empty text is 0.
 */
export class TextNumbers {
  readonly texts: string[] = [''];
  readonly #numbers = new Map([['', 0]]);
  #before: TextNumbers | undefined;
  /** [previous texts] current number; -1 if the text is not used. */
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

  /** Current number for a previous one. */
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
