import { currentRelease, type Release } from '#map-data/release/release.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { Context } from '../context.js';

/** A new release is opened this long after its pointer was moved, at most. */
const lookEveryMs = 2_000;

/**
 * Passes every new release of the store to `take`, one at a time. If a release cannot be read or applied, the
 * error is logged, the current release keeps serving, and the next poll tries again.
 */
export function followReleases(
  context: Context,
  objects: ObjectStore,
  servingId: string,
  take: (release: Release) => Promise<void>,
): void {
  const { logger } = context;
  let serving = servingId;
  let looking: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    try {
      const release = await currentRelease(objects);
      if (release === undefined || release.releaseId === serving) return;
      const startedMs = performance.now();
      logger.info('opening a new map release', { ...release });
      await take(release);
      serving = release.releaseId;
      const seconds = Math.round(performance.now() - startedMs) / 1_000;
      logger.info('switched to the new map release', { ...release, seconds });
    } catch (error) {
      if (context.signal.aborted) return;
      logger.error('the new map release cannot be served; the previous one stays', {
        cause: (error as Error).message,
      });
    }
  };
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, lookEveryMs);
  context.onStop('followed releases', async () => {
    clearInterval(timer);
    await looking;
  });
}
