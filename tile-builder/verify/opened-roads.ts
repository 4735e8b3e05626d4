import { mappedColumn } from '#map-data/lazy/mapped-column.js';
import { reserveArrays } from '#map-data/tiles/cell-columns.js';
import { CellFiller } from '#map-data/tiles/fill-cell.js';
import type { NetworkFrame } from '#map-data/tiles/network-frame.js';
import { type TileName, tileNamed } from '#map-data/tiles/tile-kinds.js';
import { corrupt, fetchTiles } from '#map-data/tiles/tile-source.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { CellsMissing } from '#routing-engine/network/cells-missing.js';
import type { NetworkArrays } from '#routing-engine/network/network-arrays.js';
import { RoadNetwork } from '#routing-engine/network/road-network.js';

/** Roads of a tileset; cells are loaded on demand and never released. Only loaded ones take memory. */
export class OpenedRoads {
  readonly network: RoadNetwork;
  readonly #objects: ObjectStore;
  readonly #frame: NetworkFrame;
  readonly #arrays: NetworkArrays;
  readonly #filler: CellFiller;

  constructor(objects: ObjectStore, frame: NetworkFrame) {
    this.#objects = objects;
    this.#frame = frame;
    this.#arrays = reserveArrays(frame, mappedColumn);
    this.#filler = new CellFiller(frame);
    this.network = new RoadNetwork(frame.meta, this.#arrays);
  }

  /** Throws `CorruptTileset` for a cell that is missing, damaged or inconsistent. */
  async load(cells: Iterable<number>): Promise<void> {
    const missing = [...new Set(cells)].filter((cell) => this.#arrays.loaded[cell] === 0);
    const tiles = missing.map((cell) => tileNamed(this.#frame.manifest, 'roads', cell));
    await fetchTiles(this.#objects, tiles, (tile, payload) => this.#fill(tile, payload));
  }

  /** Runs a query and loads the cells that it needs. */
  async ask<Answer>(question: (network: RoadNetwork) => Answer): Promise<Answer> {
    for (;;) {
      try {
        return question(this.network);
      } catch (error) {
        if (!(error instanceof CellsMissing)) throw error;
        await this.load(error.cells);
      }
    }
  }

  #fill({ key, index }: TileName, payload: Uint8Array): void {
    try {
      this.#filler.fill(this.#arrays, index, payload);
    } catch (cause) {
      if (cause instanceof RangeError) throw corrupt(key, cause.message, cause);
      throw cause;
    }
  }
}
