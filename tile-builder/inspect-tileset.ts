import { openTileset, wantedTilesetId } from '#map-data/open-tileset.js';
import { checkShapeNodes } from '#map-data/tiles/shape-nodes.js';
import { type TileKind, tileKinds, tilesOfKind } from '#map-data/tiles/tile-kinds.js';
import { readManifest } from '#map-data/tiles/tile-source.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { readPartition } from './tiles/previous-tileset.js';

export interface TilesOfKind {
  readonly tiles: number;
  readonly bytes: number;
  readonly largest: { readonly key: string; readonly bytes: number } | undefined;
}

/** The content of a tileset, from its manifest. */
export interface TilesetSummary {
  readonly tilesetId: string;
  readonly formatVersion: number;
  /** west, south, east, north in degrees. */
  readonly bounds: readonly [number, number, number, number];
  readonly drivingSide: 'right' | 'left';
  readonly nodes: number;
  readonly edges: number;
  /** Cells by level, the finest first. */
  readonly levels: readonly number[];
  readonly edgesPerCell: { readonly least: number; readonly most: number };
  readonly bytes: number;
  readonly kinds: Readonly<Record<TileKind, TilesOfKind>>;
}

/**
 * Reads the manifest only; without an id that of the current tileset. Throws `TilesetNotFound` or
 * `CorruptTileset`.
 */
export async function inspectTileset(objects: ObjectStore, tilesetId?: string): Promise<TilesetSummary> {
  const manifest = await readManifest(objects, await wantedTilesetId(objects, tilesetId));
  const { counts, children } = manifest;
  const kinds = Object.fromEntries(
    tileKinds.map((kind): [TileKind, TilesOfKind] => {
      const tiles = tilesOfKind(manifest, kind);
      let largest: TilesOfKind['largest'];
      for (const { key, bytes } of tiles) if (bytes > (largest?.bytes ?? 0)) largest = { key, bytes };
      return [kind, { tiles: tiles.length, bytes: sum(tiles.map(({ bytes }) => bytes)), largest }];
    }),
  ) as Record<TileKind, TilesOfKind>;
  return {
    tilesetId: manifest.tilesetId,
    formatVersion: manifest.version,
    bounds: manifest.bounds,
    drivingSide: manifest.drivingSide,
    nodes: sum(counts.nodes),
    edges: sum(counts.edges),
    levels: [counts.nodes.length, ...children.map((level) => level.length)],
    edgesPerCell: { least: extreme(counts.edges, Math.min), most: extreme(counts.edges, Math.max) },
    bytes: sum(Object.values(kinds).map(({ bytes }) => bytes)),
    kinds,
  };
}

/**
 * Fetches every tile, that of the next build too, and checks every byte of it. Throws `TilesetNotFound` or
 * `CorruptTileset`.
 */
export async function verifyTileset(objects: ObjectStore, tilesetId: string): Promise<void> {
  await openTileset(objects, tilesetId);
  await readPartition(objects, tilesetId);
  await checkShapeNodes(objects, await readManifest(objects, tilesetId));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const extreme = (numbers: readonly number[], pick: (a: number, b: number) => number): number =>
  numbers.reduce((a, b) => pick(a, b), numbers[0] ?? 0);
