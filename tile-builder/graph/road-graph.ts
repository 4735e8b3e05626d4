import { edgeFlag } from '#routing-engine/edge-flags.js';
import type { OsmExtract } from '../osm/osm-extract.js';
import { inertialFlow } from '../partition/inertial-flow.js';
import { type Partition, partition } from '../partition/partition.js';
import { directEdges, flagsOfEdge } from './directed-edges.js';
import { forbidTurns } from './forbid-turns.js';
import { bearingInOf, bearingOutOf, pieceBearings } from './piece-bearings.js';
import { readRestrictions } from './read-restrictions.js';
import { cutRoads, type RoadPieces } from './road-pieces.js';

/** Nodes of a cell at most, by level; the topmost cell holds them all. */
export const cellNodesMax = [256, 2048, 16_384, 131_072] as const;

/** The whole network in its final numbering: nodes by cell, edges by tail. What the tiles are cut from. */
export interface RoadGraph {
  readonly pieces: RoadPieces;
  readonly partition: Partition;
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

export function buildRoadGraph(
  extract: OsmExtract,
  cellNodes: readonly number[],
  onPartition: (done: number, total: number) => void,
): RoadGraph {
  const pieces = cutRoads(extract);
  const edges = directEdges(pieces);
  const bearings = pieceBearings(pieces);
  const restrictions = readRestrictions(extract.restrictions, pieces, edges, bearings);
  const forbiddenTurns = forbidTurns(edges, restrictions);

  const nodeCount = pieces.nodeOsmId.length;
  // A flat map is enough to line nodes up.
  const squeeze = Math.cos(((pieces.nodeLatE7[0] ?? 0) / 1e7) * (Math.PI / 180));
  const cells = partition(
    nodeCount,
    cellNodes,
    inertialFlow({
      x: Float64Array.from(pieces.nodeLngE7, (lng) => lng * squeeze),
      y: Float64Array.from(pieces.nodeLatE7),
      from: pieces.from,
      to: pieces.to,
    }),
    (placed) => onPartition(placed, nodeCount),
  );

  const edgeCount = edges.tail.length;
  const newNode = new Uint32Array(nodeCount);
  for (let position = 0; position < nodeCount; position++) newNode[cells.order[position]] = position;
  const firstOut = new Uint32Array(nodeCount + 1);
  const newEdge = new Uint32Array(edgeCount);
  const oldEdge = new Uint32Array(edgeCount);
  let placed = 0;
  for (let node = 0; node < nodeCount; node++) {
    firstOut[node] = placed;
    for (const edge of edges.outEdges[cells.order[node]]) {
      newEdge[edge] = placed;
      oldEdge[placed++] = edge;
    }
  }
  firstOut[nodeCount] = placed;

  const forbidden = forbiddenTurns
    .map(({ from, to, modes }) => [newEdge[from], newEdge[to], modes] as const)
    .sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return {
    pieces,
    partition: cells,
    nodes: cells.order,
    firstOut,
    tail: Uint32Array.from(oldEdge, (edge) => newNode[edges.tail[edge]]),
    head: Uint32Array.from(oldEdge, (edge) => newNode[edges.head[edge]]),
    piece: Uint32Array.from(oldEdge, (edge) => edges.piece[edge]),
    flags: Uint16Array.from(oldEdge, (edge) => flagsOfEdge(pieces, edges, edge)),
    reverse: Int32Array.from(oldEdge, (edge) =>
      edges.reverse[edge] < 0 ? -1 : newEdge[edges.reverse[edge]],
    ),
    copyOf: Uint32Array.from(oldEdge, (edge) => newEdge[edges.copyOf[edge]]),
    bearingOut: Uint8Array.from(oldEdge, (edge) =>
      bearingOutOf(bearings, edges.piece[edge], edges.against[edge]),
    ),
    bearingIn: Uint8Array.from(oldEdge, (edge) =>
      bearingInOf(bearings, edges.piece[edge], edges.against[edge]),
    ),
    forbidden: Uint32Array.from(forbidden.flat()),
  };
}

/** km/h of an edge by mode. */
export function edgeKph({ pieces, piece, flags }: RoadGraph, edge: number, mode: number): number {
  const reading = pieces.readings[pieces.reading[piece[edge]]];
  return ((flags[edge] & edgeFlag.against) === 0 ? reading.forwardKph : reading.backwardKph)[mode];
}
