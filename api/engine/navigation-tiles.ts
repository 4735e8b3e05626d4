import type { RoadNetwork } from '#routing-engine/network/road-network.js';

/** See `Roads.tilesBetween`. The last level is one cell, so the list always ends. */
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
