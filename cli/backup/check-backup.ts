import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { postgresMajor } from '#platform/sql/postgres-programs.js';
import { CommandFailed } from '../exit.js';
import { hashFile } from './copy-file.js';
import type { BackedUpFile, Manifest } from './manifest.js';

/** Throws `CommandFailed` if this machine cannot use the backup, or a file is missing or too short. */
export async function checkUsable(
  folder: string,
  manifest: Manifest,
  installation: string | undefined,
): Promise<void> {
  if (installation !== undefined && manifest.installation !== installation)
    throw refusal(folder, `is of the installation ${manifest.installation}`);
  if (manifest.postgres !== null) {
    const here = `${process.platform}-${process.arch}`;
    if (manifest.platform !== here)
      throw refusal(folder, `has a database of ${manifest.platform}, which ${here} cannot read`);
    const own = postgresMajor();
    if (manifest.postgres !== own)
      throw refusal(folder, `has a database of PostgreSQL ${manifest.postgres}; this program carries ${own}`);
  }
  for (const path of [...manifest.folders, ...manifest.files.map((file) => file.path)])
    if (!staysInside(path)) throw refusal(folder, `is damaged: it names a file outside of itself`);
  for (const file of manifest.files) {
    const found = await stat(join(folder, file.path)).catch(() => undefined);
    if (found?.isFile() !== true) throw refusal(folder, `is cut short: ${file.path} is missing`);
    if (found.size !== file.bytes) throw wrongLength(folder, file, found.size);
  }
}

/** Reads every file. Throws `CommandFailed` if one differs from the manifest. */
export async function checkContents(
  folder: string,
  manifest: Manifest,
  onBytes: (bytes: number) => void,
): Promise<void> {
  let bytes = 0;
  for (const file of manifest.files) {
    mustEqual(folder, file, await hashFile(join(folder, file.path)));
    bytes += file.bytes;
    onBytes(bytes);
  }
}

/** Throws `CommandFailed` if what was read of a file is not what the manifest says. */
export function mustEqual(
  folder: string,
  file: BackedUpFile,
  read: Pick<BackedUpFile, 'bytes' | 'sha256'> | undefined,
): void {
  if (read === undefined) throw refusal(folder, `is cut short: ${file.path} is missing`);
  if (read.bytes !== file.bytes) throw wrongLength(folder, file, read.bytes);
  if (read.sha256 !== file.sha256)
    throw refusal(folder, `is damaged: ${file.path} does not match its checksum`);
}

const wrongLength = (folder: string, { path, bytes }: BackedUpFile, found: number): CommandFailed =>
  refusal(folder, `is cut short or changed: ${path} has ${found} bytes instead of ${bytes}`);

const refusal = (folder: string, why: string): CommandFailed =>
  new CommandFailed(`${folder} ${why}. Nothing was restored.`);

function staysInside(path: string): boolean {
  const parts = path.split(/[\\/]/);
  return !isAbsolute(path) && parts.every((part) => part !== '' && part !== '..');
}
