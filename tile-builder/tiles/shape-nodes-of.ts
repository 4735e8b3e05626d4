import { ownsPiece } from '#map-data/tiles/piece-owner.js';
import type { RoadGraph } from '../graph/road-graph.js';
import type { CompleteRoads } from './complete-roads.js';

/** Ids of the points between crossings, of the pieces that a cell stores, in the order of its shapes. */
export function* shapeNodesOf(
  { pieces, piece }: RoadGraph,
  { arrays: { cellFirstEdge, flags, copyOf, reverse } }: CompleteRoads,
  cell: number,
): Iterable<number> {
  const { firstShape, shapeOsmId } = pieces;
  for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++) {
    if (copyOf[edge] !== edge || !ownsPiece(flags[edge], reverse[edge])) continue;
    const own = piece[edge];
    for (let point = firstShape[own]; point < firstShape[own + 1]; point++) yield shapeOsmId[point];
  }
}
