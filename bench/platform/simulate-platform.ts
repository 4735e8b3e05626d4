import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import { landmarksCount } from '#processors/limits.js';
import { makeLandmarks } from '#processors/reroute/landmarks.js';
import { type PlatformRun, type PlatformRunSettings, runPlatform } from './platform-run.js';

/** A Monday. */
export const startMs = 1_794_787_200_000;

/** Prepares, in real time, what a run needs of the disk, and runs it. */
export async function simulatePlatform(
  settings: Omit<PlatformRunSettings, 'codecs' | 'landmarks' | 'startMs'>,
): Promise<PlatformRun> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-platform-'));
  const registry = await openSchemaRegistry(`embedded:${join(folder, 'schemas')}`);
  try {
    const codecs = await openTopicCodecs(registry);
    const landmarks = makeLandmarks(settings.network, landmarksCount);
    return await runPlatform({ ...settings, codecs, landmarks, startMs });
  } finally {
    await registry.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
