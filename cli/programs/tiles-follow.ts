import type { ReleaseOptions } from '#tile-builder/build-release.js';
import { type FollowedRelease, followChanges } from '#tile-builder/follow/follow-changes.js';
import { openObjects } from '../adapters.js';
import { type BuildProgress, buildProgress } from '../open/build-progress.js';
import { mapSource, noteSource, statOf } from '../open/open-map.js';
import { readSettings } from '../read-settings.js';

export interface TilesFollowOptions extends Pick<ReleaseOptions, 'map' | 'reuse'> {
  readonly changes: string;
  readonly intervalMs: number;
  readonly json: boolean;
}

/**
 * Updates the release of an extract from change files, until SIGTERM or SIGINT; a running build ends first.
 */
export async function followTiles(
  extract: string,
  { changes: folder, json, ...options }: TilesFollowOptions,
): Promise<void> {
  const source = mapSource(extract);
  await statOf(source);
  const config = readSettings();
  const objects = await openObjects(config);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  let progress: BuildProgress | undefined;
  const endProgress = (): void => {
    progress?.end();
    progress = undefined;
  };
  let startedMs = performance.now();
  try {
    await followChanges(objects, {
      ...options,
      folder,
      extract: source.file,
      signal: stop.signal,
      onProgress: (...shown) => {
        if (progress === undefined) startedMs = performance.now();
        progress ??= buildProgress();
        progress.show(...shown);
      },
      onRelease: async (release) => {
        endProgress();
        await noteSource(config, source, release.releaseId);
        const seconds = (performance.now() - startedMs) / 1_000;
        console.log(json ? JSON.stringify({ ...release, seconds }) : describe(release, seconds));
      },
      onFault: (fault) => {
        endProgress();
        console.error(`${fault.message}; retrying`);
      },
    });
  } finally {
    endProgress();
    await objects.close();
  }
}

function describe({ releaseId, newFiles, standing }: FollowedRelease, seconds: number): string {
  const { files, last } = standing;
  const upTo = files === 0 ? 'no change file yet' : `${files} change files up to ${last}, ${newFiles} new`;
  return `release ${releaseId} is now served: ${upTo}, built in ${seconds.toFixed(1)} s`;
}
