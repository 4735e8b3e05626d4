import type { Roads } from '../ports/roads.js';
import { cutTile } from '../road-tiles/cut-tile.js';
import { RoadTiles } from '../road-tiles/road-tiles.js';
import { TileCache } from '../road-tiles/tile-cache.js';

/** Tiles that are cut on the event loop, without threads; suits only small towns. */
export function tilesOnEventLoop(roads: Roads): TileCache {
  const tiles = new RoadTiles(roads.lines());
  return new TileCache((address) => cutTile(tiles, address));
}
