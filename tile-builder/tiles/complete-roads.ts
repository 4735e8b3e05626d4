import type { BuildMemory } from '#map-data/arrays/build-memory.js';
import type { Scratch } from '#map-data/arrays/scratch.js';
import type { BorderEnds } from '#map-data/tiles/border-tiles.js';
import { linkAllInEdges } from '#map-data/tiles/link-in-edges.js';
import { ownsPiece } from '#map-data/tiles/piece-owner.js';
import type { TurnProfile } from '#map-data/tiles/turn-profile.js';
import { edgeFlag } from '#routing-engine/network/edge-flags.js';
import type { NetworkArrays } from '#routing-engine/network/network-arrays.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';
import { buildOverlay } from '#routing-engine/overlay/overlay-topology.js';
import { pickInt32, pickUint8, pickUint32 } from '../graph/pick.js';
import type { RoadGraph } from '../graph/road-graph.js';
import { connectedParts } from './connected-parts.js';
import { endsOnlyZones } from './ends-only-zones.js';
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
  | 'freeFlowWeightsMs'
  | 'landmarksMs'
  | 'landmarksMade';

/** All roads of the map in their final numbering, with the global data that cutting into tiles needs. */
export interface CompleteRoads {
  readonly arrays: Omit<NetworkArrays, Labels>;
  /** Of each level; the last has one. */
  readonly levelCells: readonly number[];
  /** [N] see `nodeFlag`. */
  readonly nodeFlags: Uint8Array;
  /** By cell: quadruples of node of the cell, rank among its in-edges, rank among its out-edges, modes. */
  readonly forbidden: readonly (readonly number[])[];
  readonly ends: BorderEnds;
}

export function completeRoads(
  graph: RoadGraph,
  turns: readonly TurnProfile[],
  memory: BuildMemory,
): CompleteRoads {
  const { scratch, kept } = memory;
  const { pieces, nodes, firstOut, tail, head, flags, reverse, copyOf } = graph;
  const { levels } = graph.partition;
  const cellFirstNode = levels[0];
  const cells = cellFirstNode.length - 1;
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
  const cellFirstEdge = cellFirstNode.map((node) => firstOut[node]);
  const { lengthCm, roadClass, speedKph } = edgeRules(graph, memory);
  const overlay = buildOverlay({ tail, head, cellFirstNode, cellAncestor }, levelCells);
  const { firstIn, inEdges, inRank } = linkAllInEdges(head, nodeCount, kept);
  const nodeFlags = pickUint8(pieces.nodeFlags, nodes, kept.uint8('roads nodeFlags', nodeCount));
  const legality = turnLegality(
    turns,
    { firstOut, firstIn, inEdges, head, tail, reverse, copyOf, speedKph, flags },
    nodeFlags,
    graph.forbidden,
    scratch,
  );
  const zone = endsOnlyZones({ tail, head, flags, speedKph }, nodeCount, travelModes.length, memory);
  const part = connectedParts(
    {
      ...{ firstOut, firstIn, inEdges, head, tail, reverse, copyOf },
      speedKph: graph.hours.length === 0 ? speedKph : openAtAnyHour(speedKph, graph, scratch),
    },
    legality,
    zone,
    travelModes.length,
    memory,
  );
  // Listed one by one: a spread object has a different shape in each build, for which code would be compiled
  // again.
  const arrays = {
    nodeLngE7: pickInt32(pieces.nodeLngE7, nodes, kept.int32('roads nodeLngE7', nodeCount)),
    nodeLatE7: pickInt32(pieces.nodeLatE7, nodes, kept.int32('roads nodeLatE7', nodeCount)),
    firstOut,
    tail,
    head,
    flags,
    reverse,
    copyOf,
    roadClass,
    speedKph,
    lengthCm,
    bearingOut: graph.bearingOut,
    bearingIn: graph.bearingIn,
    firstIn,
    inEdges,
    inRank,
    zone,
    part,
    cellFirstNode,
    cellFirstEdge,
    cellAncestor,
    cellFlags: flagsOfCells(flags, cellFirstEdge),
    loaded: new Uint8Array(cells).fill(1),
    boundaryEdge: overlay.boundaryEdge,
    boundaryTailCell: overlay.boundaryTailCell,
    boundaryHeadCell: overlay.boundaryHeadCell,
    firstEntry: overlay.firstEntry,
    entries: overlay.entries,
    firstExit: overlay.firstExit,
    exits: overlay.exits,
    firstWeight: overlay.firstWeight,
    entryRank: overlay.entryRank,
    exitRank: overlay.exitRank,
  };
  return {
    arrays,
    levelCells,
    nodeFlags,
    forbidden: forbiddenByCell(graph, inRank, cellFirstNode, scratch),
    ends: borderEnds(graph, arrays, scratch),
  };
}

