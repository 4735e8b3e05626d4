import type { TilesetManifest } from './manifest.js';

const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);
export const sharedUint8 = (length: number) => new Uint8Array(shared(length));
export const sharedUint16 = (length: number) => new Uint16Array(shared(2 * length));
export const sharedUint32 = (length: number) => new Uint32Array(shared(4 * length));
export const sharedInt32 = (length: number) => new Int32Array(shared(4 * length));
export const sharedFloat64 = (length: number) => new Float64Array(shared(8 * length));

/** The columns that tiles fill directly; the others follow from them. */
export interface NetworkUnderAssembly {
  readonly nodeLngE7: Int32Array;
  readonly nodeLatE7: Int32Array;
  readonly nodeOsmId: Float64Array;
  readonly nodeFlags: Uint8Array;
  readonly firstOut: Uint32Array;
  readonly tail: Uint32Array;
  readonly head: Uint32Array;
  readonly lengthCm: Uint32Array;
  readonly flags: Uint16Array;
  readonly roadClass: Uint8Array;
  readonly speedKph: Uint8Array;
  readonly bearingOut: Uint8Array;
  readonly bearingIn: Uint8Array;
  readonly reverse: Int32Array;
  readonly copyOf: Uint32Array;
  readonly wayId: Float64Array;
  readonly ordinal: Uint8Array;
  readonly name: Uint32Array;
  readonly ref: Uint32Array;
  readonly piece: Uint32Array;
  readonly firstShape: Uint32Array;
  readonly shapeLngE7: Int32Array;
  readonly shapeLatE7: Int32Array;
  readonly pieceEdge: Uint32Array;
  readonly cellFirstNode: Uint32Array;
  readonly cellFirstEdge: Uint32Array;
  /** Quadruples: node, rank among its in-edges, rank among its out-edges, modes. */
  readonly forbidden: number[];
  /** Edges whose `reverse` still is a rank among the out-edges of their head, plus one. */
  readonly names: Map<string, number>;
  pieces: number;
  shapes: number;
}

export function startAssembly(manifest: TilesetManifest): NetworkUnderAssembly {
  const { nodeCount, edgeCount, pieceCount, shapePointCount, cells } = manifest;
  const cellFirstNode = sharedUint32(cells.length + 1);
  const cellFirstEdge = sharedUint32(cells.length + 1);
  for (const [cell, { nodes, edges }] of cells.entries()) {
    cellFirstNode[cell + 1] = cellFirstNode[cell] + nodes;
    cellFirstEdge[cell + 1] = cellFirstEdge[cell] + edges;
  }
  const firstOut = sharedUint32(nodeCount + 1);
  firstOut[nodeCount] = edgeCount;
  return {
    nodeLngE7: sharedInt32(nodeCount),
    nodeLatE7: sharedInt32(nodeCount),
    nodeOsmId: sharedFloat64(nodeCount),
    nodeFlags: sharedUint8(nodeCount),
    firstOut,
    tail: sharedUint32(edgeCount),
    head: sharedUint32(edgeCount),
    lengthCm: sharedUint32(edgeCount),
    flags: sharedUint16(edgeCount),
    roadClass: sharedUint8(edgeCount),
    speedKph: sharedUint8(3 * edgeCount),
    bearingOut: sharedUint8(edgeCount),
    bearingIn: sharedUint8(edgeCount),
    reverse: sharedInt32(edgeCount),
    copyOf: sharedUint32(edgeCount),
    wayId: sharedFloat64(edgeCount),
    ordinal: sharedUint8(edgeCount),
    name: sharedUint32(edgeCount),
    ref: sharedUint32(edgeCount),
    piece: sharedUint32(edgeCount),
    firstShape: sharedUint32(pieceCount + 1),
    shapeLngE7: sharedInt32(shapePointCount),
    shapeLatE7: sharedInt32(shapePointCount),
    pieceEdge: sharedUint32(pieceCount),
    cellFirstNode,
    cellFirstEdge,
    forbidden: [],
    names: new Map([['', 0]]),
    pieces: 0,
    shapes: 0,
  };
}
