import type { NetworkArrays } from '#routing-engine/network-arrays.js';
import { buildOverlay } from '#routing-engine/overlay/overlay-topology.js';
import { travelModes } from '#routing-engine/travel-mode.js';
import { edgeKph, type RoadGraph } from '../graph/road-graph.js';
import { borderOf } from './cell-border.js';
import { connectedParts } from './connected-parts.js';
import { endsOnlyZones } from './ends-only-zones.js';
import { linkInEdges } from './link-in-edges.js';
import { ownsPiece } from './piece-owner.js';
import { type TurnRules, TurnTabulator } from './turn-tables.js';

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
  | 'freeFlowWeightsMs';

/** All roads of the map in their final numbering, with what has to be known of the whole before it is cut into tiles. */
export interface WholeRoads {
  readonly arrays: Omit<NetworkArrays, Labels>;
  /** Of each level; the last has one. */
  readonly levelCells: readonly number[];
  /** By cell, with the bytes that its turn tables take. */
  readonly turnBytes: readonly number[];
  /** [N] bit 0–2 closed to a mode, bit 3 traffic signal. */
  readonly nodeFlags: Uint8Array;
  /** By cell: quadruples of node of the cell, rank among its in-edges, rank among its out-edges, modes. */
  readonly forbidden: readonly (readonly number[])[];
  /** [P] number of each piece of the graph among those that its cell stores. */
  readonly pieceRank: Uint32Array;
}

export function wholeRoads(graph: RoadGraph, rules: TurnRules): WholeRoads {
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
  for (let edge = 0; edge < edgeCount; edge++) {
    roadClass[edge] = pieces.readings[pieces.reading[piece[edge]]].roadClass;
    for (const mode of travelModes.keys()) speedKph[mode * edgeCount + edge] = edgeKph(graph, edge, mode);
  }
  const cellFirstEdge = cellFirstNode.map((node) => firstOut[node]);
  const cellFlags = new Uint16Array(cells);
  for (let cell = 0; cell < cells; cell++)
    for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++)
      cellFlags[cell] |= flags[edge];
  const roads = {
    nodeLngE7: Int32Array.from(nodes, (node) => pieces.nodeLngE7[node]),
    nodeLatE7: Int32Array.from(nodes, (node) => pieces.nodeLatE7[node]),
    firstOut,
    tail,
    head,
    flags,
    reverse,
    copyOf,
    roadClass,
    speedKph,
    lengthCm: Uint32Array.from(piece, (number) => pieces.lengthCm[number]),
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
  const nodeFlags = Uint8Array.from(nodes, (node) => pieces.nodeFlags[node]);
  const forbidden = forbiddenByCell(graph, roads.inRank, cellFirstNode);
  const turns = tabulate(roads, nodeFlags, forbidden, rules);
  const zone = endsOnlyZones(roads, nodeCount, travelModes.length);
  const part = connectedParts(roads, { ...roads, ...turns }, zone, travelModes.length);
  return {
    arrays: { ...roads, turnTable: turns.turnTable, turnCostsDs: turns.turnCostsDs, zone, part },
    levelCells,
    turnBytes: turns.turnBytes,
    nodeFlags,
    forbidden,
    pieceRank: rankPieces(graph, cellFirstEdge),
  };
}

type Tabulated = Parameters<TurnTabulator['tabulate']>[0] &
  Pick<NetworkArrays, 'cellFirstNode' | 'nodeLngE7'>;

function tabulate(
  roads: Tabulated,
  nodeFlags: Uint8Array,
  forbidden: readonly (readonly number[])[],
  rules: TurnRules,
): { turnTable: Uint32Array; turnCostsDs: Uint8Array; turnBytes: number[] } {
  const tabulator = new TurnTabulator(rules);
  const nodeCount = roads.nodeLngE7.length;
  const turnTable = new Uint32Array(travelModes.length * nodeCount);
  const tables: Uint8Array[] = [];
  const turnBytes: number[] = [];
  let placed = 0;
  for (const [cell, turns] of forbidden.entries()) {
    const firstNode = roads.cellFirstNode[cell];
    const endNode = roads.cellFirstNode[cell + 1];
    const crossings = {
      firstNode,
      endNode,
      nodeFlags: nodeFlags.subarray(firstNode, endNode),
      forbidden: turns,
    };
    const bytes = tabulator.tabulate(roads, crossings, (mode, node, start) => {
      turnTable[mode * nodeCount + node] = placed + start;
    });
    tables.push(bytes.slice());
    turnBytes.push(bytes.length);
    placed += bytes.length;
  }
  return { turnTable, turnCostsDs: Buffer.concat(tables), turnBytes };
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

function rankPieces({ pieces, piece, flags, reverse }: RoadGraph, cellFirstEdge: Uint32Array): Uint32Array {
  const rank = new Uint32Array(pieces.from.length);
  for (let cell = 0; cell + 1 < cellFirstEdge.length; cell++) {
    let next = 0;
    for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++)
      if (ownsPiece(flags[edge], reverse[edge])) rank[piece[edge]] = next++;
  }
  return rank;
}
