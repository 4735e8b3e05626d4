import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { PathNodes } from '#routing-engine/route/path-nodes.js';
import type { TilesetManifest } from './manifest.js';
import { decodeShapeNodes } from './node-tiles.js';
import { tileNamed } from './tile-kinds.js';
import { corrupt, fetchTiles, readManifest } from './tile-source.js';

/** Cells whose ids are in memory at the same time; a cell has some thousand points. */
const CELLS_KEPT = 256;

/**
 * The OpenStreetMap ids of points between crossings. They are fetched by cell when a query asks for them, and
 * the most recently used are kept.
 */
export class ShapeNodes {
  readonly #objects: ObjectStore;
  readonly #manifest: TilesetManifest;
  /** [cells+1] first point of each cell. */
  readonly #firstPoint: Float64Array;
  /** In the order of their last use. */
  readonly #cells = new Map<number, Promise<Float64Array>>();

  private constructor(objects: ObjectStore, manifest: TilesetManifest) {
    this.#objects = objects;
    this.#manifest = manifest;
    const { shapePoints } = manifest.counts;
    this.#firstPoint = new Float64Array(shapePoints.length + 1);
    for (const [cell, count] of shapePoints.entries())
      this.#firstPoint[cell + 1] = this.#firstPoint[cell] + count;
  }

  /**
   * Undefined for a tileset of an older builder, which has no such ids. Throws `TilesetNotFound` or
   * `CorruptTileset`.
   */
  static async open(objects: ObjectStore, tilesetId: string): Promise<ShapeNodes | undefined> {
    const manifest = await readManifest(objects, tilesetId);
    return manifest.nodes === undefined ? undefined : new ShapeNodes(objects, manifest);
  }

  /** The ids of the nodes of a path. Rejects with `CorruptTileset`. */
  async idsOf({ ids, points }: PathNodes): Promise<number[]> {
    const known = Array.from(ids);
    let cell = -1;
    let ofCell: Float64Array = new Float64Array();
    for (let at = 0; at < known.length; at++) {
      if (points[at] === 0) continue;
      const point = points[at] - 1;
      if (cell < 0 || point < this.#firstPoint[cell] || point >= this.#firstPoint[cell + 1]) {
        cell = this.#cellOf(point);
        ofCell = await this.#cell(cell);
      }
      known[at] = ofCell[point - this.#firstPoint[cell]];
    }
    return known;
  }

  #cellOf(point: number): number {
    let low = 0;
    let high = this.#firstPoint.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#firstPoint[middle] <= point) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #cell(cell: number): Promise<Float64Array> {
    const ids = this.#cells.get(cell) ?? this.#fetch(cell);
    this.#cells.delete(cell);
    this.#cells.set(cell, ids);
    for (const oldest of this.#cells.keys()) {
      if (this.#cells.size <= CELLS_KEPT) break;
      this.#cells.delete(oldest);
    }
    return ids;
  }

  async #fetch(cell: number): Promise<Float64Array> {
    const tile = tileNamed(this.#manifest, 'nodes', cell);
    try {
      const [payload] = await fetchTiles(this.#objects, [tile]);
      return decodeShapeNodes(payload, this.#manifest.counts.shapePoints[cell]);
    } catch (cause) {
      this.#cells.delete(cell);
      if (cause instanceof RangeError) throw corrupt(tile.key, cause.message, cause);
      throw cause;
    }
  }
}

/** Fetches all ids, and checks them. Throws `CorruptTileset`. */
export async function checkShapeNodes(objects: ObjectStore, manifest: TilesetManifest): Promise<void> {
  for (const cell of manifest.nodes?.sha256.keys() ?? []) {
    const tile = tileNamed(manifest, 'nodes', cell);
    const [payload] = await fetchTiles(objects, [tile]);
    try {
      decodeShapeNodes(payload, manifest.counts.shapePoints[cell]);
    } catch (cause) {
      throw corrupt(tile.key, (cause as Error).message, cause);
    }
  }
}
