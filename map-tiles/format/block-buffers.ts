/**
 * Memory for the blocks of a builder that stays: that of blocks which no map shows any more is filled again.
 * Several megabytes in each build would set off a collection of everything each few builds.
 */
export class BlockBuffers {
  #spare: Buffer[] = [];
  /** Buffers from elsewhere may still be read by others. */
  readonly #own = new WeakSet<ArrayBufferLike>();

  /** So many bytes; what they hold is not cleared. */
  take(bytes: number): Buffer {
    let best = -1;
    for (const [i, { length }] of this.#spare.entries())
      if (length >= bytes && length <= 4 * bytes && (best < 0 || length < this.#spare[best]!.length))
        best = i;
    const [found = this.#make(bytes + (bytes >>> 3))] = best < 0 ? [] : this.#spare.splice(best, 1);
    return found.subarray(0, bytes);
  }

  /** The blocks are no longer read; buffers that were returned before are left to the garbage collector. */
  giveBack(blocks: Iterable<Uint8Array>): void {
    this.#spare = [];
    for (const { buffer } of blocks) if (this.#own.has(buffer)) this.#spare.push(Buffer.from(buffer));
  }

  #make(bytes: number): Buffer {
    const buffer = Buffer.allocUnsafeSlow(bytes);
    this.#own.add(buffer.buffer);
    return buffer;
  }
}
