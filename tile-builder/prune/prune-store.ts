import { currentRelease } from '#map-data/release/release.js';
import { manifestKey } from '#map-data/tiles/manifest.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { type HeldUp, whileNobodyBuilds } from './builds-and-prunes.js';
import { publishedSince } from './published-since.js';
import { reachableKeys } from './reachable-keys.js';
import { readUnreachable, writeUnreachable } from './unreachable-since.js';

export interface PruneOptions {
  readonly clock?: () => number;
  /**
   * Objects that no release reaches stay for this long after that was first detected; readers of an earlier
   * release have this much time.
   */
  readonly graceMs: number;
  /** Ends the run before the next object is deleted. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface Pruned {
  readonly reachable: number;
  /** Unreachable but not deleted: not for long enough, or the run ended first. */
  readonly waiting: number;
  readonly deleted: number;
}

/** Objects of builds. Typical weeks, models and accepted roads are not, so they stay. */
const builtPrefixes = ['build-memo/', 'geocode/', 'map-tiles/', 'releases/', 'tilesets/'];
const metricsPrefix = 'metrics/';
const tilesetOfMetric = /^metrics\/([0-9a-f]{16})\//;

/**
 * Deletes objects of earlier releases that the current one does not reach, and metrics of deleted tilesets.
 * An object is deleted in the first run that finds that no release reached it for the complete grace period.
 * Nothing is deleted while a build or another prune runs, or without a release. Throws what reading the
 * release throws when it is damaged.
 */
export async function pruneStore(
  objects: ObjectStore,
  { clock = Date.now, graceMs, signal, onProgress = () => {} }: PruneOptions,
): Promise<Pruned | HeldUp> {
  return whileNobodyBuilds(
    objects,
    async (mayGoOn) => {
      const release = await currentRelease(objects);
      if (release === undefined) return { reachable: 0, waiting: 0, deleted: 0 };
      const reachable = await reachableKeys(objects, release);
      const { reached, announcements } = await publishedSince(objects);
      const before = await readUnreachable(objects);
      const nowMs = clock();
      const since = new Map<string, number>();
      for (const key of await unreachableKeys(objects, reachable))
        since.set(key, reached.has(key) ? nowMs : Math.min(before.get(key) ?? nowMs, nowMs));
      const expired = [...since].filter(([, ms]) => nowMs - ms >= graceMs).map(([key]) => key);
      let deleted = 0;
      for (const key of expired) {
        if (!mayGoOn() || signal?.aborted === true) break;
        await objects.delete(key);
        since.delete(key);
        onProgress(++deleted, expired.length);
      }
      await writeUnreachable(objects, since);
      for (const key of announcements) await objects.delete(key);
      return { reachable: reachable.size, waiting: since.size, deleted };
    },
    clock,
  );
}

/** An object is deleted before the objects to which it refers. */
async function unreachableKeys(
  objects: ObjectStore,
  reachable: ReadonlySet<string>,
): Promise<readonly string[]> {
  const keys: string[] = [];
  const built = new Set<string>();
  for (const prefix of builtPrefixes)
    for await (const key of objects.list(prefix)) {
      built.add(key);
      if (!reachable.has(key)) keys.push(key);
    }
  const metrics: string[] = [];
  for await (const key of objects.list(metricsPrefix)) {
    const tilesetId = tilesetOfMetric.exec(key)?.[1];
    // While the manifest exists, programs may serve these roads and write their metric.
    if (tilesetId !== undefined && !built.has(manifestKey(tilesetId))) metrics.push(key);
  }
  // Of a metric, cells come first in the order of keys: a reader that finds `current` must find the cells
  // that it lists.
  return [...keys, ...metrics.reverse()];
}
