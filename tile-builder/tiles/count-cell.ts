import type { CellCount } from '#map-data/tiles/manifest.js';
import { ownsPiece } from '#map-data/tiles/piece-owner.js';
import { snapRowCount } from '#routing-engine/snap/snap-index.js';
import type { RoadGraph } from '../graph/road-graph.js';
import type { CompleteRoads } from './complete-roads.js';
import type { CellLabels } from './encode-labels.js';

/** How much of each column a cell fills. */
export function countCell(
  { pieces, piece }: RoadGraph,
  { arrays }: CompleteRoads,
  turnBytes: number,
  cell: number,
  labels: CellLabels,
): Readonly<Record<CellCount, number>> {
  const { cellFirstNode, cellFirstEdge, firstIn, flags, reverse } = arrays;
  const first = cellFirstNode[cell];
  const end = cellFirstNode[cell + 1];
  const inner: number[] = [];
  for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++)
    if (ownsPiece(flags[edge], reverse[edge]))
      inner.push(pieces.firstShape[piece[edge] + 1] - pieces.firstShape[piece[edge]]);
  return {
    nodes: end - first,
    edges: cellFirstEdge[cell + 1] - cellFirstEdge[cell],
    inEdges: firstIn[end] - firstIn[first],
    pieces: labels.pieces,
    shapePoints: labels.shapePoints,
    nameBytes: labels.nameBytes,
    turnBytes,
    snapRows: snapRowCount(inner),
  };
}
