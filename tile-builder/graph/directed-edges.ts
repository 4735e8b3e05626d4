import { edgeFlag } from '#routing-engine/edge-flags.js';
import type { RoadPieces } from './road-pieces.js';

const NONE = -1;

/**
 * Directed edges in the making; copies come behind the others. The edges of a node are chained in the order in which they
 * were added:
 *
 * ```text
 *   firstOut[node] → edge → nextOut[edge] → … → -1
 * ```
 */
export class DirectedEdges {
  readonly tail: number[] = [];
  readonly head: number[] = [];
  readonly piece: number[] = [];
  readonly against: boolean[] = [];
  /** -1 where the other direction does not exist. */
  readonly reverse: number[] = [];
  /** The edge itself for an original. */
  readonly copyOf: number[] = [];
  readonly firstOut: Int32Array;
  readonly nextOut: number[] = [];
  readonly #firstIn: Int32Array;
  readonly #nextIn: number[] = [];
  readonly #lastOut: Int32Array;
  readonly #lastIn: Int32Array;

  constructor(nodeCount: number) {
    this.firstOut = new Int32Array(nodeCount).fill(NONE);
    this.#firstIn = new Int32Array(nodeCount).fill(NONE);
    this.#lastOut = new Int32Array(nodeCount).fill(NONE);
    this.#lastIn = new Int32Array(nodeCount).fill(NONE);
  }

  add(tail: number, head: number, piece: number, against: boolean): number {
    const edge = this.tail.push(tail) - 1;
    this.head.push(head);
    this.piece.push(piece);
    this.against.push(against);
    this.reverse.push(NONE);
    this.copyOf.push(edge);
    this.nextOut.push(NONE);
    this.#nextIn.push(NONE);
    if (this.#lastOut[tail] === NONE) this.firstOut[tail] = edge;
    else this.nextOut[this.#lastOut[tail]] = edge;
    this.#lastOut[tail] = edge;
    if (this.#lastIn[head] === NONE) this.#firstIn[head] = edge;
    else this.#nextIn[this.#lastIn[head]] = edge;
    this.#lastIn[head] = edge;
    return edge;
  }

  /** A second edge on the same road piece, in the same direction. */
  copy(original: number): number {
    const { tail, head, piece, against, reverse, copyOf } = this;
    const copy = this.add(tail[original], head[original], piece[original], against[original]);
    reverse[copy] = reverse[original];
    copyOf[copy] = original;
    return copy;
  }

  outOf(node: number): number[] {
    return chain(this.firstOut[node], this.nextOut);
  }

  into(node: number): number[] {
    return chain(this.#firstIn[node], this.#nextIn);
  }
}

function chain(first: number, next: readonly number[]): number[] {
  const edges: number[] = [];
  for (let edge = first; edge !== NONE; edge = next[edge]) edges.push(edge);
  return edges;
}

/** One edge for each direction of a piece that any mode may use. */
export function directEdges({ nodeOsmId, from, to, reading, readings }: RoadPieces): DirectedEdges {
  const edges = new DirectedEdges(nodeOsmId.length);
  const isOpen = (kph: readonly number[]): boolean => kph.some((each) => each > 0);
  const forward = readings.map(({ forwardKph }) => isOpen(forwardKph));
  const backward = readings.map(({ backwardKph }) => isOpen(backwardKph));
  for (let piece = 0; piece < from.length; piece++) {
    const first = edges.tail.length;
    const [along, against] = [forward[reading[piece]], backward[reading[piece]]];
    if (along) edges.add(from[piece], to[piece], piece, false);
    if (against) edges.add(to[piece], from[piece], piece, true);
    if (along && against) {
      edges.reverse[first] = first + 1;
      edges.reverse[first + 1] = first;
    }
  }
  return edges;
}

export const flagsOfEdge = (pieces: RoadPieces, edges: DirectedEdges, edge: number): number => {
  const reading = pieces.readings[pieces.reading[edges.piece[edge]]];
  const copy = edges.copyOf[edge] === edge ? 0 : edgeFlag.copy;
  return (edges.against[edge] ? reading.backwardFlags : reading.forwardFlags) | copy;
};
