import type { Cells } from '../partition/cells.js';
import { type DirectedEdges, flagsOfEdges } from './directed-edges.js';
import type { ForbiddenTurn } from './forbid-turns.js';
import { pickUint16, pickUint32 } from './pick.js';
import type { PieceBearings } from './piece-bearings.js';
import { opposite } from './piece-bearings.js';
import type { RoadGraph } from './road-graph.js';
import type { RoadPieces } from './road-pieces.js';

/** Crossings in the order of their cells, edges by the crossing that they begin at. */
export function numberEdges(
  partition: Cells,
  pieces: RoadPieces,
  edges: DirectedEdges,
  { atStart, atEnd }: PieceBearings,
  forbiddenTurns: readonly ForbiddenTurn[],
): RoadGraph {
  const { order } = partition;
  const newNode = inverse(order);
  const { firstOut, oldEdge } = edgesByNode(order, edges);
  const newEdge = inverse(oldEdge);
  const piece = pickUint32(unsigned(edges.piece), oldEdge);
  const against = pickUint32(unsigned(edges.against), oldEdge);
  const forbidden = forbiddenTurns
    .map(({ from, to, modes }) => [newEdge[from], newEdge[to], modes] as const)
    .sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return {
    pieces,
    partition,
    nodes: order,
    firstOut,
    tail: unsigned(renumbered(edges.tail, oldEdge, newNode)),
    head: unsigned(renumbered(edges.head, oldEdge, newNode)),
    piece,
    flags: pickUint16(flagsOfEdges(pieces, edges), oldEdge),
    reverse: renumbered(edges.reverse, oldEdge, newEdge),
    copyOf: unsigned(renumbered(edges.copyOf, oldEdge, newEdge)),
    bearingOut: bearingsOf(piece, against, atStart, atEnd),
    bearingIn: bearingsOf(piece, against, atEnd, atStart),
    forbidden: Uint32Array.from(forbidden.flat()),
  };
}

const unsigned = (column: Int32Array): Uint32Array => new Uint32Array(column.buffer);

function inverse(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length);
  for (let place = 0; place < order.length; place++) places[order[place]] = place;
  return places;
}

function edgesByNode(order: Uint32Array, edges: DirectedEdges) {
  const chains = edges.firstOut;
  const { nextOut } = edges;
  const firstOut = new Uint32Array(order.length + 1);
  const oldEdge = new Uint32Array(edges.count);
  let placed = 0;
  for (let node = 0; node < order.length; node++) {
    firstOut[node] = placed;
    for (let edge = chains[order[node]]; edge >= 0; edge = nextOut[edge]) oldEdge[placed++] = edge;
  }
  firstOut[order.length] = placed;
  return { firstOut, oldEdge };
}

/** A column in the new order, of numbers that are called otherwise now; -1 stays. */
function renumbered(column: Int32Array, order: Uint32Array, numbers: Uint32Array): Int32Array {
  const now = new Int32Array(order.length);
  for (let i = 0; i < order.length; i++) {
    const number = column[order[i]];
    now[i] = number < 0 ? -1 : numbers[number];
  }
  return now;
}

function bearingsOf(
  piece: Uint32Array,
  against: Uint32Array,
  along: Uint8Array,
  back: Uint8Array,
): Uint8Array {
  const bearings = new Uint8Array(piece.length);
  for (let edge = 0; edge < piece.length; edge++)
    bearings[edge] = against[edge] === 1 ? opposite(back[piece[edge]]) : along[piece[edge]];
  return bearings;
}
