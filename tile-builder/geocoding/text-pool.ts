/** One text of a pool: the same text is the same object, so that it is compared and numbered without looking at its letters. */
export interface PooledText {
  readonly text: string;
  /** In the last numbering that it was used in. */
  number: number;
  numbering: number;
}

/** Numbers texts by their first use, again and again for mostly the same ones. What the last numbering did not use is forgotten. */
export class TextPool {
  readonly #texts = new Map<string, PooledText>();
  #numbering = 0;
  #used: PooledText[] = [];

  /** The one of this text, to be numbered later. */
  enter(text: string): PooledText {
    let pooled = this.#texts.get(text);
    if (pooled === undefined) {
      pooled = { text, number: 0, numbering: -1 };
      this.#texts.set(text, pooled);
    }
    return pooled;
  }

  /** Begins to number from 0. */
  begin(): void {
    this.#numbering++;
    this.#used = [];
  }

  numberOf(pooled: PooledText): number {
    if (pooled.numbering !== this.#numbering) {
      pooled.numbering = this.#numbering;
      pooled.number = this.#used.length;
      this.#used.push(pooled);
    }
    return pooled.number;
  }

  /** Those numbered, in their order; the others are forgotten. */
  end(): readonly PooledText[] {
    if (this.#texts.size > this.#used.length)
      for (const [text, { numbering }] of this.#texts)
        if (numbering !== this.#numbering) this.#texts.delete(text);
    return this.#used;
  }
}
