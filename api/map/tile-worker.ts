import { workerData } from 'node:worker_threads';
import { networkFromShared, type SharedNetwork } from '#routing-engine/network/road-network.js';
import { engineRoads } from '../engine/engine-roads.js';
import { cutGraphTile, type GraphTileTask } from '../graph-tiles/cut-graph-tile.js';
import type { GraphTile } from '../ports/graph-tiles.js';
import { type CutTile, cutTile, type TileAddress } from '../road-tiles/cut-tile.js';
import { RoadTiles } from '../road-tiles/road-tiles.js';

/**
 * Entry of the thread that cuts tiles. It is started with `workerData: { network: SharedNetwork }`. Reading
 * all roads of a city takes a second or two, and a tile up to 300 ms, too long for a server's event loop.
 */
export interface TileWorkerData {
  readonly network: SharedNetwork;
}

const network = networkFromShared((workerData as TileWorkerData).network);
const tiles = new RoadTiles(engineRoads(network, '').lines());

export default function cut(address: TileAddress): CutTile {
  return cutTile(tiles, address);
}

export function graph({ address, metric }: GraphTileTask): GraphTile {
  return cutGraphTile(network, metric, address);
}
