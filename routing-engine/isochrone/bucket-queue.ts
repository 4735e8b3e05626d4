/** Keys of one bucket: fewer milliseconds than most roads take, so hardly any road is left twice. */
const WIDTH_BITS = 8;
const NONE = -1;

/**
 * Pairs of key and item in buckets of 256 keys (Dial 1969). A pair leaves in the order of the buckets, within
 * one in any order: a search that uses it corrects labels that were not final. Keys are integers that are not
 * negative, and none is pushed below the bucket that is being emptied.
 */
export class BucketQueue {
  size = 0;
  /** Of the pair that `pop` took last. */
  key = 0;
  /** By bucket: its first pair. */
  #first = new Int32Array(4_096).fill(NONE);
  #bucket = 0;
  /** Buckets from here on have been empty since `clear`. */
  #end = 0;
  /** By pair. */
  #keys = new Int32Array(4_096);
  #items = new Int32Array(4_096);
  #next = new Int32Array(4_096);
  #pairs = 0;

  clear(): void {
    this.#first.fill(NONE, 0, this.#end);
    this.#bucket = 0;
    this.#end = 0;
    this.#pairs = 0;
    this.size = 0;
  }

  /** A bound of all keys; the queue must not be empty. */
  leastKey(): number {
    while (this.#first[this.#bucket] === NONE) this.#bucket++;
    return this.#bucket << WIDTH_BITS;
  }

  push(key: number, item: number): void {
    const bucket = key >>> WIDTH_BITS;
    if (bucket >= this.#first.length) this.#addBuckets(bucket);
    if (bucket >= this.#end) this.#end = bucket + 1;
    const pair = this.#pairs++;
    if (pair === this.#keys.length) this.#addPairs();
    this.#keys[pair] = key;
    this.#items[pair] = item;
    this.#next[pair] = this.#first[bucket];
    this.#first[bucket] = pair;
    this.size++;
  }

  /** Removes a pair of the first bucket and returns its item. The queue must not be empty. */
  pop(): number {
    while (this.#first[this.#bucket] === NONE) this.#bucket++;
    const pair = this.#first[this.#bucket];
    this.#first[this.#bucket] = this.#next[pair];
    this.size--;
    this.key = this.#keys[pair];
    return this.#items[pair];
  }

  #addBuckets(bucket: number): void {
    const first = new Int32Array(Math.max(2 * this.#first.length, bucket + 1)).fill(NONE);
    first.set(this.#first);
    this.#first = first;
  }

  #addPairs(): void {
    const longer = (numbers: Int32Array): Int32Array<ArrayBuffer> => {
      const all = new Int32Array(2 * numbers.length);
      all.set(numbers);
      return all;
    };
    this.#keys = longer(this.#keys);
    this.#items = longer(this.#items);
    this.#next = longer(this.#next);
  }
}
