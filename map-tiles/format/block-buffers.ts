/**
 * Memory for the blocks of a long-running builder: buffers of unused blocks are reused. Otherwise, several
 * megabytes per build would cause a full garbage collection every few builds.
 */
export class BlockBuffers {
  #spare: Buffer[] = [];
  /** Buffers from elsewhere may still be read by others. */
  readonly #own = new WeakSet<ArrayBufferLike>();

  /** A buffer of this many bytes, not cleared. */
  take(bytes: number): Buffer {
    let best = -1;
    for (const [i, { length }] of this.#spare.entries())
      if (length >= bytes && length <= 4 * bytes && (best < 0 || length < this.#spare[best]!.length))
        best = i;
    const [found = this.#make(bytes + (bytes >>> 3))] = best < 0 ? [] : this.#spare.splice(best, 1);
    return found.subarray(0, bytes);
  }

  /** The blocks are no longer read; buffers that were returned before are left to the garbage collector. */
  release(blocks: Iterable<Uint8Array>): void {
    this.#spare = [];
    for (const { buffer } of blocks) if (this.#own.has(buffer)) this.#spare.push(Buffer.from(buffer));
  }

  #make(bytes: number): Buffer {
    const buffer = Buffer.allocUnsafeSlow(bytes);
    this.#own.add(buffer.buffer);
    return buffer;
  }
}
