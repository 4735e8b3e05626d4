/** The style of lines and their ends, by row. */
export interface LookedPoints {
  /** [2 a row] */
  readonly look: Uint32Array;
  /** [4 a row] First and last point. */
  readonly ends: Int32Array;
}

/** Where the first point of a row lies in `ends`, and where the last. */
type End = 0 | 2;

function hashOf({ look, ends }: LookedPoints, row: number, end: End): number {
  const at = 4 * row + end;
  const hash =
    Math.imul(look[2 * row]! ^ Math.imul(ends[at]!, 0x9e3779b1), 0x85ebca6b) ^
    Math.imul(ends[at + 1]!, 0xc2b2ae35);
  return hash ^ (hash >>> 15);
}

function isSamePoint(
  { look, ends }: LookedPoints,
  row: number,
  end: End,
  other: number,
  otherEnd: End,
): boolean {
  const [a, b] = [4 * row + end, 4 * other + otherEnd];
  return (
    ends[a] === ends[b] &&
    ends[a + 1] === ends[b + 1] &&
    look[2 * row] === look[2 * other] &&
    look[2 * row + 1] === look[2 * other + 1]
  );
}

const slotsFor = (entries: number): number => 2 ** Math.ceil(Math.log2(2 * entries + 2));

/** Points with a style each. Open addressing. */
export class PointSet {
  /** [5 a slot] Whether it is in use, style and point. */
  readonly #slots: Int32Array;
  readonly #mask: number;

  constructor(entriesMax: number) {
    const slots = slotsFor(entriesMax);
    this.#mask = slots - 1;
    this.#slots = new Int32Array(5 * slots);
  }

  /** Both ends of a row. */
  add(points: LookedPoints, row: number): void {
    this.#add(points, row, 0);
    this.#add(points, row, 2);
  }

  hasStart(points: LookedPoints, row: number): boolean {
    return this.#slots[this.#slotOf(points, row, 0)] === 1;
  }

  hasEnd(points: LookedPoints, row: number): boolean {
    return this.#slots[this.#slotOf(points, row, 2)] === 1;
  }

  #add(points: LookedPoints, row: number, end: End): void {
    const at = this.#slotOf(points, row, end);
    const { look, ends } = points;
    this.#slots[at] = 1;
    this.#slots[at + 1] = look[2 * row]! | 0;
    this.#slots[at + 2] = look[2 * row + 1]! | 0;
    this.#slots[at + 3] = ends[4 * row + end]!;
    this.#slots[at + 4] = ends[4 * row + end + 1]!;
  }

  #slotOf(points: LookedPoints, row: number, end: End): number {
    const slots = this.#slots;
    const { look, ends } = points;
    for (let slot = hashOf(points, row, end) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = 5 * slot;
      if (slots[at] === 0) return at;
      if (
        slots[at + 3] === ends[4 * row + end] &&
        slots[at + 4] === ends[4 * row + end + 1] &&
        slots[at + 1] === (look[2 * row]! | 0) &&
        slots[at + 2] === (look[2 * row + 1]! | 0)
      )
        return at;
    }
  }
}

/** Rows by the point at which they begin, with a style, in their order. Open addressing. */
export class StartTable {
  readonly #points: LookedPoints;
  readonly #rows: readonly number[];
  readonly #mask: number;
  /**
   * By slot, as indices of rows: the first unused one, and one that identifies the slot; −1 if there is none.
   */
  readonly #first: Int32Array;
  readonly #named: Int32Array;
  /** By place the next of the same slot. */
  readonly #next: Int32Array;

  constructor(points: LookedPoints, rows: readonly number[]) {
    this.#points = points;
    this.#rows = rows;
    const slots = slotsFor(rows.length);
    this.#mask = slots - 1;
    this.#first = new Int32Array(slots).fill(-1);
    this.#named = new Int32Array(slots).fill(-1);
    this.#next = new Int32Array(rows.length).fill(-1);
    const last = new Int32Array(slots);
    for (let place = 0; place < rows.length; place++) {
      const slot = this.#slot(rows[place]!, 0);
      if (this.#named[slot] === -1) {
        this.#named[slot] = place;
        this.#first[slot] = place;
      } else this.#next[last[slot]!] = place;
      last[slot] = place;
    }
  }

  /** The line that continues where `row` ends; −1 if there is none left. */
  take(row: number): number {
    const slot = this.#slot(row, 2);
    const place = this.#first[slot]!;
    if (place < 0) return -1;
    this.#first[slot] = this.#next[place]!;
    return this.#rows[place]!;
  }

  #slot(row: number, end: End): number {
    const [points, named] = [this.#points, this.#named];
    for (let slot = hashOf(points, row, end) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const other = named[slot]!;
      if (other === -1 || isSamePoint(points, row, end, this.#rows[other]!, 0)) return slot;
    }
  }
}
