import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flushFolders } from '#platform/config/flush-folders.js';
import type { Config } from '#platform/config/settings.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import { rebuildFolderOf } from '#platform/location-store/interrupted-rebuild.js';
import type { LocationStore } from '#platform/location-store/location-store.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { openTopicCodecs, type TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { LocationBatch } from '#schemas/location.js';
import { locationBatchRecorded } from '#schemas/topics.js';
import type { UserId } from '#schemas/units.js';
import { openLocations, openLog, openRegistry } from '../../adapters.js';

export interface RebuiltLocations {
  readonly batches: number;
  readonly erasures: number;
  /** Records that are no batches; the writer puts those among the dead letters. */
  readonly unreadable: number;
  /** Unix milliseconds of the oldest point in the log; absent if it has none. */
  readonly oldestMs?: number;
  /** Where the damaged store is now; absent if there was none. */
  readonly keptAt?: string;
}

const batchesAtOnce = 500;

/**
 * Writes a new location store beside the old one from the log, with all batches and erasures in their order,
 * and lets it take the place of the old one, which is kept. The folder of the new one says until the end that
 * the work is not done: after a kill at any step no program opens the store, and another call does all again.
 */
export async function rebuildLocations(config: Config, folder: string): Promise<RebuiltLocations> {
  const rebuilding = rebuildFolderOf(folder);
  await rm(rebuilding, { recursive: true, force: true });
  await mkdir(rebuilding, { recursive: true });
  let replayed: Omit<RebuiltLocations, 'keptAt'>;
  try {
    replayed = await replay({ ...config, LOCATIONS: `lmdb:${rebuilding}` });
  } catch (error) {
    // The old store is as it was.
    await rm(rebuilding, { recursive: true, force: true });
    throw error;
  }
  // So that a power cut does not bring back names from before.
  await flushFolders(rebuilding, { below: false });
  const aside = `${folder}.damaged-${Date.now()}`;
  const isThere = await rename(folder, aside).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  await rename(rebuilding, folder);
  await flushFolders(dirname(folder), { below: false });
  return { ...replayed, ...(isThere ? { keptAt: aside } : {}) };
}

async function replay(config: Config): Promise<Omit<RebuiltLocations, 'keptAt'>> {
  const log = await openLog(config, silentLogger);
  const registry = await openRegistry(config);
  const store = await openLocations(config);
  try {
    const { locationBatchRecorded: codec } = await openTopicCodecs(registry);
    await store.prepare();
    return await copied(log, codec, store);
  } finally {
    await store.close();
    await registry.close();
    await log.close();
  }
}

async function copied(
  log: EventLog,
  codec: TopicCodecs['locationBatchRecorded'],
  store: LocationStore,
): Promise<Omit<RebuiltLocations, 'keptAt'>> {
  const { name } = locationBatchRecorded;
  let waiting: LocationBatch[] = [];
  let [batches, erasures, unreadable, oldestMs] = [0, 0, 0, Number.POSITIVE_INFINITY];
  const flush = async (): Promise<void> => {
    await store.write(waiting);
    batches += waiting.length;
    waiting = [];
  };
  for (const { partition, earliest } of await log.offsets(name)) {
    for await (const { key, value } of log.read(name, partition, earliest)) {
      if (value === null) {
        // Points before it are deleted, points behind it stay.
        await flush();
        await store.erase(key as UserId);
        erasures += 1;
        continue;
      }
      const batch = decoded(codec, value);
      if (batch === undefined) {
        unreadable += 1;
        continue;
      }
      for (const ms of batch.points.timeMs) oldestMs = Math.min(oldestMs, ms);
      if (waiting.push(batch) >= batchesAtOnce) await flush();
    }
    await flush();
  }
  return { batches, erasures, unreadable, ...(Number.isFinite(oldestMs) ? { oldestMs } : {}) };
}

function decoded(codec: TopicCodecs['locationBatchRecorded'], value: Uint8Array): LocationBatch | undefined {
  try {
    return codec.decode(value);
  } catch {
    return undefined;
  }
}
