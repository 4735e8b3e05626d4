import type { TurnProfile } from '../profiles/profile.js';

/** What a tileset consists of; `tilesets/<id>/manifest.json`. Lists are by cell of level 0, in order. */
export interface TilesetManifest {
  readonly format: 'meridian-tileset';
  readonly version: 2;
  readonly tilesetId: string;
  readonly attribution: string;
  readonly drivingSide: 'right' | 'left';
  /** west, south, east, north in degrees. */
  readonly bounds: readonly [number, number, number, number];
  /** By mode, in the order of `travelModes`. */
  readonly turns: readonly TurnProfile[];
  /** Names in the whole tileset, the empty one included. */
  readonly nameCount: number;
  /** How much of each column a cell fills; sums of them are where it begins. */
  readonly counts: Readonly<Record<CellCount, readonly number[]>>;
  /** West, south, east, north of each cell in 1e-7 degrees: of its nodes and of the road pieces that it stores. */
  readonly cellBounds: readonly number[];
  /** Union of the flags of the cell's edges. */
  readonly cellFlags: readonly number[];
  /** Pairs of zone and cell, ascending, of the zones of ends-only roads that lie in more than one cell. */
  readonly zoneCells: readonly number[];
  /** From level 1 up: how many cells of the level below each cell holds. */
  readonly children: readonly (readonly number[])[];
  readonly roads: TileList;
  readonly borders: TileList;
  readonly weights: TileList;
  readonly ways: TileList;
}

/** `snapRows`: runs of segments, and one more for every sixteen of them begun. */
export const cellCounts = [
  'nodes',
  'edges',
  'inEdges',
  'pieces',
  'shapePoints',
  'nameBytes',
  'turnBytes',
  'snapRows',
] as const;
export type CellCount = (typeof cellCounts)[number];

/** Files of one kind, in order. */
export interface TileList {
  readonly bytes: readonly number[];
  /** Of the file, hexadecimal. */
  readonly sha256: readonly string[];
}

export const manifestKey = (tilesetId: string): string => `tilesets/${tilesetId}/manifest.json`;
/** Holds the id of the tileset that serves. */
export const currentKey = 'tilesets/current';
