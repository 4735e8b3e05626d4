import type { TurnProfile } from '../profiles/profile.js';

/** What a tileset consists of; `tilesets/<id>/manifest.json`. */
export interface TilesetManifest {
  readonly format: 'meridian-tileset';
  readonly version: 1;
  readonly tilesetId: string;
  readonly attribution: string;
  readonly drivingSide: 'right' | 'left';
  /** west, south, east, north in degrees. */
  readonly bounds: readonly [number, number, number, number];
  readonly nodeCount: number;
  readonly edgeCount: number;
  readonly pieceCount: number;
  readonly shapePointCount: number;
  /** By mode, in the order of `travelModes`. */
  readonly turns: readonly TurnProfile[];
  /** Cells of level 0, in order. */
  readonly cells: readonly ManifestCell[];
  /** From level 1 up: by cell of level 0, the cell of that level that holds it. */
  readonly ancestors: readonly (readonly number[])[];
}

export interface ManifestCell {
  readonly nodes: number;
  readonly edges: number;
  readonly adjacent: readonly number[];
  readonly road: ManifestTile;
  readonly label: ManifestTile;
}

export interface ManifestTile {
  readonly bytes: number;
  /** SHA-256 of the file, hexadecimal. */
  readonly sha256: string;
}

export const manifestKey = (tilesetId: string): string => `tilesets/${tilesetId}/manifest.json`;
export const roadKey = (tilesetId: string, cell: number): string => `tilesets/${tilesetId}/0/${cell}.road`;
export const labelKey = (tilesetId: string, cell: number): string => `tilesets/${tilesetId}/0/${cell}.label`;
/** Holds the id of the tileset that serves. */
export const currentKey = 'tilesets/current';
