import { carryPartition, type KeptPartition } from '../partition/carry-partition.js';
import { type Cells, cellsOf } from '../partition/cells.js';
import { inertialFlow } from '../partition/inertial-flow.js';
import { type Partition, partition } from '../partition/partition.js';
import { directEdges, flagsOfEdges } from './directed-edges.js';
import { forbidTurns } from './forbid-turns.js';
import type { MatchedExtract, PlacedExtract } from './match-roads.js';
import { pick } from './pick.js';
import { bearingInOf, bearingOutOf, type PieceBearings, pieceBearings } from './piece-bearings.js';
import { readRestrictions } from './read-restrictions.js';
import { type CarriedPieces, type CutRoads, cutRoads, type RoadPieces } from './road-pieces.js';

/** Nodes of a cell at most, by level; the topmost cell holds them all. */
export const cellNodesMax = [256, 2048, 16_384, 131_072] as const;

/** The whole network in its final numbering: nodes by cell, edges by tail. What the tiles are cut from. */
export interface RoadGraph {
  readonly pieces: RoadPieces;
  readonly partition: Cells;
  /** [N] index into the columns of `pieces` for nodes. */
  readonly nodes: Uint32Array;
  readonly firstOut: Uint32Array;
  readonly tail: Uint32Array;
  readonly head: Uint32Array;
  /** [E] index into the pieces. */
  readonly piece: Uint32Array;
  readonly flags: Uint16Array;
  readonly reverse: Int32Array;
  readonly copyOf: Uint32Array;
  readonly bearingOut: Uint8Array;
  readonly bearingIn: Uint8Array;
  /** Triples: edge, edge, modes; ascending. */
  readonly forbidden: Uint32Array;
}

/** The roads of a build with what the next one may take over. */
export interface BuiltGraph {
  readonly graph: RoadGraph;
  readonly cut: CutRoads;
  readonly bearings: PieceBearings;
}

/** An extract beside the one of the build before, and what was made of that. */
export interface GraphBefore {
  readonly matched: MatchedExtract;
  readonly built: BuiltGraph;
}

/**
 * The roads of an extract, numbered by cell: as they were in `kept` where that fits, else by a partition that is made anew. Within
 * a cell crossings have the order in which the ways of the extract come by, so that what changes elsewhere does not
 * number them otherwise.
 */
export function buildRoadGraph(
  placed: PlacedExtract,
  cellNodes: readonly number[],
  kept: KeptPartition | undefined,
  onPartition: (done: number, total: number) => void,
  before?: GraphBefore,
): BuiltGraph & { readonly carried: CarriedPieces } {
  const { carried: carriedPieces, ...cut } = cutRoads(placed, before?.matched, before?.built.cut);
  const { pieces } = cut;
  const edges = directEdges(pieces);
  const bearings = pieceBearings(pieces, carriedPieces.was, before?.built.bearings);
  const restrictions = readRestrictions(placed.extract.restrictions, pieces, edges, bearings);
  const forbiddenTurns = forbidTurns(edges, restrictions);
  const cellsBefore = before === undefined ? undefined : cellsOfCrossings(pieces, before);
  const carried = kept === undefined ? undefined : carryPartition(kept, cellNodes, pieces, cellsBefore);
  const cells = carried ?? cellsOf(makePartition(pieces, cellNodes, onPartition));

  const { order } = cells;
  const nodeCount = order.length;
  const edgeCount = edges.count;
  const newNode = new Uint32Array(nodeCount);
  for (let position = 0; position < nodeCount; position++) newNode[order[position]] = position;
  const firstOut = new Uint32Array(nodeCount + 1);
  const newEdge = new Uint32Array(edgeCount);
  const oldEdge = new Uint32Array(edgeCount);
  let numbered = 0;
  for (let node = 0; node < nodeCount; node++) {
    firstOut[node] = numbered;
    for (let edge = edges.firstOut[order[node]]; edge >= 0; edge = edges.nextOut[edge]) {
      newEdge[edge] = numbered;
      oldEdge[numbered++] = edge;
    }
  }
  firstOut[nodeCount] = numbered;

  const forbidden = forbiddenTurns
    .map(({ from, to, modes }) => [newEdge[from], newEdge[to], modes] as const)
    .sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  const graph = {
    pieces,
    partition: cells,
    nodes: order,
    firstOut,
    tail: new Uint32Array(edgeCount),
    head: new Uint32Array(edgeCount),
    piece: new Uint32Array(edgeCount),
    flags: pick(new Uint16Array(edgeCount), flagsOfEdges(pieces, edges), oldEdge),
    reverse: new Int32Array(edgeCount),
    copyOf: new Uint32Array(edgeCount),
    bearingOut: new Uint8Array(edgeCount),
    bearingIn: new Uint8Array(edgeCount),
    forbidden: Uint32Array.from(forbidden.flat()),
  };
  for (let at = 0; at < edgeCount; at++) {
    const edge = oldEdge[at];
    const piece = edges.piece[edge];
    graph.tail[at] = newNode[edges.tail[edge]];
    graph.head[at] = newNode[edges.head[edge]];
    graph.piece[at] = piece;
    graph.reverse[at] = edges.reverse[edge] < 0 ? -1 : newEdge[edges.reverse[edge]];
    graph.copyOf[at] = newEdge[edges.copyOf[edge]];
    graph.bearingOut[at] = bearingOutOf(bearings, piece, edges.against[edge]);
    graph.bearingIn[at] = bearingInOf(bearings, piece, edges.against[edge]);
  }
  return { graph, cut, bearings, carried: carriedPieces };
}

/** By crossing the cell that it was in before, or -1. */
function cellsOfCrossings({ nodes }: RoadPieces, { matched, built }: GraphBefore): Int32Array {
  const { pieces, partition, nodes: order } = built.graph;
  const cellOfNode = new Int32Array(matched.extract.nodeIds.length).fill(-1);
  const starts = partition.levels[0];
  for (let cell = 0; cell + 1 < starts.length; cell++)
    for (let i = starts[cell]; i < starts[cell + 1]; i++) {
      const node = matched.nodeNow[pieces.nodes[order[i]]];
      if (node >= 0) cellOfNode[node] = cell;
    }
  return pick(new Int32Array(nodes.length), cellOfNode, nodes);
}

function makePartition(
  { nodeLngE7, nodeLatE7, from, to }: RoadPieces,
  cellNodes: readonly number[],
  onPartition: (done: number, total: number) => void,
): Partition {
  const nodeCount = nodeLngE7.length;
  // A flat map is enough to line nodes up.
  const squeeze = Math.cos(((nodeLatE7[0] ?? 0) / 1e7) * (Math.PI / 180));
  const flat = {
    x: Float64Array.from(nodeLngE7, (lng) => lng * squeeze),
    y: Float64Array.from(nodeLatE7),
    from,
    to,
  };
  return partition(nodeCount, cellNodes, inertialFlow(flat), (placed) => onPartition(placed, nodeCount));
}
