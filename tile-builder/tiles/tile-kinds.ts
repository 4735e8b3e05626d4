import type { TilesetManifest } from './manifest.js';

/**
 * Kinds of tiles: the roads of one cell of level 0, and three that are in memory for the whole tileset (super tiles):
 * the edges between cells, the weights of the overlay at free flow, and where the edges of a way are.
 */
export const tileKinds = ['roads', 'borders', 'weights', 'ways'] as const;
export type TileKind = (typeof tileKinds)[number];

/** As the byte of the envelope says. */
export const kindByte: Readonly<Record<TileKind, number>> = { roads: 1, borders: 2, weights: 3, ways: 4 };

/** Tile number `index` of a kind; of roads it is the cell. */
export const tileKey = (tilesetId: string, kind: TileKind, index: number): string =>
  kind === 'roads' ? `tilesets/${tilesetId}/0/${index}.road` : `tilesets/${tilesetId}/super/${index}.${kind}`;

/** A file of the tileset, with what is known of it. */
export interface TileName {
  readonly kind: TileKind;
  readonly index: number;
  readonly key: string;
  readonly bytes: number;
  readonly sha256: string;
}

export function tileNamed(manifest: TilesetManifest, kind: TileKind, index: number): TileName {
  const { bytes, sha256 } = manifest[kind];
  return {
    kind,
    index,
    key: tileKey(manifest.tilesetId, kind, index),
    bytes: bytes[index],
    sha256: sha256[index],
  };
}

export const tilesOfKind = (manifest: TilesetManifest, kind: TileKind): TileName[] =>
  manifest[kind].sha256.map((_, index) => tileNamed(manifest, kind, index));
