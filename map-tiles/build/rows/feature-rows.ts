import { Scratch } from '#map-data/arrays/scratch.js';

/** Columns with one or several values per row. */
const widths = {
  element: 1,
  nth: 1,
  isLine: 1,
  layer: 1,
  minZoom: 1,
  rank: 1,
  look: 2,
  whole: 2,
  box: 4,
} as const;

const growthFactor = 2;

/**
 * The features of each element of an extract, one row per feature, in the order of the elements and of the
 * results of `nodeFeatures`, `wayFeatures` and `relationFeatures` A row tells in which tiles its feature may
 * be visible and whether it has changed, without creating the feature.
 */
export class FeatureRows {
  length = 0;
  /** Place of the element among nodes, ways and relations together. */
  element: Uint32Array;
  /** Index among the features of the element. */
  nth: Uint8Array;
  isLine: Uint8Array;
  layer: Uint8Array;
  minZoom: Uint8Array;
  rank: Float64Array;
  /** [2 a row] For a line: hash of its style; lines of one style are joined. */
  look: Uint32Array;
  /** [2 a row] Hash of the feature; for a line, of all lines that it is joined to. */
  whole: Uint32Array;
  /** [4 a row] West, south, east, north in 1e-7 degrees; of a line, of this piece of it. */
  box: Int32Array;

  /**
   * @param expected rows for which memory is reserved.
   * @param memory where the columns lie for as long as there is room.
   */
  constructor(expected = 0, memory = new Scratch()) {
    const rows = Math.max(1_024, Math.ceil(1.1 * expected));
    this.element = memory.uint32('rows element', rows * widths.element);
    this.nth = memory.uint8('rows nth', rows * widths.nth);
    this.isLine = memory.uint8('rows isLine', rows * widths.isLine);
    this.layer = memory.uint8('rows layer', rows * widths.layer);
    this.minZoom = memory.uint8('rows minZoom', rows * widths.minZoom);
    this.rank = memory.float64('rows rank', rows * widths.rank);
    this.look = memory.uint32('rows look', rows * widths.look);
    this.whole = memory.uint32('rows whole', rows * widths.whole);
    this.box = memory.int32('rows box', rows * widths.box);
  }

  /** Adds a row and returns its number; the caller sets its columns. */
  add(): number {
    if (this.length === this.element.length) this.#grow(this.length);
    return this.length++;
  }

  #grow(kept: number): void {
    const rows = growthFactor * this.element.length;
    const wider = <Column extends Float64Array | Uint32Array | Int32Array | Uint8Array>(
      column: Column,
      into: Column,
    ): Column => {
      into.set(column.subarray(0, (into.length / rows) * kept));
      return into;
    };
    this.element = wider(this.element, new Uint32Array(rows * widths.element));
    this.nth = wider(this.nth, new Uint8Array(rows * widths.nth));
    this.isLine = wider(this.isLine, new Uint8Array(rows * widths.isLine));
    this.layer = wider(this.layer, new Uint8Array(rows * widths.layer));
    this.minZoom = wider(this.minZoom, new Uint8Array(rows * widths.minZoom));
    this.rank = wider(this.rank, new Float64Array(rows * widths.rank));
    this.look = wider(this.look, new Uint32Array(rows * widths.look));
    this.whole = wider(this.whole, new Uint32Array(rows * widths.whole));
    this.box = wider(this.box, new Int32Array(rows * widths.box));
  }

  /** The columns as one object keeps them; `rowsFrom` reads them. */
  columns(): Uint8Array[] {
    const { length } = this;
    const view = (column: Uint8Array | Uint32Array | Int32Array | Float64Array, width: number): Uint8Array =>
      new Uint8Array(column.buffer, column.byteOffset, length * width * column.BYTES_PER_ELEMENT);
    // Wide columns first, so that each is aligned.
    return [
      view(this.rank, widths.rank),
      view(this.element, widths.element),
      view(this.look, widths.look),
      view(this.whole, widths.whole),
      view(this.box, widths.box),
      view(this.nth, widths.nth),
      view(this.isLine, widths.isLine),
      view(this.layer, widths.layer),
      view(this.minZoom, widths.minZoom),
    ];
  }

  /** `bytes` begin with the columns of `rowCount` rows, at a multiple of eight bytes of their buffer. */
  static from(bytes: Uint8Array<ArrayBuffer>, rowCount: number): FeatureRows {
    const rows = new FeatureRows();
    let at = bytes.byteOffset;
    const next = (width: number, size: number): [ArrayBuffer, number, number] => {
      const start = at;
      at += rowCount * width * size;
      return [bytes.buffer, start, rowCount * width];
    };
    rows.length = rowCount;
    rows.rank = new Float64Array(...next(widths.rank, 8));
    rows.element = new Uint32Array(...next(widths.element, 4));
    rows.look = new Uint32Array(...next(widths.look, 4));
    rows.whole = new Uint32Array(...next(widths.whole, 4));
    rows.box = new Int32Array(...next(widths.box, 4));
    rows.nth = new Uint8Array(...next(widths.nth, 1));
    rows.isLine = new Uint8Array(...next(widths.isLine, 1));
    rows.layer = new Uint8Array(...next(widths.layer, 1));
    rows.minZoom = new Uint8Array(...next(widths.minZoom, 1));
    return rows;
  }

  /**
   * Appends rows of another object, whose elements have moved by `shift` places; returns the first of them.
   */
  copy(from: FeatureRows, start: number, end: number, shift: number): number {
    const first = this.length;
    this.length += end - start;
    while (this.length > this.element.length) this.#grow(first);
    const taken = <Column extends Float64Array | Uint32Array | Int32Array | Uint8Array>(
      column: Column,
      width: number,
    ) => column.subarray(width * start, width * end);
    for (let row = start; row < end; row++) this.element[first + row - start] = from.element[row]! + shift;
    this.nth.set(taken(from.nth, widths.nth), first * widths.nth);
    this.isLine.set(taken(from.isLine, widths.isLine), first * widths.isLine);
    this.layer.set(taken(from.layer, widths.layer), first * widths.layer);
    this.minZoom.set(taken(from.minZoom, widths.minZoom), first * widths.minZoom);
    this.rank.set(taken(from.rank, widths.rank), first * widths.rank);
    this.look.set(taken(from.look, widths.look), first * widths.look);
    this.whole.set(taken(from.whole, widths.whole), first * widths.whole);
    this.box.set(taken(from.box, widths.box), first * widths.box);
    return first;
  }
}
