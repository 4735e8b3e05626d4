import { createHash } from 'node:crypto';
import type { ImageData } from '@napi-rs/canvas';
import { LRUCache } from 'lru-cache';
import { mapTileLimits } from '../format/limits.js';

/**
 * The part below the lines of pictures that were rendered again: most changes are of roads, and the ground of
 * their pictures is unchanged. The least recently used one is evicted.
 */
export class KeptGrounds {
  readonly #grounds = new LRUCache<string, ImageData>({ max: mapTileLimits.keptGrounds });

  /** @param layers those that the ground is painted of. */
  at(zoom: number, layers: readonly Uint8Array[]): KeptGround {
    const hash = createHash('sha256');
    for (const layer of layers) hash.update(layer);
    const key = `${zoom} ${hash.digest('base64')}`;
    return { known: this.#grounds.get(key), keep: (ground) => void this.#grounds.set(key, ground) };
  }
}

export interface KeptGround {
  readonly known: ImageData | undefined;
  keep(ground: ImageData): void;
}
