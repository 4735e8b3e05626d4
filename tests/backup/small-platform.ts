import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackupWriter } from '#cli/backup/backup-writer.js';
import type { EmbeddedFolders } from '#cli/backup/embedded-folders.js';
import type { Manifest } from '#cli/backup/manifest.js';
import { writeBackup } from '#cli/backup/write-backup.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import { openObjectStore } from '#platform/object-store/open-object-store.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { locationBatchRecorded, topics } from '#schemas/topics.js';

/** A data folder with a few records, points and objects, and no database; made in a moment. */
export interface SmallPlatform {
  readonly root: string;
  readonly data: string;
  readonly stores: EmbeddedFolders;
  readonly log: EventLog;
  /** Makes a backup in a new folder. */
  backUp(name: string, onFile?: () => void): Promise<Manifest>;
  close(): Promise<void>;
}

export async function openSmallPlatform(): Promise<SmallPlatform> {
  const root = await mkdtemp(join(tmpdir(), 'meridian-backup-'));
  const data = join(root, 'data');
  const folder = (name: string): string => join(data, name);
  const stores = {
    log: folder('log'),
    schemas: folder('schemas'),
    locations: folder('locations'),
    objects: folder('objects'),
    sql: folder('sql'),
  };
  const log = await openEventLog(`embedded:${stores.log}`);
  await log.createTopics(topics);
  const value = Buffer.from('a record');
  await log.append(locationBatchRecorded.name, [
    { key: 'u1', value },
    { key: 'u2', value },
  ]);
  await (await openSchemaRegistry(`embedded:${stores.schemas}`)).close();
  const locations = await openLocationStore(`lmdb:${stores.locations}`);
  await locations.prepare();
  await locations.close();
  const objects = await openObjectStore(`dir:${stores.objects}`);
  await objects.put('releases/current', Buffer.from('0123456789abcdef'));
  await objects.put('state/traffic/00000.snapshot', Buffer.from('a snapshot'));
  await objects.close();
  await mkdir(folder('psp'), { recursive: true });
  await writeFile(join(folder('psp'), 'record.ndjson'), '{"seq":1}\n');
  await writeFile(folder('guest.key'), 'a key');
  return {
    ...{ root, data, stores, log },
    async backUp(name, onFile = () => {}) {
      const into = join(root, name);
      await mkdir(into);
      const writer = new BackupWriter({ into, signal: new AbortController().signal, onBytes: onFile });
      const installation = { installation: '00000000-0000-0000-0000-000000000000', data: 1 };
      const { manifest } = await writeBackup({ MERIDIAN_DATA: data }, stores, installation, writer, () => {});
      return manifest;
    },
    async close() {
      await log.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
