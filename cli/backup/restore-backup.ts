import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { finishCopiedCluster } from '#platform/sql/cluster-folder.js';
import { CommandFailed, exitCode } from '../exit.js';
import { mustEqual } from './check-backup.js';
import { copyFile } from './copy-file.js';
import type { Manifest } from './manifest.js';

/**
 * Copies every file of a backup into a new folder and compares it with the manifest on the way. Throws
 * `CommandFailed` at the first that differs; the caller removes the folder.
 */
export async function restoreBackup(
  from: string,
  manifest: Manifest,
  into: string,
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
): Promise<void> {
  for (const folder of manifest.folders) await mkdir(join(into, folder), { recursive: true });
  let bytes = 0;
  for (const file of manifest.files) {
    if (signal.aborted)
      throw new CommandFailed('The restore was interrupted; nothing of it is left.', exitCode.interrupted);
    mustEqual(from, file, await copyFile(join(from, file.path), join(into, file.path)));
    bytes += file.bytes;
    onBytes(bytes);
  }
  if (manifest.postgres !== null) await finishCopiedCluster(join(into, 'sql'));
}
