import type { RoadNetwork } from '#routing-engine/road-network.js';

/**
 * The navigating-user record of the specification: the tile of the start and ever coarser tiles that hold it, up to
 * the first that holds the destination too. A tile is named `level/cell`, level 0 being the finest.
 */
export function navigationTiles(network: RoadNetwork, startEdge: number, destinationEdge: number): string[] {
  const start = network.edgeCell(startEdge);
  const destination = network.edgeCell(destinationEdge);
  const tiles: string[] = [];
  for (let level = 0; level < network.levelCount; level += 1) {
    const tile = network.ancestor(start, level);
    tiles.push(`${level}/${tile}`);
    if (tile === network.ancestor(destination, level)) break;
  }
  return tiles;
}
