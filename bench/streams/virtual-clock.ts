/** Virtual time: what is due happens in its order, and nothing else makes time pass. */
export class VirtualClock {
  #nowMs: number;
  #order = 0;
  readonly #due: { readonly atMs: number; readonly order: number; readonly run: () => void }[] = [];

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): void {
    const entry = { atMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, run };
    let at = this.#due.length;
    while (at > 0 && this.#due[at - 1]!.atMs > entry.atMs) at--;
    this.#due.splice(at, 0, entry);
  }

  /** Runs what is due until then. What promises continue with runs before the next thing that is due. */
  async until(toMs: number): Promise<void> {
    for (let next = this.#due[0]; next !== undefined && next.atMs <= toMs; next = this.#due[0]) {
      this.#due.shift();
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.run();
      await settled();
    }
    this.#nowMs = Math.max(this.#nowMs, toMs);
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
