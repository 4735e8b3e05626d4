import type { NetworkArrays } from '#routing-engine/network/network-arrays.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';
import { sharedUint8, sharedUint32 } from '../arrays/shared-array.js';
import type { CellCount } from './manifest.js';
import type { CellOffsets, NetworkFrame, ResidentArrays } from './network-frame.js';

/** The arrays of which a cell's roads fill a part. */
export type CellColumns = Omit<NetworkArrays, keyof ResidentArrays | 'loaded' | 'nameAt'>;

interface Column {
  readonly type: {
    new (buffer: SharedArrayBuffer, byteOffset: number, length: number): CellColumns[keyof CellColumns];
    readonly BYTES_PER_ELEMENT: number;
  };
  readonly per: CellCount;
  /** Consecutive numbers per item. */
  readonly width?: number;
  /** Rows of the whole length, one for each mode. */
  readonly rows?: number;
  /** One more number at the end: the part of an item ends where the next one starts. */
  readonly fenced?: true;
}

const modes = travelModes.length;

const columns: Readonly<Record<keyof CellColumns, Column>> = {
  nodeLngE7: { type: Int32Array, per: 'nodes' },
  nodeLatE7: { type: Int32Array, per: 'nodes' },
  nodeOsmId: { type: Float64Array, per: 'nodes' },
  firstOut: { type: Uint32Array, per: 'nodes', fenced: true },
  firstIn: { type: Uint32Array, per: 'nodes', fenced: true },
  turnTable: { type: Uint32Array, per: 'nodes', rows: modes },
  turnCostsDs: { type: Uint8Array, per: 'turnBytes' },
  tail: { type: Uint32Array, per: 'edges' },
  head: { type: Uint32Array, per: 'edges' },
  inEdges: { type: Uint32Array, per: 'inEdges' },
  inRank: { type: Uint16Array, per: 'edges' },
  lengthCm: { type: Uint32Array, per: 'edges' },
  flags: { type: Uint32Array, per: 'edges' },
  roadClass: { type: Uint8Array, per: 'edges' },
  speedKph: { type: Uint8Array, per: 'edges', rows: modes },
  zone: { type: Uint32Array, per: 'edges', rows: modes },
  part: { type: Uint32Array, per: 'edges', rows: modes },
  bearingOut: { type: Uint8Array, per: 'edges' },
  bearingIn: { type: Uint8Array, per: 'edges' },
  reverse: { type: Int32Array, per: 'edges' },
  copyOf: { type: Uint32Array, per: 'edges' },
  wayId: { type: Float64Array, per: 'edges' },
  ordinal: { type: Uint8Array, per: 'edges' },
  name: { type: Uint32Array, per: 'edges' },
  ref: { type: Uint32Array, per: 'edges' },
  piece: { type: Uint32Array, per: 'edges' },
  firstShape: { type: Uint32Array, per: 'pieces', fenced: true },
  shapeLngE7: { type: Int32Array, per: 'shapePoints' },
  shapeLatE7: { type: Int32Array, per: 'shapePoints' },
  pieceEdge: { type: Uint32Array, per: 'pieces' },
  pieceSign: { type: Uint32Array, per: 'pieces' },
  nameBytes: { type: Uint8Array, per: 'nameBytes' },
  snapBoxes: { type: Int32Array, per: 'snapRows', width: 4 },
  snapPiece: { type: Uint32Array, per: 'snapRows' },
};

const named = Object.entries(columns) as readonly [keyof CellColumns, Column][];

/** Memory for a column, all zero; the column lies at its begin. */
export type ColumnBuffer = (column: keyof CellColumns, bytes: number) => SharedArrayBuffer;

/** Arrays for all cells of the frame, with none loaded. */
export function reserveArrays(
  { manifest, offsets, resident }: NetworkFrame,
  bufferOf: ColumnBuffer = (_, bytes) => new SharedArrayBuffer(bytes),
): NetworkArrays {
  const reserved = Object.fromEntries(
    named.map(([name, { type, per, width = 1, rows = 1, fenced }]) => {
      const length = rows * width * last(offsets[per]) + (fenced === true ? 1 : 0);
      return [name, new type(bufferOf(name, length * type.BYTES_PER_ELEMENT), 0, length)];
    }),
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

/** The position of a cell in all columns. */
export function cellParts(offsets: CellOffsets, cell: number): ColumnPart[] {
  return named.flatMap(([column, { type, per, width = 1, rows = 1, fenced }]) => {
    const each = width * type.BYTES_PER_ELEMENT;
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

/** The numbers that columns have for one edge or node, as runs of bytes. */
export function itemParts(offsets: CellOffsets, per: 'nodes' | 'edges', item: number): ColumnPart[] {
  return named
    .filter(([, column]) => column.per === per)
    .flatMap(([column, { type, rows = 1 }]) =>
      Array.from({ length: rows }, (_, row) => {
        const firstByte = (row * last(offsets[per]) + item) * type.BYTES_PER_ELEMENT;
        return { column, firstByte, endByte: firstByte + type.BYTES_PER_ELEMENT };
      }),
    );
}

const last = (sums: Uint32Array): number => sums[sums.length - 1];
