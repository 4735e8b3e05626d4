import { ownsPiece } from '#map-data/tiles/piece-owner.js';
import type { RoadGraph } from '../graph/road-graph.js';
import type { CompleteRoads } from './complete-roads.js';

/**
 * West, south, east, north of a cell in 1e-7 degrees: its nodes, and the road pieces that it stores from end
 * to end.
 */
export function boundsOfCell(
  { pieces, piece }: RoadGraph,
  { arrays }: CompleteRoads,
  cell: number,
): number[] {
  const { cellFirstNode, cellFirstEdge, nodeLngE7, nodeLatE7, head, flags, reverse } = arrays;
  const box = [0x7fffffff, 0x7fffffff, -0x80000000, -0x80000000];
  const add = (lng: number, lat: number): void => {
    if (lng < box[0]) box[0] = lng;
    if (lat < box[1]) box[1] = lat;
    if (lng > box[2]) box[2] = lng;
    if (lat > box[3]) box[3] = lat;
  };
  for (let node = cellFirstNode[cell]; node < cellFirstNode[cell + 1]; node++)
    add(nodeLngE7[node], nodeLatE7[node]);
  for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++) {
    if (!ownsPiece(flags[edge], reverse[edge])) continue;
    add(nodeLngE7[head[edge]], nodeLatE7[head[edge]]);
    for (let i = pieces.firstShape[piece[edge]]; i < pieces.firstShape[piece[edge] + 1]; i++)
      add(pieces.shapeLngE7[i], pieces.shapeLatE7[i]);
  }
  return box;
}

/** In degrees; every node and every shape lies in a cell. */
export function boundsOfAll(cellBounds: readonly number[]): [number, number, number, number] {
  const bounds: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < cellBounds.length; i += 4) {
    bounds[0] = Math.min(bounds[0], cellBounds[i]);
    bounds[1] = Math.min(bounds[1], cellBounds[i + 1]);
    bounds[2] = Math.max(bounds[2], cellBounds[i + 2]);
    bounds[3] = Math.max(bounds[3], cellBounds[i + 3]);
  }
  return [bounds[0] / 1e7, bounds[1] / 1e7, bounds[2] / 1e7, bounds[3] / 1e7];
}
