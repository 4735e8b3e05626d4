import type { Scratch } from '#map-data/arrays/scratch.js';
import { edgeFlag } from '#routing-engine/network/edge-flags.js';
import type { RoadPieces } from './road-pieces.js';

const NONE = -1;

/**
 * Directed edges under construction; copies follow the others. The edges of a node are chained in the order
 * in which they were added:
 *
 * ```text
 *   firstOut[node] → edge → nextOut[edge] → … → -1
 * ```
 */
export class DirectedEdges {
  count = 0;
  tail: Int32Array;
  head: Int32Array;
  piece: Int32Array;
  /** 1 against the drawn direction of the way. */
  against: Int32Array;
  /** -1 where the other direction does not exist. */
  reverse: Int32Array;
  /** The edge itself for an original. */
  copyOf: Int32Array;
  nextOut: Int32Array;
  readonly firstOut: Int32Array;
  #nextIn: Int32Array;
  readonly #firstIn: Int32Array;
  readonly #lastOut: Int32Array;
  readonly #lastIn: Int32Array;

  constructor(nodeCount: number, room: number, scratch: Scratch) {
    const column = (name: string): Int32Array => scratch.int32(`edges ${name}`, room);
    [this.tail, this.head] = [column('tail'), column('head')];
    [this.piece, this.against] = [column('piece'), column('against')];
    [this.reverse, this.copyOf] = [column('reverse'), column('copyOf')];
    [this.nextOut, this.#nextIn] = [column('nextOut'), column('nextIn')];
    const byNode = (name: string): Int32Array => scratch.int32(`edges ${name}`, nodeCount).fill(NONE);
    [this.firstOut, this.#firstIn] = [byNode('firstOut'), byNode('firstIn')];
    [this.#lastOut, this.#lastIn] = [byNode('lastOut'), byNode('lastIn')];
  }

  add(tail: number, head: number, piece: number, against: number): number {
    if (this.count === this.tail.length) this.#grow();
    const edge = this.count++;
    this.tail[edge] = tail;
    this.head[edge] = head;
    this.piece[edge] = piece;
    this.against[edge] = against;
    this.reverse[edge] = NONE;
    this.copyOf[edge] = edge;
    this.nextOut[edge] = NONE;
    this.#nextIn[edge] = NONE;
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
    const copy = this.add(
      this.tail[original],
      this.head[original],
      this.piece[original],
      this.against[original],
    );
    this.reverse[copy] = this.reverse[original];
    this.copyOf[copy] = original;
    return copy;
  }

  outOf(node: number): number[] {
    return chain(this.firstOut[node], this.nextOut);
  }

  into(node: number): number[] {
    return chain(this.#firstIn[node], this.#nextIn);
  }

  #grow(): void {
    const larger = (column: Int32Array): Int32Array => {
      const grown = new Int32Array(2 * column.length + 16);
      grown.set(column);
      return grown;
    };
    this.tail = larger(this.tail);
    this.head = larger(this.head);
    this.piece = larger(this.piece);
    this.against = larger(this.against);
    this.reverse = larger(this.reverse);
    this.copyOf = larger(this.copyOf);
    this.nextOut = larger(this.nextOut);
    this.#nextIn = larger(this.#nextIn);
  }
}

function chain(first: number, next: Int32Array): number[] {
  const edges: number[] = [];
  for (let edge = first; edge !== NONE; edge = next[edge]) edges.push(edge);
  return edges;
}

/** One edge for each direction of a piece that any mode may use. */
export function directEdges(
  { nodeOsmId, from, to, reading, readings }: RoadPieces,
  scratch: Scratch,
): DirectedEdges {
  // Some space for the copies that restrictions need.
  const edges = new DirectedEdges(nodeOsmId.length, 2 * from.length + 1_024, scratch);
  addEdges(
    edges,
    from,
    to,
    reading,
    Uint8Array.from(readings, ({ forwardKph }) => (isOpen(forwardKph) ? 1 : 0)),
    Uint8Array.from(readings, ({ backwardKph }) => (isOpen(backwardKph) ? 1 : 0)),
  );
  return edges;
}

const isOpen = (kph: readonly number[]): boolean => kph.some((each) => each > 0);

function addEdges(
  edges: DirectedEdges,
  from: Uint32Array,
  to: Uint32Array,
  reading: Uint32Array,
  forward: Uint8Array,
  backward: Uint8Array,
): void {
  for (let piece = 0; piece < from.length; piece++) {
    const first = edges.count;
    const along = forward[reading[piece]];
    const against = backward[reading[piece]];
    if (along === 1) edges.add(from[piece], to[piece], piece, 0);
    if (against === 1) edges.add(to[piece], from[piece], piece, 1);
    if (along === 1 && against === 1) {
      edges.reverse[first] = first + 1;
      edges.reverse[first + 1] = first;
    }
  }
}

/** Fills [edges] flags: those of the way in the direction of the edge, and whether it is a copy. */
export function flagsOfEdges(
  { reading, readings }: RoadPieces,
  edges: DirectedEdges,
  flags: Uint32Array,
): Uint32Array {
  const forward = Uint32Array.from(readings, ({ forwardFlags }) => forwardFlags);
  const backward = Uint32Array.from(readings, ({ backwardFlags }) => backwardFlags);
  fillFlags(flags, reading, forward, backward, edges.piece, edges.against);
  for (let edge = 0; edge < flags.length; edge++)
    if (edges.copyOf[edge] !== edge) flags[edge] |= edgeFlag.copy;
  return flags;
}

function fillFlags(
  flags: Uint32Array,
  reading: Uint32Array,
  forward: Uint32Array,
  backward: Uint32Array,
  piece: Int32Array,
  against: Int32Array,
): void {
  for (let edge = 0; edge < flags.length; edge++)
    flags[edge] = against[edge] === 1 ? backward[reading[piece[edge]]] : forward[reading[piece[edge]]];
}
