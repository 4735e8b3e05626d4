import { bearingDeg, distanceM } from '#routing-engine/earth.js';
import { edgeFlag } from '#routing-engine/edge-flags.js';
import type { OsmExtract } from '../osm/osm-extract.js';
import { inertialFlow } from '../partition/inertial-flow.js';
import { type Partition, partition } from '../partition/partition.js';
import { directEdges, flagsOfEdge } from './directed-edges.js';
import { forbidTurns } from './forbid-turns.js';
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
  const forbiddenTurns = forbidTurns(edges, readRestrictions(extract.restrictions, pieces, edges));

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

  const bearings = pieceBearings(pieces);
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
      edges.against[edge] ? opposite(bearings.atEnd[edges.piece[edge]]) : bearings.atStart[edges.piece[edge]],
    ),
    bearingIn: Uint8Array.from(oldEdge, (edge) =>
      edges.against[edge] ? opposite(bearings.atStart[edges.piece[edge]]) : bearings.atEnd[edges.piece[edge]],
    ),
    forbidden: Uint32Array.from(forbidden.flat()),
  };
}

/** km/h of an edge by mode. */
export function edgeKph({ pieces, piece, flags }: RoadGraph, edge: number, mode: number): number {
  const reading = pieces.readings[pieces.reading[piece[edge]]];
  return ((flags[edge] & edgeFlag.against) === 0 ? reading.forwardKph : reading.backwardKph)[mode];
}

const opposite = (bearing: number): number => (bearing + 128) & 255;

/** Metres from a crossing at which the direction of a road is taken; nearer, the drawing of the crossing itself shows. */
const BEARING_REACH_M = 15;

/** Direction of each piece at both ends, along its drawn direction, in 256ths of a turn. */
function pieceBearings(pieces: RoadPieces): { atStart: Uint8Array; atEnd: Uint8Array } {
  const count = pieces.from.length;
  const atStart = new Uint8Array(count);
  const atEnd = new Uint8Array(count);
  for (let piece = 0; piece < count; piece++) {
    atStart[piece] = byteOf(reach(pieces, piece, false));
    atEnd[piece] = opposite(byteOf(reach(pieces, piece, true)));
  }
  return { atStart, atEnd };
}

const byteOf = (degrees: number): number => Math.round((degrees * 256) / 360) & 255;

/** Compass degrees from one end of a piece to the point some metres along it. */
function reach(
  { from, to, nodeLngE7, nodeLatE7, firstShape, shapeLngE7, shapeLatE7 }: RoadPieces,
  piece: number,
  fromEnd: boolean,
) {
  const start = fromEnd ? to[piece] : from[piece];
  const end = fromEnd ? from[piece] : to[piece];
  const lng = nodeLngE7[start] / 1e7;
  const lat = nodeLatE7[start] / 1e7;
  const inner = firstShape[piece + 1] - firstShape[piece];
  let lastLng = lng;
  let lastLat = lat;
  let run = 0;
  for (let i = 0; i <= inner; i++) {
    const shape = fromEnd ? firstShape[piece + 1] - 1 - i : firstShape[piece] + i;
    const toLng = (i === inner ? nodeLngE7[end] : shapeLngE7[shape]) / 1e7;
    const toLat = (i === inner ? nodeLatE7[end] : shapeLatE7[shape]) / 1e7;
    const meters = distanceM(lastLng, lastLat, toLng, toLat);
    if (run + meters >= BEARING_REACH_M || i === inner) {
      const share = meters === 0 ? 1 : Math.min(1, (BEARING_REACH_M - run) / meters);
      return bearingDeg(lng, lat, lastLng + (toLng - lastLng) * share, lastLat + (toLat - lastLat) * share);
    }
    run += meters;
    lastLng = toLng;
    lastLat = toLat;
  }
  return 0;
}
