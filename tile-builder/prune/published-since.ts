import { CorruptRelease, readRelease } from '#map-data/release/release.js';
import { CorruptTileset, TilesetNotFound } from '#map-data/tiles/tile-source.js';
import { CorruptMapTiles } from '#map-tiles/format/open-map-tiles.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { publishedPrefix } from './published-prefix.js';
import { reachableKeys } from './reachable-keys.js';

export interface PublishedSince {
  /** Objects reached by releases that were published since the last run. */
  readonly reached: ReadonlySet<string>;
  /** Objects that announced them; they are deleted when this run has recorded it. */
  readonly announcements: readonly string[];
}

/**
 * An object that no release reached in the last run and none reaches now may have been in use in between,
 * until a moment ago. An unreadable release did not serve.
 */
export async function publishedSince(objects: ObjectStore): Promise<PublishedSince> {
  const reached = new Set<string>();
  const announcements: string[] = [];
  for await (const key of objects.list(publishedPrefix)) {
    announcements.push(key);
    try {
      const release = await readRelease(objects, key.slice(publishedPrefix.length));
      for (const one of await reachableKeys(objects, release)) reached.add(one);
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
  }
  return { reached, announcements };
}

const damages = [CorruptRelease, CorruptTileset, TilesetNotFound, CorruptMapTiles];
const isDamage = (error: unknown): boolean => damages.some((damage) => error instanceof damage);
