import { resolve } from 'node:path';
import { beginFolder, isInside } from '../backup/backup-folder.js';
import { checkContents, checkUsable } from '../backup/check-backup.js';
import { type Manifest, readManifest } from '../backup/manifest.js';
import { restoreBackup } from '../backup/restore-backup.js';
import { CommandFailed, exitCode } from '../exit.js';
import { buildProgress } from '../open/build-progress.js';
import { readSettings } from '../read-settings.js';
import { mebibytes, stopOnSignal } from './backup.js';

export interface RestoreOptions {
  readonly to?: string;
  readonly installation?: string;
  readonly check?: true;
  readonly json?: true;
}

/** Restores a backup into an empty folder, or only reads all of it and compares it with its manifest. */
export async function restore(backup: string, options: RestoreOptions): Promise<void> {
  const target = options.to ?? readSettings().MERIDIAN_DATA;
  const manifest = await readManifest(backup);
  await checkUsable(backup, manifest, options.installation);
  const progress = buildProgress();
  const bytesTotal = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const onBytes = (bytes: number): void => progress.show('files', bytes, bytesTotal);
  try {
    if (options.check === true) await checkContents(backup, manifest, onBytes);
    else await restoreInto(target, backup, manifest, onBytes);
  } finally {
    progress.end();
  }
  report(options.check === true ? undefined : target, backup, manifest, bytesTotal, options.json === true);
}

async function restoreInto(
  target: string,
  backup: string,
  manifest: Manifest,
  onBytes: (bytes: number) => void,
): Promise<void> {
  if (isInside(target, backup))
    throw new CommandFailed(`${target} is inside the backup. Name another folder.`, exitCode.usage);
  const begun = await beginFolder(target, 'restore');
  if (typeof begun === 'string') throw new CommandFailed(`${begun} Nothing was restored.`, exitCode.usage);
  try {
    await restoreBackup(backup, manifest, begun.partial, { signal: stopOnSignal(), onBytes });
    await begun.finish();
  } catch (error) {
    await begun.giveUp();
    throw error;
  }
}

function report(
  target: string | undefined,
  backup: string,
  { installation, files, takenMs, log }: Manifest,
  bytes: number,
  json: boolean,
): void {
  const taken = new Date(takenMs).toISOString();
  if (json) {
    const restored = target === undefined ? {} : { folder: resolve(target) };
    const about = { installation, taken_at: taken, files: files.length, bytes, log_ends: log };
    console.log(JSON.stringify({ ...restored, backup: resolve(backup), ...about }));
  } else if (target === undefined)
    console.log(`${backup} is whole: ${files.length} files, ${mebibytes(bytes)} MiB, up to ${taken}`);
  else
    console.log(
      `${target} has everything up to ${taken}: ${files.length} files, ${mebibytes(bytes)} MiB. ` +
        `Start it with MERIDIAN_DATA=${target}`,
    );
}
