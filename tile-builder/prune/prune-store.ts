import type { ObjectStore } from '#platform/object-store/object-store.js';
import { currentRelease } from '../release.js';
import { whileNobodyBuilds } from './builds-and-prunes.js';
import { reachableKeys } from './reachable-keys.js';
import { readUnreachable, writeUnreachable } from './unreachable-since.js';

export interface PruneOptions {
  readonly clock?: () => number;
  /** What no release reaches stays for so long after that was first seen; whoever reads an earlier release has this time. */
  readonly graceMs: number;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface Pruned {
  readonly reachable: number;
  /** Unreachable, and not for long enough. */
  readonly waiting: number;
  readonly deleted: number;
}

/** What builds write. Learnt weeks, metrics and accepted roads are no build's, and stay. */
const builtPrefixes = ['build-memo/', 'geocode/', 'map-tiles/', 'releases/', 'tilesets/'];

/**
 * Deletes what builds of earlier releases left and the present one does not reach. An object goes in the first run that finds it
 * unreachable for the whole grace. Undefined, and nothing is deleted, while a build or another prune runs. Without a release nothing is
 * deleted; throws what reading it throws when it is damaged.
 */
export async function pruneStore(
  objects: ObjectStore,
  { clock = Date.now, graceMs, onProgress = () => {} }: PruneOptions,
): Promise<Pruned | undefined> {
  return whileNobodyBuilds(
    objects,
    async (mayGoOn) => {
      const release = await currentRelease(objects);
      if (release === undefined) return { reachable: 0, waiting: 0, deleted: 0 };
      const reachable = await reachableKeys(objects, release);
      const before = await readUnreachable(objects);
      const nowMs = clock();
      const since = new Map<string, number>();
      for (const prefix of builtPrefixes)
        for await (const key of objects.list(prefix))
          if (!reachable.has(key)) since.set(key, Math.min(before.get(key) ?? nowMs, nowMs));
      const expired = [...since].filter(([, ms]) => nowMs - ms >= graceMs).map(([key]) => key);
      let deleted = 0;
      for (const key of expired) {
        if (!mayGoOn()) break;
        await objects.delete(key);
        since.delete(key);
        onProgress(++deleted, expired.length);
      }
      await writeUnreachable(objects, since);
      return { reachable: reachable.size, waiting: since.size, deleted };
    },
    clock,
  );
}
