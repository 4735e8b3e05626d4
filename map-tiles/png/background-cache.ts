import { createHash } from 'node:crypto';
import type { ImageData } from '@napi-rs/canvas';
import { LRUCache } from 'lru-cache';
import { mapTileLimits } from '../format/limits.js';

/**
 * Caches the background below the lines of rerendered pictures: most changes affect roads, and the background
 * stays. The least recently used one is evicted.
 */
export class BackgroundCache {
  readonly #grounds = new LRUCache<string, ImageData>({ max: mapTileLimits.keptGrounds });

  /**
   * @param layers the layers of the background.
   */
  at(zoom: number, layers: readonly Uint8Array[]): CachedBackground {
    const hash = createHash('sha256');
    for (const layer of layers) hash.update(layer);
    const key = `${zoom} ${hash.digest('base64')}`;
    return { known: this.#grounds.get(key), keep: (ground) => void this.#grounds.set(key, ground) };
  }
}

export interface CachedBackground {
  readonly known: ImageData | undefined;
  keep(ground: ImageData): void;
}
