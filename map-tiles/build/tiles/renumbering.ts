/** Keys or values of a layer, numbered in the order in which they are first requested. */
export class Renumbering {
  readonly #bytes: Buffer;
  /** Where the previous indices begin, and where the last range ends. */
  readonly #starts: readonly number[];
  readonly #numbers: Int32Array;
  readonly #others = new Map<string, number>();
  /** For each number the previous index, or the field itself. */
  readonly #fields: (number | Buffer)[] = [];

  constructor(bytes: Buffer, starts: readonly number[]) {
    this.#bytes = bytes;
    this.#starts = starts;
    this.#numbers = new Int32Array(starts.length - 1).fill(-1);
  }

  /** The current number of the previous number `index`. */
  of(index: number): number {
    const known = this.#numbers[index]!;
    if (known >= 0) return known;
    const number = this.#fields.length;
    this.#numbers[index] = number;
    this.#fields.push(index);
    return number;
  }

  /** The number of a field, by its bytes. */
  find(field: Buffer): number {
    const index = this.#indexOf(field);
    if (index >= 0) return this.of(index);
    const text = field.toString('latin1');
    const known = this.#others.get(text);
    if (known !== undefined) return known;
    this.#others.set(text, this.#fields.length);
    return this.#fields.push(field) - 1;
  }

  /** Passes on the encoded fields in the order of their numbers: bytes, start and end. */
  write(copy: (bytes: Uint8Array, from: number, to: number) => void): void {
    for (const field of this.#fields)
      if (typeof field === 'number') copy(this.#bytes, this.#starts[field]!, this.#starts[field + 1]!);
      else copy(field, 0, field.length);
  }

  #indexOf(field: Buffer): number {
    const starts = this.#starts;
    const end = starts.at(-1)!;
    let at = starts[0]!;
    for (;;) {
      at = this.#bytes.indexOf(field, at);
      if (at < 0 || at >= end) return -1;
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (starts[middle]! < at) low = middle + 1;
        else high = middle;
      }
      // The same bytes may occur within a longer text.
      if (starts[low] === at) return low;
      at++;
    }
  }
}
