import { mappedBuffer } from './mapped-buffer.js';

type Column = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array;

interface KindOf<Kind> {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): Kind;
  new (buffer: ArrayBuffer, byteOffset: number, length: number): Kind;
}

/**
 * Temporary columns of a build, by name. A long-running builder reuses the same memory for each build:
 * allocations outside of the engine's heap cause garbage collection, and the kernel must provide new pages. A
 * column holds what the last build left in it; no other code may use one of the same name at the same time.
 */
export class Scratch {
  readonly #columns: Map<string, Column> | undefined;

  /**
   * Without `reuse`, for a single build, each call allocates, and the memory of a column goes back to the
   * system after its last use.
   */
  constructor({ reuse = true }: { readonly reuse?: boolean } = {}) {
    this.#columns = reuse ? new Map() : undefined;
  }

  uint8(name: string, length: number): Uint8Array {
    return this.#column(name, length, Uint8Array);
  }

  uint16(name: string, length: number): Uint16Array {
    return this.#column(name, length, Uint16Array);
  }

  int32(name: string, length: number): Int32Array {
    return this.#column(name, length, Int32Array);
  }

  uint32(name: string, length: number): Uint32Array {
    return this.#column(name, length, Uint32Array);
  }

  float64(name: string, length: number): Float64Array {
    return this.#column(name, length, Float64Array);
  }

  #column<Kind extends Column>(name: string, length: number, kind: KindOf<Kind>): Kind {
    if (this.#columns === undefined) {
      const buffer = mappedBuffer(length * kind.BYTES_PER_ELEMENT);
      return new kind(buffer, 0, length);
    }
    // Maps grow, so an eighth is added. A column that is much too large is replaced, because a smaller map is
    // being built.
    const room = length + (length >>> 3) + 64;
    let column = this.#columns.get(name) as Kind | undefined;
    if (column === undefined || column.length < length || column.length > 4 * room) {
      column = new kind(room);
      this.#columns.set(name, column);
    }
    return column.subarray(0, length) as Kind;
  }
}
