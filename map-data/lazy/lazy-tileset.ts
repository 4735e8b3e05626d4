import type { ObjectStore } from '#platform/object-store/object-store.js';
import { CellsMissing } from '#routing-engine/network/cells-missing.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { CellFiller } from '../tiles/fill-cell.js';
import type { NetworkFrame } from '../tiles/network-frame.js';
import { tileNamed } from '../tiles/tile-kinds.js';
import { corrupt, fetchTiles } from '../tiles/tile-source.js';
import { Generation } from './generation.js';
import { limits } from './limits.js';

/** One query needs more memory than the bound: raise it, or request less. */
export class MemoryBoundTooSmall extends Error {
  override readonly name = 'MemoryBoundTooSmall';
}

export interface LazyStats {
  readonly cells: number;
  readonly cellsLoaded: number;
  readonly bytesMax: number;
  /** Memory of the roads of the current generation, in whole pages. */
  readonly bytes: number;
  /** Address space of the current generation; only loaded parts use memory. */
  readonly bytesReserved: number;
  /** Generations so far, the first included. */
  readonly generations: number;
  /** Tiles that were fetched since it was opened. */
  readonly tilesFetched: number;
}

/**
 * A road network with cells that are loaded on demand, within a bound on memory. Borders, overlay and the
 * other super tiles are in memory from the start.
 *
 * When the cells of a generation take more than the bound, a new one replaces it, with the most recently
 * requested cells. The old one is garbage after its last query; until then both use memory.
 *
 * ```ts
 * const route = await tileset.ask((network) => findRoute(network, metric, query));
 * ```
 */
export class LazyTileset {
  readonly #objects: ObjectStore;
  readonly #frame: NetworkFrame;
  readonly #filler: CellFiller;
  readonly #bytesMax: number;
  readonly #fetching = new Map<number, Promise<Uint8Array>>();
  readonly #listeners = new Set<(network: RoadNetwork) => void>();
  /** Cells in the order of their last request. */
  readonly #used = new Set<number>();
  #generation: Generation;
  #generations = 1;
  #tilesFetched = 0;

  constructor(objects: ObjectStore, frame: NetworkFrame, bytesMax: number) {
    this.#objects = objects;
    this.#frame = frame;
    this.#filler = new CellFiller(frame);
    this.#bytesMax = bytesMax;
    this.#generation = new Generation(frame);
  }

  /** The present generation. */
  get network(): RoadNetwork {
    return this.#generation.network;
  }

  /**
   * Loads cells and resolves with a network that has all of them. Rejects with `CorruptTileset` if a tile is
   * missing or damaged, also when fetched again, with `MemoryBoundTooSmall` when the cells alone exceed the
   * bound, and with a RangeError for a cell that does not exist.
   */
  async ensure(cells: Iterable<number>): Promise<RoadNetwork> {
    const wanted = [...new Set(cells)];
    for (const cell of wanted) {
      if (!(Number.isInteger(cell) && cell >= 0 && cell < this.network.cellCount))
        throw new RangeError(`the tileset has no cell ${cell}`);
      this.#used.delete(cell);
      this.#used.add(cell);
    }
    const payloads = new Map<number, Uint8Array>();
    for (;;) {
      const missing = wanted.filter((cell) => !this.#generation.has(cell) && !payloads.has(cell));
      if (missing.length === 0) break;
      // Another call may start a new generation meanwhile; cells that it dropped are fetched in the next
      // round.
      await this.#fetchAll(missing, payloads);
    }
    return this.#place(wanted, payloads);
  }

  /**
   * Repeats a query with the cells that it missed, until it has all. Errors other than `CellsMissing` are
   * thrown.
   */
  async ask<Answer>(question: (network: RoadNetwork) => Answer): Promise<Answer> {
    const needed = new Set<number>();
    for (let { network } = this; ; network = await this.ensure(needed)) {
      try {
        return question(network);
      } catch (error) {
        if (!(error instanceof CellsMissing)) throw error;
        const known = needed.size;
        for (const cell of error.cells) needed.add(cell);
        if (needed.size === known) throw error;
      }
    }
  }

  /** Called with each new generation before a query uses it. Returns the function that unsubscribes. */
  onGeneration(listener: (network: RoadNetwork) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stats(): LazyStats {
    return {
      cells: this.network.cellCount,
      cellsLoaded: this.#generation.cellsLoaded,
      bytesMax: this.#bytesMax,
      bytes: this.#generation.bytes,
      bytesReserved: this.#generation.bytesReserved,
      generations: this.#generations,
      tilesFetched: this.#tilesFetched,
    };
  }

  async #fetchAll(cells: readonly number[], into: Map<number, Uint8Array>): Promise<void> {
    let next = 0;
    const load = async (): Promise<void> => {
      for (let i = next++; i < cells.length; i = next++) into.set(cells[i], await this.#fetch(cells[i]));
    };
    await Promise.all(Array.from({ length: limits.getsAtOnce }, load));
  }

  /** Concurrent requests for a cell share one fetch. */
  #fetch(cell: number): Promise<Uint8Array> {
    let payload = this.#fetching.get(cell);
    if (payload === undefined) {
      this.#tilesFetched++;
      payload = fetchTiles(this.#objects, [tileNamed(this.#frame.manifest, 'roads', cell)])
        .then(([bytes]) => bytes)
        .finally(() => this.#fetching.delete(cell));
      this.#fetching.set(cell, payload);
    }
    return payload;
  }

  /** In one step, so that no reader sees an incomplete generation. */
  #place(wanted: readonly number[], payloads: ReadonlyMap<number, Uint8Array>): RoadNetwork {
    let target = this.#generation;
    if (!target.makeRoom(wanted, this.#bytesMax)) target = this.#renewed(wanted);
    const missing = wanted.filter((cell) => !target.has(cell));
    // A copied cell has its generation's data of adjacent edges, which may be less complete than an adjacent
    // tile: copies come first.
    for (const cell of missing) if (this.#generation.has(cell)) target.carry(this.#generation, cell);
    for (const cell of missing) {
      const payload = payloads.get(cell);
      if (!target.has(cell) && payload !== undefined) this.#fill(target, cell, payload);
    }
    if (target !== this.#generation) {
      this.#generation = target;
      this.#generations++;
      for (const listener of this.#listeners) listener(target.network);
    }
    return target.network;
  }

  /** A generation with space for the wanted cells, and the most recently used cells in it. */
  #renewed(wanted: readonly number[]): Generation {
    const fresh = new Generation(this.#frame);
    if (!fresh.makeRoom(wanted, this.#bytesMax))
      throw new MemoryBoundTooSmall(
        `${wanted.length} cells take more than the bound of ${this.#bytesMax} bytes; ` +
          'raise it or ask for a shorter way',
      );
    for (const cell of [...this.#used].reverse()) {
      if (!this.#generation.has(cell)) continue;
      if (!fresh.makeRoom([cell], limits.carriedShare * this.#bytesMax)) break;
      fresh.carry(this.#generation, cell);
    }
    return fresh;
  }

  #fill(target: Generation, cell: number, payload: Uint8Array): void {
    try {
      target.fill(this.#filler, cell, payload);
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw corrupt(tileNamed(this.#frame.manifest, 'roads', cell).key, cause.message, cause);
    }
  }
}
