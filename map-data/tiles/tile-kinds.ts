import type { TilesetManifest } from './manifest.js';

/**
 * Kinds of tiles: the roads of one cell of level 0; four that are in memory for the whole tileset (super
 * tiles): the edges between cells, the weights of the overlay at free flow, where the edges of a way are, and
 * what cells call their names, zones and parts; which cell each crossing belongs to, for the next build; and
 * the ids of the points between the crossings of one cell, for those who ask for them.
 */
export const tileKinds = ['roads', 'borders', 'weights', 'ways', 'numbers', 'partition', 'nodes'] as const;
export type TileKind = (typeof tileKinds)[number];

/** As the byte of the envelope says. */
export const kindByte: Readonly<Record<TileKind, number>> = {
  roads: 1,
  borders: 2,
  weights: 3,
  ways: 4,
  numbers: 5,
  partition: 6,
  nodes: 7,
};

/** A tile's name is the SHA-256 of its payload: tilesets share equal tiles. */
const tileKey = (kind: TileKind, sha256: string): string =>
  `tilesets/tiles/${sha256.slice(0, 2)}/${sha256.slice(2, 32)}.${kind}`;

/** A file of the tileset, with its metadata. */
export interface TileName {
  readonly kind: TileKind;
  /** Its number among those of its kind; of roads and nodes the cell. */
  readonly index: number;
  readonly key: string;
  readonly bytes: number;
  /** Of the payload. */
  readonly sha256: string;
}

export function tileNamed(manifest: TilesetManifest, kind: TileKind, index: number): TileName {
  const { bytes, sha256 } = manifest[kind]!;
  return { kind, index, key: tileKey(kind, sha256[index]), bytes: bytes[index], sha256: sha256[index] };
}

/** Empty where the tileset has no tiles of the kind. */
export const tilesOfKind = (manifest: TilesetManifest, kind: TileKind): TileName[] =>
  (manifest[kind]?.sha256 ?? []).map((_, index) => tileNamed(manifest, kind, index));
