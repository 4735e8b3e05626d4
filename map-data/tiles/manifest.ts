import { createHash } from 'node:crypto';
import type { EdgeHours, EdgeLimits } from '#routing-engine/network/network-arrays.js';
import type { TurnProfile } from './turn-profile.js';

/**
 * The content of a tileset; `tilesets/<id>/manifest.json`. Lists are by cell of level 0, in order. Tiles are
 * stored next to it, by content: `tileNamed`.
 */
export interface TilesetManifest {
  readonly format: 'meridian-tileset';
  readonly version: 4 | 5 | 6;
  readonly tilesetId: string;
  readonly attribution: string;
  /** Version of the builder: tilesets of other versions cannot be compared cell by cell. */
  readonly builder: number;
  readonly drivingSide: 'right' | 'left';
  /** west, south, east, north in degrees. */
  readonly bounds: readonly [number, number, number, number];
  /** By mode, in the order of `travelModes`; before version 6 none for trucks. */
  readonly turns: readonly TurnProfile[];
  /** Names in the whole tileset, the empty one included. */
  readonly nameCount: number;
  /** The size of each cell's part of each column; sums of them give its start. */
  readonly counts: Readonly<Record<CellCount, readonly number[]>>;
  /**
   * West, south, east, north of each cell in 1e-7 degrees: of its nodes and of the road pieces that it
   * stores.
   */
  readonly cellBounds: readonly number[];
  /** Union of the flags of the cell's edges. */
  readonly cellFlags: readonly number[];
  /** Pairs of zone and cell, ascending, of the zones of ends-only roads that lie in more than one cell. */
  readonly zoneCells: readonly number[];
  /** From version 5 on: roads and turns that are open at some hours. */
  readonly hours?: readonly EdgeHours[];
  /** From version 6 on: roads with limits of size, weight or load. */
  readonly limits?: readonly EdgeLimits[];
  /** From level 1 up: how many cells of the level below each cell holds. */
  readonly children: readonly (readonly number[])[];
  readonly roads: TileList;
  readonly borders: TileList;
  readonly weights: TileList;
  readonly ways: TileList;
  readonly numbers: TileList;
  readonly partition: TileList;
  /** From version 6 on. */
  readonly nodes?: TileList;
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
  /** Of the payload, hexadecimal. */
  readonly sha256: readonly string[];
}

export const manifestKey = (tilesetId: string): string => `tilesets/${tilesetId}/manifest.json`;

/** JSON after its SHA-256: a changed manifest must not change routes. */
export function encodeManifest(manifest: TilesetManifest): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ sha256: digest(manifest), ...manifest })}\n`);
}

/** Throws an Error that says what is wrong with the bytes. */
export function decodeManifest(bytes: Uint8Array, tilesetId: string): TilesetManifest {
  let json: TilesetManifest & { readonly sha256?: unknown };
  try {
    json = JSON.parse(new TextDecoder().decode(bytes)) as typeof json;
  } catch (cause) {
    throw new Error('it is not JSON', { cause });
  }
  if (json?.format !== 'meridian-tileset' || ![4, 5, 6].includes(json.version))
    throw new Error('it is not the manifest of a tileset in a version that this program reads');
  const { sha256, ...manifest } = json;
  if (digest(manifest) !== sha256) throw new Error('its checksum does not match');
  if (manifest.tilesetId !== tilesetId) throw new Error('it is the manifest of another tileset');
  return manifest;
}

const digest = (manifest: TilesetManifest): string =>
  createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
