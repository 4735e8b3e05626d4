import { edgeFlag } from '#routing-engine/edge-flags.js';
import type { NetworkArrays } from '#routing-engine/network-arrays.js';
import { buildOverlay } from '#routing-engine/overlay/overlay-topology.js';
import { travelModes } from '#routing-engine/travel-mode.js';
import { pick } from '../graph/pick.js';
import type { RoadGraph } from '../graph/road-graph.js';
import type { TurnProfile } from '../profiles/profile.js';
import type { BorderEnds } from './border-tiles.js';
import { borderOf } from './cell-border.js';
import { connectedParts } from './connected-parts.js';
import { endsOnlyZones } from './ends-only-zones.js';
import { linkInEdges } from './link-in-edges.js';
import { ownsPiece } from './piece-owner.js';
import { turnLegality } from './turn-legality.js';

type Labels =
  | 'nodeOsmId'
  | 'wayId'
  | 'ordinal'
  | 'name'
  | 'ref'
  | 'piece'
  | 'firstShape'
  | 'shapeLngE7'
  | 'shapeLatE7'
  | 'pieceEdge'
  | 'pieceSign'
  | 'nameAt'
  | 'nameBytes'
  | 'snapBoxes'
  | 'snapPiece'
  | 'cellFirstSnap'
  | 'cellBounds'
  | 'wayIds'
  | 'wayCells'
  | 'zoneCells'
  | 'turnTable'
  | 'turnCostsDs'
  | 'freeFlowWeightsMs';

/** All roads of the map in their final numbering, with what has to be known of the whole before it is cut into tiles. */
export interface WholeRoads {
  readonly arrays: Omit<NetworkArrays, Labels>;
  /** Of each level; the last has one. */
  readonly levelCells: readonly number[];
  /** [N] bit 0–2 closed to a mode, bit 3 traffic signal. */
  readonly nodeFlags: Uint8Array;
  /** By cell: quadruples of node of the cell, rank among its in-edges, rank among its out-edges, modes. */
  readonly forbidden: readonly (readonly number[])[];
  readonly ends: BorderEnds;
}

export function wholeRoads(graph: RoadGraph, turns: readonly TurnProfile[]): WholeRoads {
  const { pieces, nodes, firstOut, tail, head, piece, flags, reverse, copyOf } = graph;
  const { levels } = graph.partition;
  const cellFirstNode = levels[0];
  const cells = cellFirstNode.length - 1;
  const edgeCount = tail.length;
  const nodeCount = nodes.length;
  const levelCells = levels.map((starts) => starts.length - 1);
  const cellAncestor = new Uint32Array((levels.length - 1) * cells);
  for (const [i, starts] of levels.slice(1).entries()) {
    let ancestor = 0;
    for (let cell = 0; cell < cells; cell++) {
      while (starts[ancestor + 1] <= cellFirstNode[cell]) ancestor++;
      cellAncestor[i * cells + cell] = ancestor;
    }
  }
  const speedKph = new Uint8Array(travelModes.length * edgeCount);
  const roadClass = new Uint8Array(edgeCount);
  const classes = Uint8Array.from(pieces.readings, (reading) => reading.roadClass);
  for (let edge = 0; edge < edgeCount; edge++) roadClass[edge] = classes[pieces.reading[piece[edge]]];
  for (let mode = 0; mode < travelModes.length; mode++) {
    const forward = Uint8Array.from(pieces.readings, ({ forwardKph }) => forwardKph[mode]);
    const backward = Uint8Array.from(pieces.readings, ({ backwardKph }) => backwardKph[mode]);
    const row = mode * edgeCount;
    for (let edge = 0; edge < edgeCount; edge++) {
      const reading = pieces.reading[piece[edge]];
      speedKph[row + edge] = (flags[edge] & edgeFlag.against) === 0 ? forward[reading] : backward[reading];
    }
  }
  const cellFirstEdge = cellFirstNode.map((node) => firstOut[node]);
  const cellFlags = new Uint16Array(cells);
  for (let cell = 0; cell < cells; cell++)
    for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++)
      cellFlags[cell] |= flags[edge];
  const roads = {
    nodeLngE7: pick(new Int32Array(nodeCount), pieces.nodeLngE7, nodes),
    nodeLatE7: pick(new Int32Array(nodeCount), pieces.nodeLatE7, nodes),
    firstOut,
    tail,
    head,
    flags,
    reverse,
    copyOf,
    roadClass,
    speedKph,
    lengthCm: pick(new Uint32Array(edgeCount), pieces.lengthCm, piece),
    bearingOut: graph.bearingOut,
    bearingIn: graph.bearingIn,
    firstIn: new Uint32Array(nodeCount + 1),
    inEdges: new Uint32Array(edgeCount),
    inRank: new Uint16Array(edgeCount),
    cellFirstNode,
    cellFirstEdge,
    cellAncestor,
    cellFlags,
    loaded: new Uint8Array(cells).fill(1),
    ...buildOverlay({ tail, head, cellFirstNode, cellAncestor }, levelCells),
  };
  for (let cell = 0; cell < cells; cell++) {
    const first = cellFirstNode[cell];
    linkInEdges(roads, first, cellFirstNode[cell + 1], borderOf(roads, cell), roads.firstIn[first]);
  }
  const nodeFlags = pick(new Uint8Array(nodeCount), pieces.nodeFlags, nodes);
  const forbidden = forbiddenByCell(graph, roads.inRank, cellFirstNode);
  const legality = turnLegality(turns, roads, nodeFlags, graph.forbidden);
  const zone = endsOnlyZones(roads, nodeCount, travelModes.length);
  const part = connectedParts(roads, legality, zone, travelModes.length);
  return {
    arrays: { ...roads, zone, part },
    levelCells,
    nodeFlags,
    forbidden,
    ends: borderEnds(graph, roads),
  };
}

