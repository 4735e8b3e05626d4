import { unchangedRanges } from '../gazetteer/unchanged-ranges.js';

/**
 * Some numbers per element, one record after the other. For the next list, ranges of records of unchanged
 * elements are copied, and only the others are written.
 *
 * ```text
 *   first    0 ───── 5 ──────────── 12 ─── …      [elements + 1]
 *   numbers  a a a a a b b b b b b b c c c …
 * ```
 */
export class RecordBuffer<Element> {
  /** [elements + 1] start of each record in `numbers`. */
  first = new Uint32Array(1);
  numbers = new Int32Array(1_024);
  #length = 0;
  #elements: readonly Element[] = [];
  // The arrays of the list before the previous one, to be overwritten.
  #otherFirst = new Uint32Array(1);
  #otherNumbers = new Int32Array(1_024);
  readonly #identity: (element: Element) => number;

  /** `identity` ascends along every list. */
  constructor(identity: (element: Element) => number) {
    this.#identity = identity;
  }

  push(number: number): void {
    if (this.#length === this.numbers.length) this.#grow(2 * this.#length);
    this.numbers[this.#length++] = number;
  }

  /** A record must depend only on the element, and on what `stays` compares with the previous record. */
  update(
    elements: readonly Element[],
    write: (element: Element) => void,
    stays: (numbers: Int32Array, at: number) => boolean = always,
  ): void {
    const { first: firstBefore, numbers: before } = this;
    const stretches = unchangedRanges(this.#elements, elements, this.#identity);
    [this.first, this.#otherFirst] = [this.#otherFirst, firstBefore];
    [this.numbers, this.#otherNumbers] = [this.#otherNumbers, before];
    if (this.first.length <= elements.length)
      this.first = new Uint32Array(elements.length + elements.length / 8 + 1);
    this.#length = 0;
    let done = 0;
    const writeTo = (end: number): void => {
      for (; done < end; done++) {
        this.first[done] = this.#length;
        write(elements[done]!);
      }
    };
    for (const stretch of stretches) {
      const shift = stretch.before - stretch.now;
      const end = stretch.now + stretch.length;
      let from = stretch.now;
      for (let i = from; i < end; i++) {
        if (stays(before, firstBefore[i + shift]!)) continue;
        writeTo(from);
        this.#copy(before, firstBefore, from + shift, i + shift, from);
        done = i;
        from = i + 1;
      }
      writeTo(from);
      this.#copy(before, firstBefore, from + shift, end + shift, from);
      done = end;
    }
    writeTo(elements.length);
    this.first[elements.length] = this.#length;
    this.#elements = elements;
  }

  /** The previous records `from` to `to` become the records from `row` on. */
  #copy(before: Int32Array, firstBefore: Uint32Array, from: number, to: number, row: number): void {
    const [start, end] = [firstBefore[from]!, firstBefore[to]!];
    const moved = this.#length - start;
    if (this.#length + end - start > this.numbers.length) this.#grow(2 * (this.#length + end - start));
    this.numbers.set(before.subarray(start, end), this.#length);
    this.#length += end - start;
    for (let i = from; i < to; i++) this.first[row + i - from] = firstBefore[i]! + moved;
  }

  #grow(length: number): void {
    const larger = new Int32Array(length);
    larger.set(this.numbers.subarray(0, this.#length));
    this.numbers = larger;
  }
}

const always = (): boolean => true;
