import type { EdgeHours, NetworkArrays } from '#routing-engine/network/network-arrays.js';
import { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { CellTurns } from './cell-turns.js';
import type { CompleteRoads } from './complete-roads.js';

/**
 * A network for searching its cells, which needs no name and no shape. Its arrays are listed one by one for
 * the same reason as those of `completeRoads`.
 */
export function networkWithoutNames(
  arrays: CompleteRoads['arrays'],
  levelCells: readonly number[],
  hours: readonly EdgeHours[],
  { turnTable, turnCostsDs }: CellTurns,
): RoadNetwork {
  const own: NetworkArrays = {
    nodeLngE7: arrays.nodeLngE7,
    nodeLatE7: arrays.nodeLatE7,
    firstOut: arrays.firstOut,
    tail: arrays.tail,
    head: arrays.head,
    flags: arrays.flags,
    reverse: arrays.reverse,
    copyOf: arrays.copyOf,
    roadClass: arrays.roadClass,
    speedKph: arrays.speedKph,
    lengthCm: arrays.lengthCm,
    bearingOut: arrays.bearingOut,
    bearingIn: arrays.bearingIn,
    firstIn: arrays.firstIn,
    inEdges: arrays.inEdges,
    inRank: arrays.inRank,
    zone: arrays.zone,
    part: arrays.part,
    cellFirstNode: arrays.cellFirstNode,
    cellFirstEdge: arrays.cellFirstEdge,
    cellAncestor: arrays.cellAncestor,
    cellFlags: arrays.cellFlags,
    loaded: arrays.loaded,
    boundaryEdge: arrays.boundaryEdge,
    boundaryTailCell: arrays.boundaryTailCell,
    boundaryHeadCell: arrays.boundaryHeadCell,
    firstEntry: arrays.firstEntry,
    entries: arrays.entries,
    firstExit: arrays.firstExit,
    exits: arrays.exits,
    firstWeight: arrays.firstWeight,
    entryRank: arrays.entryRank,
    exitRank: arrays.exitRank,
    turnTable,
    turnCostsDs,
    nodeOsmId: new Float64Array(0),
    wayId: new Float64Array(0),
    ordinal: new Uint8Array(0),
    name: none,
    ref: none,
    piece: none,
    firstShape: none,
    shapeLngE7: new Int32Array(0),
    shapeLatE7: new Int32Array(0),
    pieceEdge: none,
    pieceSign: none,
    nameAt: none,
    nameBytes: new Uint8Array(0),
    snapBoxes: new Int32Array(0),
    snapPiece: none,
    cellFirstSnap: none,
    cellBounds: new Int32Array(0),
    wayIds: new Float64Array(0),
    wayCells: none,
    zoneCells: none,
    freeFlowWeightsMs: new Int32Array(0),
    landmarksMs: new Int32Array(0),
    landmarksMade: new Int32Array(0),
  };
  return new RoadNetwork(
    {
      ...{ tilesetId: '', bounds: [0, 0, 0, 0], cellCounts: levelCells },
      ...{ drivingSide: 'right', hours, limits: [] },
    },
    own,
  );
}

const none = new Uint32Array(0);
