/** One more than the greatest item. */
const ITEMS = 2 ** 22;
/** Keys stay below this, so that key and item fit into the 53 bits of a number together. */
export const KEY_MAX = 2 ** 31 - 1;

/**
 * A 4-ary heap of (key, item) pairs, each packed into one double: key · 2^22 + item. Both are integers and
 * not negative. Pairs are never changed in place: push a better key again and skip stale pairs when they are
 * popped.
 */
export class PackedHeap {
  size = 0;
  /** Of the pair that `pop` took last. */
  key = 0;
  #pairs = new Float64Array(1024);

  clear(): void {
    this.size = 0;
  }

  /** Infinity when empty. */
  leastKey(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : Math.floor(this.#pairs[0] / ITEMS);
  }

  push(key: number, item: number): void {
    if (this.size === this.#pairs.length) this.#grow();
    const pairs = this.#pairs;
    const pair = key * ITEMS + item;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >>> 2;
      if (pairs[parent] <= pair) break;
      pairs[at] = pairs[parent];
      at = parent;
    }
    pairs[at] = pair;
  }

  /** Removes the least pair and returns its item; its key is in `key`. The heap must not be empty. */
  pop(): number {
    const pairs = this.#pairs;
    const top = pairs[0];
    const size = --this.size;
    const last = pairs[size];
    let at = 0;
    for (;;) {
      let least = 4 * at + 1;
      if (least >= size) break;
      const end = Math.min(least + 4, size);
      for (let child = least + 1; child < end; child++) if (pairs[child] < pairs[least]) least = child;
      if (pairs[least] >= last) break;
      pairs[at] = pairs[least];
      at = least;
    }
    pairs[at] = last;
    this.key = Math.floor(top / ITEMS);
    return top - this.key * ITEMS;
  }

  #grow(): void {
    const pairs = new Float64Array(2 * this.#pairs.length);
    pairs.set(this.#pairs);
    this.#pairs = pairs;
  }
}
