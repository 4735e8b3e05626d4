import type { NetworkArrays } from '#routing-engine/network-arrays.js';
import { travelModes } from '#routing-engine/travel-mode.js';
import type { CellCount } from './manifest.js';
import type { CellOffsets, NetworkFrame, ResidentArrays } from './network-frame.js';
import { sharedFloat64, sharedInt32, sharedUint8, sharedUint16, sharedUint32 } from './shared-array.js';

/** The arrays that the roads of a cell fill a part of. */
export type CellColumns = Omit<NetworkArrays, keyof ResidentArrays | 'loaded' | 'nameAt'>;

interface Column {
  readonly make: (length: number) => CellColumns[keyof CellColumns];
  readonly per: CellCount;
  /** Numbers side by side for one thing. */
  readonly width?: number;
  /** Rows of the whole length, one for each mode. */
  readonly rows?: number;
  /** One more number at the end: where the part of a thing ends is where that of the next begins. */
  readonly fenced?: true;
}

const modes = travelModes.length;

const columns: Readonly<Record<keyof CellColumns, Column>> = {
  nodeLngE7: { make: sharedInt32, per: 'nodes' },
  nodeLatE7: { make: sharedInt32, per: 'nodes' },
  nodeOsmId: { make: sharedFloat64, per: 'nodes' },
  firstOut: { make: sharedUint32, per: 'nodes', fenced: true },
  firstIn: { make: sharedUint32, per: 'nodes', fenced: true },
  turnTable: { make: sharedUint32, per: 'nodes', rows: modes },
  turnCostsDs: { make: sharedUint8, per: 'turnBytes' },
  tail: { make: sharedUint32, per: 'edges' },
  head: { make: sharedUint32, per: 'edges' },
  inEdges: { make: sharedUint32, per: 'inEdges' },
  inRank: { make: sharedUint16, per: 'edges' },
  lengthCm: { make: sharedUint32, per: 'edges' },
  flags: { make: sharedUint16, per: 'edges' },
  roadClass: { make: sharedUint8, per: 'edges' },
  speedKph: { make: sharedUint8, per: 'edges', rows: modes },
  zone: { make: sharedUint32, per: 'edges', rows: modes },
  part: { make: sharedUint32, per: 'edges', rows: modes },
  bearingOut: { make: sharedUint8, per: 'edges' },
  bearingIn: { make: sharedUint8, per: 'edges' },
  reverse: { make: sharedInt32, per: 'edges' },
  copyOf: { make: sharedUint32, per: 'edges' },
  wayId: { make: sharedFloat64, per: 'edges' },
  ordinal: { make: sharedUint8, per: 'edges' },
  name: { make: sharedUint32, per: 'edges' },
  ref: { make: sharedUint32, per: 'edges' },
  piece: { make: sharedUint32, per: 'edges' },
  firstShape: { make: sharedUint32, per: 'pieces', fenced: true },
  shapeLngE7: { make: sharedInt32, per: 'shapePoints' },
  shapeLatE7: { make: sharedInt32, per: 'shapePoints' },
  pieceEdge: { make: sharedUint32, per: 'pieces' },
  nameBytes: { make: sharedUint8, per: 'nameBytes' },
  snapBoxes: { make: sharedInt32, per: 'snapRows', width: 4 },
  snapPiece: { make: sharedUint32, per: 'snapRows' },
};

const named = Object.entries(columns) as readonly [keyof CellColumns, Column][];

/** Arrays for all cells of the tileset, with none loaded. What is reserved takes no memory before it is written. */
export function reserveArrays({ manifest, offsets, resident }: NetworkFrame): NetworkArrays {
  const reserved = Object.fromEntries(
    named.map(([name, { make, per, width = 1, rows = 1, fenced }]) => [
      name,
      make(rows * width * last(offsets[per]) + (fenced === true ? 1 : 0)),
    ]),
  ) as unknown as CellColumns;
  const cells = offsets.nodes.length - 1;
  return { ...resident, ...reserved, nameAt: sharedUint32(manifest.nameCount), loaded: sharedUint8(cells) };
}

/** A run of bytes in a column. */
export interface ColumnPart {
  readonly column: keyof CellColumns;
  readonly firstByte: number;
  readonly endByte: number;
}

/** Where a cell lies in all columns. */
export function cellParts(offsets: CellOffsets, cell: number): ColumnPart[] {
  return named.flatMap(([column, { make, per, width = 1, rows = 1, fenced }]) => {
    const each = width * make(0).BYTES_PER_ELEMENT;
    return Array.from({ length: rows }, (_, row) => {
      const before = row * last(offsets[per]);
      const end = offsets[per][cell + 1] + (fenced === true ? 1 : 0);
      return {
        column,
        firstByte: (before + offsets[per][cell]) * each,
        endByte: (before + end) * each,
      };
    });
  });
}

/** Columns that have a number for each edge, with the rows that they have. */
export const edgeColumns = named
  .filter(([, { per }]) => per === 'edges')
  .map(([column, { rows = 1 }]) => ({ column, rows }));

const last = (sums: Uint32Array): number => sums[sums.length - 1];
