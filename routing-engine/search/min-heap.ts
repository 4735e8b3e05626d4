/**
 * A binary heap of (key, edge) on typed arrays that grow. Entries are never changed in place: whoever finds a better
 * key pushes again and skips what comes out stale.
 */
export class MinHeap {
  size = 0;
  #keys = new Float64Array(1024);
  #items = new Uint32Array(1024);

  clear(): void {
    this.size = 0;
  }

  /** Key of the least entry; Infinity when empty. */
  leastKey(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : this.#keys[0];
  }

  push(key: number, item: number): void {
    if (this.size === this.#keys.length) this.#grow();
    const keys = this.#keys;
    const items = this.#items;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (keys[parent] <= key) break;
      keys[at] = keys[parent];
      items[at] = items[parent];
      at = parent;
    }
    keys[at] = key;
    items[at] = item;
  }

  /** Takes out the least entry and returns its item; its key is `leastKey()` before. The heap must not be empty. */
  pop(): number {
    const keys = this.#keys;
    const items = this.#items;
    const top = items[0];
    const size = --this.size;
    const key = keys[size];
    const item = items[size];
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && keys[child + 1] < keys[child]) child++;
      if (keys[child] >= key) break;
      keys[at] = keys[child];
      items[at] = items[child];
      at = child;
    }
    keys[at] = key;
    items[at] = item;
    return top;
  }

  #grow(): void {
    const keys = new Float64Array(2 * this.#keys.length);
    keys.set(this.#keys);
    this.#keys = keys;
    const items = new Uint32Array(2 * this.#items.length);
    items.set(this.#items);
    this.#items = items;
  }
}