function forbiddenByCell(graph: RoadGraph, inRank: Uint16Array, cellFirstNode: Uint32Array): number[][] {
  const byCell = Array.from({ length: cellFirstNode.length - 1 }, (): number[] => []);
  const cellOf = new Uint32Array(graph.nodes.length);
  for (let cell = 0; cell < byCell.length; cell++)
    cellOf.fill(cell, cellFirstNode[cell], cellFirstNode[cell + 1]);
  for (let i = 0; i < graph.forbidden.length; i += 3) {
    const to = graph.forbidden[i + 1];
    const node = graph.tail[to];
    byCell[cellOf[node]].push(
      node - cellFirstNode[cellOf[node]],
      inRank[graph.forbidden[i]],
      to - graph.firstOut[node],
      graph.forbidden[i + 2],
    );
  }
  return byCell;
}

type Borders = Pick<NetworkArrays, 'boundaryEdge' | 'boundaryHeadCell' | 'cellFirstNode' | 'cellFirstEdge'>;

function borderEnds(
  { piece, head, flags, reverse, copyOf }: RoadGraph,
  { boundaryEdge, boundaryHeadCell, cellFirstNode, cellFirstEdge }: Borders,
): BorderEnds {
  const headInCell = new Uint32Array(boundaryEdge.length);
  const pieceInCell = new Uint32Array(boundaryEdge.length);
  /** By piece that a cell with borders stores: 1 + its place there. */
  const place = new Map<number, number>();
  for (const cell of new Set(boundaryHeadCell)) {
    let next = 0;
    for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++) {
      if (!ownsPiece(flags[edge], reverse[edge])) continue;
      next++;
      // Only pieces that leave the cell are asked for.
      if (head[edge] < cellFirstNode[cell] || head[edge] >= cellFirstNode[cell + 1])
        place.set(piece[edge], next);
    }
  }
  for (const [i, edge] of boundaryEdge.entries()) {
    headInCell[i] = head[edge] - cellFirstNode[boundaryHeadCell[i]];
    if (copyOf[edge] === edge && !ownsPiece(flags[edge], reverse[edge]))
      pieceInCell[i] = place.get(piece[edge])!;
  }
  return { headInCell, pieceInCell };
}
