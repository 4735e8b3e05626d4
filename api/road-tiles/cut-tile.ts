import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { RoadTiles } from './road-tiles.js';

export interface TileAddress {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

export interface CutTile {
  /** Compressed; empty when nothing is drawn in the tile. */
  readonly gzip: Uint8Array;
  /** Strong: a hash of the uncompressed bytes, so all instances return the same. */
  readonly etag: string;
}

/** One tile, ready to be cached and sent. */
export function cutTile(tiles: RoadTiles, { z, x, y }: TileAddress): CutTile {
  const bytes = tiles.cut(z, x, y);
  if (bytes === undefined) return { gzip: new Uint8Array(), etag: '"empty"' };
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { gzip: gzipSync(bytes), etag: `"${hash}"` };
}
