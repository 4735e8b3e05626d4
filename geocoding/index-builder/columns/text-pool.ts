import { NOTHING } from '../../index/index-file.js';

/**
 * Assigns stable ids to texts, so that records refer to them by number, and numbers them by first use in each
 * build. A text that the last numbering did not use is removed, and its id is reused.
 */
export class TextPool {
  readonly #ids = new Map<string, number>();
  /** By id; undefined: free. */
  readonly #texts: (string | undefined)[] = [];
  readonly #free: number[] = [];
  /** By id: in this numbering. */
  #numbers = new Uint32Array(64).fill(NOTHING);
  readonly #used: number[] = [];

  /** The id of this text, which must be numbered before the numbering ends. */
  enter(text: string): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#free.pop() ?? this.#texts.length;
      this.#ids.set(text, id);
      this.#texts[id] = text;
    }
    return id;
  }

  text(id: number): string {
    return this.#texts[id]!;
  }

  /** Starts a numbering from 0. All its texts must have ids. */
  begin(): void {
    const count = this.#texts.length;
    if (count > this.#numbers.length) this.#numbers = new Uint32Array(count + (count >>> 1));
    this.#numbers.fill(NOTHING);
    this.#used.length = 0;
  }

  numberOf(id: number): number {
    const number = this.#numbers[id]!;
    if (number !== NOTHING) return number;
    this.#numbers[id] = this.#used.length;
    return this.#used.push(id) - 1;
  }

  isUsed(id: number): boolean {
    return this.#numbers[id] !== NOTHING;
  }

  /** Ids of the numbered texts, in their order; the others are removed. */
  end(): readonly number[] {
    for (let id = 0; id < this.#texts.length; id++) {
      const text = this.#texts[id];
      if (text === undefined || this.isUsed(id)) continue;
      this.#ids.delete(text);
      this.#texts[id] = undefined;
      this.#free.push(id);
    }
    return this.#used;
  }
}
