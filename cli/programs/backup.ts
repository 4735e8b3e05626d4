import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beginFolder, isInside } from '../backup/backup-folder.js';
import { BackupWriter } from '../backup/backup-writer.js';
import { embeddedFolders } from '../backup/embedded-folders.js';
import type { Manifest } from '../backup/manifest.js';
import { writeBackup } from '../backup/write-backup.js';
import { CommandFailed, exitCode } from '../exit.js';
import { openInstallation } from '../installation.js';
import { buildProgress } from '../open/build-progress.js';
import { readSettings } from '../read-settings.js';

/** Copies everything embedded into a new folder, while programs use it. */
export async function backUp(folder: string, json: boolean): Promise<void> {
  const config = readSettings();
  const data = config.MERIDIAN_DATA;
  const stores = embeddedFolders(config);
  if ((await stat(data).catch(() => undefined))?.isDirectory() !== true)
    throw new CommandFailed(`There is no data folder ${resolve(data)}.`, exitCode.notFound);
  for (const source of [data, ...Object.values(stores)])
    if (isInside(folder, source))
      throw new CommandFailed(`${folder} is inside ${source}. Name a folder elsewhere.`, exitCode.usage);
  const installation = await openInstallation(data);
  const begun = await beginFolder(folder, 'backup');
  if (typeof begun === 'string') throw new CommandFailed(begun, exitCode.usage);
  const stop = stopOnSignal();
  const progress = buildProgress();
  const bytesTotal = await bytesIn([data, ...Object.values(stores)]);
  let phase = '';
  const writer = new BackupWriter({
    into: begun.partial,
    signal: stop,
    onBytes: (bytes) => progress.show(phase, Math.min(bytes, bytesTotal), bytesTotal),
  });
  try {
    const { manifest, leftOut } = await writeBackup(config, stores, installation, writer, (next) => {
      phase = next;
    });
    await begun.finish();
    progress.end();
    report(folder, manifest, leftOut, json);
  } catch (error) {
    await begun.giveUp();
    throw error;
  } finally {
    progress.end();
  }
}

function report(folder: string, manifest: Manifest, leftOut: readonly string[], json: boolean): void {
  const { installation, files, begunMs, takenMs, endedMs, log } = manifest;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const taken = new Date(takenMs).toISOString();
  if (json) {
    console.log(
      JSON.stringify({
        folder: resolve(folder),
        installation,
        taken_at: taken,
        files: files.length,
        bytes,
        took_ms: endedMs - begunMs,
        log_ends: log,
        not_included: leftOut,
      }),
    );
    return;
  }
  const seconds = ((endedMs - begunMs) / 1_000).toFixed(1);
  console.log(
    `${folder} has everything up to ${taken}: ${files.length} files, ${mebibytes(bytes)} MiB, ${seconds} s`,
  );
  if (leftOut.length > 0) console.log(`not part of a backup: ${leftOut.join(', ')}`);
}

export const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);

/** SIGINT and SIGTERM end the work after the current file. */
export function stopOnSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

/** What the files occupy, for the progress. LMDB's files are mostly holes before they are written. */
async function bytesIn(folders: readonly string[]): Promise<number> {
  const counted = new Set<string>();
  let bytes = 0;
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = resolve(join(entry.parentPath, entry.name));
      if (!entry.isFile() || counted.has(path)) continue;
      counted.add(path);
      const found = await stat(path).catch(() => undefined);
      bytes += Math.min(found?.size ?? 0, (found?.blocks ?? 0) * 512);
    }
  }
  return bytes;
}
