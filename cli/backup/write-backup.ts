import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '#platform/config/settings.js';
import { copyLog, type LogCopy } from '#platform/event-log/copy-log.js';
import { copyLmdbFolder } from '#platform/lmdb/copy-environment.js';
import { ClusterBackup, type ClusterEnd, hasCluster } from '#platform/sql/cluster-backup.js';
import { type Installation, installationFile } from '../installation.js';
import { version } from '../version.js';
import type { BackupWriter } from './backup-writer.js';
import type { EmbeddedFolders } from './embedded-folders.js';
import type { Manifest } from './manifest.js';
import { beforeTheLog, isPointer, keysAfterTheLog, objectKeys } from './object-order.js';
import { outboxes } from './outboxes.js';

/** Single files of the data folder. */
const plainFiles = ['map.json', 'guest.key', 'pseudonym.key', installationFile];
/** Folders of plain files, which only grow or never change. */
const plainFolders = ['dev-issuer', 'mail', 'psp'];
/** Of running processes, or of requests that are not answered yet. */
const passing = new Set(['locks', 'uploads']);

/** The next phase begins when it resolves. */
export type ShowPhase = (phase: string) => void | Promise<void>;

/**
 * Copies everything embedded while programs use it, in the order of docs/adr/0174-order-of-a-backup.md: what
 * is named by offsets of the log, then the log and the database at one instant, then all that they refer to.
 */
export async function writeBackup(
  { MERIDIAN_DATA: data }: Pick<Config, 'MERIDIAN_DATA'>,
  stores: EmbeddedFolders,
  installation: Installation,
  writer: BackupWriter,
  show: ShowPhase,
): Promise<{ readonly manifest: Manifest; readonly leftOut: readonly string[] }> {
  const begunMs = Date.now();
  const database = (await hasCluster(stores.sql)) ? await ClusterBackup.begin(stores.sql) : undefined;
  try {
    await show('database');
    if (database !== undefined) await copyCluster(database, writer);
    await show('snapshots');
    for (const prefix of beforeTheLog) {
      const known = new Set(writer.files.map(({ path }) => path));
      const keys = await objectKeys(stores.objects, prefix);
      await writer.copyAll(
        stores.objects,
        'objects',
        keys.filter((key) => !known.has(`objects/${key}`)),
      );
    }
    await show('event log');
    const { log, takenMs } = await copyAtOneInstant(stores, database, writer, show);
    const ends = await log?.whole;
    if (log !== undefined) await writer.noteFolder('log');
    await show('locations');
    await copyStore(stores.locations, 'locations', writer);
    await copyStore(stores.schemas, 'schemas', writer);
    await show('objects');
    const pointers = (await keysAfterTheLog(stores.objects)).filter(isPointer);
    await writer.copyAll(stores.objects, 'objects', pointers);
    const others = (await keysAfterTheLog(stores.objects)).filter((key) => !isPointer(key));
    await writer.copyAll(stores.objects, 'objects', others);
    await show('the rest');
    const leftOut = await copyRest(data, stores, writer);
    const manifest = await writer.finish({
      ...installation,
      meridian: version,
      platform: `${process.platform}-${process.arch}`,
      postgres: database === undefined ? null : await majorOf(database),
      begunMs,
      takenMs,
      endedMs: Date.now(),
      log: ends ?? {},
    });
    return { manifest, leftOut };
  } finally {
    await database?.close();
  }
}

const cluster = 'sql/home/cluster';

async function copyCluster(database: ClusterBackup, writer: BackupWriter): Promise<void> {
  const { folders, files } = await database.files();
  for (const folder of folders) await writer.makeFolder(`${cluster}/${folder}`);
  await writer.copyAll(join(database.home, 'cluster'), cluster, files);
  await writer.copy(join(database.home, 'password'), 'sql/home/password');
}

/**
 * While no event leaves an outbox: what the database has handed over is in the log, and of what the log has
 * the database knows.
 */
async function copyAtOneInstant(
  stores: EmbeddedFolders,
  database: ClusterBackup | undefined,
  writer: BackupWriter,
  show: ShowPhase,
): Promise<{ readonly log: LogCopy | undefined; readonly takenMs: number }> {
  const begin = (): LogCopy => copyLog(stores.log, writer.place('log'));
  const hasLog = await isStore(stores.log);
  if (database === undefined) {
    const log = hasLog ? begin() : undefined;
    await log?.taken;
    return { log, takenMs: Date.now() };
  }
  const { log, takenMs, end } = await database.holdWrites(outboxes, async () => {
    const taken = hasLog ? begin() : undefined;
    await taken?.taken;
    await show('instant');
    return { log: taken, end: await database.end(), takenMs: Date.now() };
  });
  await copyWriteAheadLog(database, end, writer);
  return { log, takenMs };
}

async function copyWriteAheadLog(
  { home }: ClusterBackup,
  { label, segments }: ClusterEnd,
  writer: BackupWriter,
): Promise<void> {
  for (const segment of segments)
    if (!(await writer.copy(join(home, 'cluster', 'pg_wal', segment), `${cluster}/pg_wal/${segment}`)))
      throw new Error(`The database removed ${segment} of its write-ahead log too early. Try again.`);
  await writer.write(`${cluster}/backup_label`, label);
}

async function copyStore(folder: string, name: string, writer: BackupWriter): Promise<void> {
  if (!(await isStore(folder))) return;
  await copyLmdbFolder(folder, writer.place(name));
  await writer.noteFolder(name);
}

const isStore = (folder: string): Promise<boolean> =>
  stat(join(folder, 'data.mdb')).then(
    ({ size }) => size > 0,
    () => false,
  );

/** Resolves with what lies in the data folder and is not part of a backup. */
async function copyRest(
  data: string,
  stores: EmbeddedFolders,
  writer: BackupWriter,
): Promise<readonly string[]> {
  const stored = new Set(Object.values(stores).map((folder) => resolve(folder)));
  const leftOut: string[] = [];
  for (const entry of await readdir(data, { withFileTypes: true })) {
    const { name } = entry;
    const path = join(data, name);
    if (stored.has(resolve(path)) || passing.has(name)) continue;
    if (entry.isFile() && plainFiles.includes(name)) await writer.copy(path, name);
    else if (entry.isDirectory() && plainFolders.includes(name))
      await writer.copyAll(path, name, await objectKeys(path, ''));
    else leftOut.push(name);
  }
  return leftOut.toSorted();
}

const majorOf = async ({ home }: ClusterBackup): Promise<string> =>
  (await readFile(join(home, 'cluster', 'PG_VERSION'), 'utf8')).trim();
