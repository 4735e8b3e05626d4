import type { TaggedWay } from '#osm/elements/map-elements.js';
import type { Box } from '#osm/polygons/ring-geometry.js';
import { oceanLayer } from '../format/layers.js';
import { ContentMixer } from './hashing/content-mixer.js';
import { type Sea, seaOf } from './sea/sea.js';
import { leafZoom, type SeaRow, SeaTree } from './sea/sea-tree.js';
import type { AffectedTiles } from './squares/affected-tiles.js';
import type { MapBuildCache } from './squares/map-build-cache.js';

/** The sea of an extract's coastlines; computed only on demand, or when a coast has changed. */
export class ExtractSea {
  /** Hash of all coastlines. */
  readonly coasts: string;
  readonly rows: readonly SeaRow[];
  /** Coasts that are not complete rings, and islands outside of any sea. */
  readonly broken: number;
  readonly #make: () => Sea;
  readonly #zoomMax: number;
  #sea: Sea | undefined;
  #tree: SeaTree | undefined;

  /**
   * @param box holds all coasts, 1e-7 degrees.
   * @param from the first zoom at which this sea is shown.
   * @param before of a map of the same bounds.
   */
  constructor(
    coasts: readonly TaggedWay[],
    box: Box,
    zooms: { from: number; zoomMax: number },
    before?: MapBuildCache,
  ) {
    this.coasts = hashOfCoasts(coasts);
    this.#make = () => seaOf(coasts, box);
    this.#zoomMax = zooms.zoomMax;
    const isSame = before?.coasts === this.coasts;
    this.rows = isSame ? before.sea : this.tree.rows(zooms.from);
    this.broken = isSame ? before.brokenCoasts : this.#made.broken;
  }

  get tree(): SeaTree {
    this.#tree ??= SeaTree.of(this.#made.polygons, this.#zoomMax);
    return this.#tree;
  }

  get #made(): Sea {
    this.#sea ??= this.#make();
    return this.#sea;
  }
}

function hashOfCoasts(coasts: readonly TaggedWay[]): string {
  const mixer = new ContentMixer();
  for (const { lngLatE7, ends } of coasts) {
    mixer.numbers(lngLatE7);
    mixer.id(ends[0]);
    mixer.id(ends[1]);
  }
  return `${coasts.length} ${mixer.a} ${mixer.b}`;
}

/** Marks the tiles in which the sea has changed. */
export function markSea(
  before: readonly SeaRow[],
  now: readonly SeaRow[],
  zoomMax: number,
  tiles: AffectedTiles,
): void {
  if (before === now) return;
  const [old, young] = [byTile(before), byTile(now)];
  for (const [rows, others] of [
    [before, young],
    [now, old],
  ] as const)
    for (const row of rows) {
      const other = others.get(`${row.z}/${row.x}/${row.y}`);
      if (other?.isAll !== row.isAll || other.a !== row.a || other.b !== row.b)
        tiles.markBelow(oceanLayer, row, row.isAll || row.z === leafZoom ? zoomMax : row.z);
    }
}

const byTile = (rows: readonly SeaRow[]): Map<string, SeaRow> =>
  new Map(rows.map((row) => [`${row.z}/${row.x}/${row.y}`, row]));
