import Flatbush from 'flatbush';
import { edgeFlag } from './edge-flags.js';
import type { NetworkArrays } from './network-arrays.js';

/** Segments that one item of the index covers: long roads get several small boxes instead of one large one. */
const SEGMENTS_PER_ITEM = 8;

type Shapes = Pick<
  NetworkArrays,
  | 'firstShape'
  | 'shapeLngE7'
  | 'shapeLatE7'
  | 'pieceEdge'
  | 'tail'
  | 'head'
  | 'flags'
  | 'nodeLngE7'
  | 'nodeLatE7'
>;

/** Packs the boxes of all road pieces into an R-tree on a SharedArrayBuffer. */
export function buildSnapIndex(
  shapes: Shapes,
): Pick<NetworkArrays, 'snapIndex' | 'snapPiece' | 'snapSegment'> {
  const { firstShape, shapeLngE7, shapeLatE7, pieceEdge, tail, head, flags, nodeLngE7, nodeLatE7 } = shapes;
  const pieces = pieceEdge.length;
  let items = 0;
  for (let piece = 0; piece < pieces; piece++)
    items += Math.ceil((firstShape[piece + 1] - firstShape[piece] + 1) / SEGMENTS_PER_ITEM);
  const index = new Flatbush(items, 16, Int32Array, SharedArrayBuffer);
  const snapPiece = new Uint32Array(new SharedArrayBuffer(4 * items));
  const snapSegment = new Uint16Array(new SharedArrayBuffer(2 * items));
  let item = 0;
  for (let piece = 0; piece < pieces; piece++) {
    const edge = pieceEdge[piece];
    const start = drawnStart(flags[edge]) ? tail[edge] : head[edge];
    const end = drawnStart(flags[edge]) ? head[edge] : tail[edge];
    const inner = firstShape[piece + 1] - firstShape[piece];
    for (let segment = 0; segment <= inner; segment += SEGMENTS_PER_ITEM) {
      let minX = 0x7fffffff;
      let minY = 0x7fffffff;
      let maxX = -0x7fffffff;
      let maxY = -0x7fffffff;
      for (let point = segment; point <= Math.min(inner + 1, segment + SEGMENTS_PER_ITEM); point++) {
        const shape = firstShape[piece] + point - 1;
        const x = point === 0 ? nodeLngE7[start] : point > inner ? nodeLngE7[end] : shapeLngE7[shape];
        const y = point === 0 ? nodeLatE7[start] : point > inner ? nodeLatE7[end] : shapeLatE7[shape];
        if (x < minX) minX = x;
        if (x > maxX) maxX = x;
        if (y < minY) minY = y;
        if (y > maxY) maxY = y;
      }
      index.add(minX, minY, maxX, maxY);
      snapPiece[item] = piece;
      snapSegment[item++] = segment;
    }
  }
  index.finish();
  return { snapIndex: new Uint8Array(index.data), snapPiece, snapSegment };
}

const drawnStart = (flags: number): boolean => (flags & edgeFlag.against) === 0;
