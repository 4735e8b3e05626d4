import type { BuildMemory } from '#map-data/arrays/build-memory.js';
import type { Cells } from '../partition/cells.js';
import { type DirectedEdges, flagsOfEdges } from './directed-edges.js';
import { edgeHours, flagTurns } from './edge-hours.js';
import { type CrossingLimits, edgeLimits } from './edge-limits.js';
import type { ForbiddenTurn, TurnAtHours } from './forbid-turns.js';
import { pickInt32, pickUint32 } from './pick.js';
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
  turns: { readonly forbidden: readonly ForbiddenTurn[]; readonly atHours: readonly TurnAtHours[] },
  atCrossings: CrossingLimits,
  { scratch, kept }: BuildMemory,
): RoadGraph {
  const { order } = partition;
  const count = edges.count;
  const newNode = inverse(order, scratch.uint32('newNode', order.length));
  const firstOut = kept.uint32('graph firstOut', order.length + 1);
  const oldEdge = scratch.uint32('oldEdge', count);
  edgesByNode(order, edges, firstOut, oldEdge);
  const newEdge = inverse(oldEdge, scratch.uint32('newEdge', count));
  const renumber = (column: Int32Array, name: string, numbers: Uint32Array): Int32Array =>
    renumbered(column, oldEdge, numbers, kept.int32(`graph ${name}`, count));
  const piece = pickUint32(unsigned(edges.piece), oldEdge, kept.uint32('graph piece', count));
  const against = pickInt32(edges.against, oldEdge, scratch.int32('edgeAgainst', count));
  const flags = flagsOfEdges(pieces, edges, scratch.uint32('flagsInOldOrder', count));
  flagTurns(flags, turns.atHours);
  const hours = edgeHours(pieces, edges, flags, turns.atHours, newEdge);
  const limits = edgeLimits(pieces, edges, flags, atCrossings, newEdge);
  const forbidden = turns.forbidden
    .map(({ from, to, modes }) => [newEdge[from], newEdge[to], modes] as const)
    .sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return {
    pieces,
    partition,
    nodes: order,
    firstOut,
    tail: unsigned(renumber(edges.tail, 'tail', newNode)),
    head: unsigned(renumber(edges.head, 'head', newNode)),
    piece,
    flags: pickUint32(flags, oldEdge, kept.uint32('graph flags', count)),
    reverse: renumber(edges.reverse, 'reverse', newEdge),
    copyOf: unsigned(renumber(edges.copyOf, 'copyOf', newEdge)),
    bearingOut: bearingsOf(piece, against, atStart, atEnd, kept.uint8('graph bearingOut', count)),
    bearingIn: bearingsOf(piece, against, atEnd, atStart, kept.uint8('graph bearingIn', count)),
    forbidden: Uint32Array.from(forbidden.flat()),
    hours,
    limits,
  };
}

const unsigned = (column: Int32Array): Uint32Array =>
  new Uint32Array(column.buffer, column.byteOffset, column.length);

function inverse(order: Uint32Array, places: Uint32Array): Uint32Array {
  for (let place = 0; place < order.length; place++) places[order[place]] = place;
  return places;
}

/** Fills [nodes+1] where the edges of each node begin, and [edges] which edge is at each place. */
function edgesByNode(
  order: Uint32Array,
  edges: DirectedEdges,
  firstOut: Uint32Array,
  oldEdge: Uint32Array,
): void {
  const chains = edges.firstOut;
  const { nextOut } = edges;
  let placed = 0;
  for (let node = 0; node < order.length; node++) {
    firstOut[node] = placed;
    for (let edge = chains[order[node]]; edge >= 0; edge = nextOut[edge]) oldEdge[placed++] = edge;
  }
  firstOut[order.length] = placed;
}

/** A column in the new order with renumbered values; -1 stays. */
function renumbered(
  column: Int32Array,
  order: Uint32Array,
  numbers: Uint32Array,
  now: Int32Array,
): Int32Array {
  for (let i = 0; i < order.length; i++) {
    const number = column[order[i]];
    now[i] = number < 0 ? -1 : numbers[number];
  }
  return now;
}

function bearingsOf(
  piece: Uint32Array,
  against: Int32Array,
  along: Uint8Array,
  back: Uint8Array,
  bearings: Uint8Array,
): Uint8Array {
  for (let edge = 0; edge < piece.length; edge++)
    bearings[edge] = against[edge] === 1 ? opposite(back[piece[edge]]) : along[piece[edge]];
  return bearings;
}