/** Properties of edges from their way. */
function edgeRules({ pieces, piece, flags }: RoadGraph, { scratch, kept }: BuildMemory) {
  const { readings } = pieces;
  const edgeCount = piece.length;
  const reading = pickUint32(pieces.reading, piece, scratch.uint32('readingOfEdge', edgeCount));
  const speedKph = kept.uint8('roads speedKph', travelModes.length * edgeCount);
  for (let mode = 0; mode < travelModes.length; mode++)
    fillSpeeds(
      speedKph.subarray(mode * edgeCount, (mode + 1) * edgeCount),
      reading,
      flags,
      Uint8Array.from(readings, ({ forwardKph }) => forwardKph[mode]),
      Uint8Array.from(readings, ({ backwardKph }) => backwardKph[mode]),
    );
  return {
    lengthCm: pickUint32(pieces.lengthCm, piece, kept.uint32('roads lengthCm', edgeCount)),
    roadClass: pickUint8(
      Uint8Array.from(readings, (rules) => rules.roadClass),
      reading,
      kept.uint8('roads roadClass', edgeCount),
    ),
    speedKph,
  };
}

/** [modes × edges] the speeds, 0 where the mode may go at some hours only. */
function openAtAnyHour(speedKph: Uint8Array, { hours, head }: RoadGraph, scratch: Scratch): Uint8Array {
  const open = scratch.uint8('openAtAnyHour', speedKph.length);
  open.set(speedKph);
  for (const { edges } of hours)
    for (const [mode, ofMode] of edges.entries())
      for (const edge of ofMode) open[mode * head.length + edge] = 0;
  return open;
}

function fillSpeeds(
  into: Uint8Array,
  reading: Uint32Array,
  flags: Uint32Array,
  forward: Uint8Array,
  backward: Uint8Array,
): void {
  for (let edge = 0; edge < into.length; edge++)
    into[edge] = (flags[edge] & edgeFlag.against) === 0 ? forward[reading[edge]] : backward[reading[edge]];
}

function flagsOfCells(flags: Uint32Array, cellFirstEdge: Uint32Array): Uint32Array {
  const cellFlags = new Uint32Array(cellFirstEdge.length - 1);
  for (let cell = 0; cell < cellFlags.length; cell++)
    for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++)
      cellFlags[cell] |= flags[edge];
  return cellFlags;
}

function forbiddenByCell(
  graph: RoadGraph,
  inRank: Uint16Array,
  cellFirstNode: Uint32Array,
  scratch: Scratch,
): number[][] {
  const byCell = Array.from({ length: cellFirstNode.length - 1 }, (): number[] => []);
  const cellOf = scratch.uint32('cellOf', graph.nodes.length);
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
  scratch: Scratch,
): BorderEnds {
  const headInCell = new Uint32Array(boundaryEdge.length);
  const pieceInCell = new Uint32Array(boundaryEdge.length);
  const place = placesOfOwned(piece, flags, reverse, cellFirstEdge, scratch);
  for (const [i, edge] of boundaryEdge.entries()) {
    headInCell[i] = head[edge] - cellFirstNode[boundaryHeadCell[i]];
    if (copyOf[edge] === edge && !ownsPiece(flags[edge], reverse[edge])) pieceInCell[i] = place[piece[edge]];
  }
  return { headInCell, pieceInCell };
}

/** By piece: 1 + its index in the cell that stores it; one edge of every piece decides the cell. */
function placesOfOwned(
  piece: Uint32Array,
  flags: Uint32Array,
  reverse: Int32Array,
  cellFirstEdge: Uint32Array,
  scratch: Scratch,
): Uint32Array {
  const places = scratch.uint32('placesOfOwned', piece.length);
  for (let cell = 0; cell + 1 < cellFirstEdge.length; cell++) {
    let next = 0;
    for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++)
      if (ownsPiece(flags[edge], reverse[edge])) places[piece[edge]] = ++next;
  }
  return places;
}
