import type { Roads } from '../roads/roads.js';
import { cutTile } from './cut-tile.js';
import { RoadTiles } from './road-tiles.js';
import { TileCache } from './tile-cache.js';

/** Tiles that are cut on the event loop, without threads: well for a small town only. */
export function tilesHere(roads: Roads): TileCache {
  const tiles = new RoadTiles(roads.lines());
  return new TileCache((address) => cutTile(tiles, address));
}
