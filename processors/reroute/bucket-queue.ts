/** Keys of one bucket differ by less than 2^10: about a second. */
const widthBits = 10;
/** Buckets ahead of the current one; later entries wait in the last bucket and are distributed from there. */
const bucketsAhead = 4_096;

/**
 * Edges by their milliseconds, roughly in order: those of one bucket come in any order, so a caller must
 * be ready to get an edge again with a lower time (Δ-stepping: U. Meyer and P. Sanders, J. Algorithms 49,
 * 2003). Half the cost of a heap where keys are as far apart as the ends of roads.
 *
 * ```text
 *   ring:   … │ 7 s │ 8 s │ 9 s │ …        each bucket a list of entries: the newest first
 *                 ▲ present        an entry: edge, and the entry behind it
 * ```
 */
export class BucketQueue {
  readonly #newest = new Int32Array(bucketsAhead).fill(-1);
  #edges = new Int32Array(4_096);
  #behind = new Int32Array(4_096);
  #entries = 0;
  #waiting = 0;
  #present = 0;

  /** Empties the queue; no entry will be before `ms`. */
  reset(ms: number): void {
    if (this.#waiting > 0) this.#newest.fill(-1);
    this.#entries = 0;
    this.#waiting = 0;
    this.#present = ms >>> widthBits;
  }

  push(ms: number, edge: number): void {
    if (this.#entries === this.#edges.length) this.#grow();
    const bucket = Math.min(ms >>> widthBits, this.#present + bucketsAhead - 1) % bucketsAhead;
    const entry = this.#entries++;
    this.#edges[entry] = edge;
    this.#behind[entry] = this.#newest[bucket]!;
    this.#newest[bucket] = entry;
    this.#waiting++;
  }

  /**
   * The next edge with a time in `reached` that belongs to the present bucket; -1 when none is left. An edge
   * whose time was lowered is pushed again, so it may be returned once more without effect.
   */
  pop(reached: Int32Array): number {
    while (this.#waiting > 0) {
      const at = this.#present % bucketsAhead;
      const entry = this.#newest[at]!;
      if (entry < 0) {
        this.#present++;
        continue;
      }
      this.#newest[at] = this.#behind[entry]!;
      this.#waiting--;
      const edge = this.#edges[entry]!;
      const bucket = reached[edge]! >>> widthBits;
      if (bucket === this.#present) return edge;
      if (bucket > this.#present) this.push(reached[edge]!, edge);
    }
    return -1;
  }

  #grow(): void {
    const edges = new Int32Array(2 * this.#edges.length);
    edges.set(this.#edges);
    this.#edges = edges;
    const behind = new Int32Array(2 * this.#behind.length);
    behind.set(this.#behind);
    this.#behind = behind;
  }
}
