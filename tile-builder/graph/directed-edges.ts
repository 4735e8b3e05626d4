import { edgeFlag } from '#routing-engine/edge-flags.js';
import type { RoadPieces } from './road-pieces.js';

/** Directed edges in the making; copies come behind the others. */
export interface DirectedEdges {
  readonly tail: number[];
  readonly head: number[];
  readonly piece: number[];
  readonly against: boolean[];
  /** -1 where the other direction does not exist. */
  readonly reverse: number[];
  /** The edge itself for an original. */
  readonly copyOf: number[];
  readonly outEdges: readonly number[][];
  readonly inEdges: readonly number[][];
}

/** One edge for each direction of a piece that any mode may use. */
export function directEdges(pieces: RoadPieces): DirectedEdges {
  const nodeCount = pieces.nodeOsmId.length;
  const edges: DirectedEdges = {
    tail: [],
    head: [],
    piece: [],
    against: [],
    reverse: [],
    copyOf: [],
    outEdges: Array.from({ length: nodeCount }, () => []),
    inEdges: Array.from({ length: nodeCount }, () => []),
  };
  for (let piece = 0; piece < pieces.from.length; piece++) {
    const reading = pieces.readings[pieces.reading[piece]];
    const forward = reading.forwardKph.some((kph) => kph > 0);
    const backward = reading.backwardKph.some((kph) => kph > 0);
    const first = edges.tail.length;
    if (forward) addEdge(edges, pieces.from[piece], pieces.to[piece], piece, false);
    if (backward) addEdge(edges, pieces.to[piece], pieces.from[piece], piece, true);
    if (forward && backward) {
      edges.reverse[first] = first + 1;
      edges.reverse[first + 1] = first;
    }
  }
  return edges;
}

function addEdge(edges: DirectedEdges, tail: number, head: number, piece: number, against: boolean): number {
  const edge = edges.tail.push(tail) - 1;
  edges.head.push(head);
  edges.piece.push(piece);
  edges.against.push(against);
  edges.reverse.push(-1);
  edges.copyOf.push(edge);
  edges.outEdges[tail].push(edge);
  edges.inEdges[head].push(edge);
  return edge;
}

/** A second edge on the same road piece, in the same direction. */
export function copyEdge(edges: DirectedEdges, original: number): number {
  const copy = addEdge(
    edges,
    edges.tail[original],
    edges.head[original],
    edges.piece[original],
    edges.against[original],
  );
  edges.reverse[copy] = edges.reverse[original];
  edges.copyOf[copy] = original;
  return copy;
}

export const flagsOfEdge = (pieces: RoadPieces, edges: DirectedEdges, edge: number): number => {
  const reading = pieces.readings[pieces.reading[edges.piece[edge]]];
  const copy = edges.copyOf[edge] === edge ? 0 : edgeFlag.copy;
  return (edges.against[edge] ? reading.backwardFlags : reading.forwardFlags) | copy;
};
