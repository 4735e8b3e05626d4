import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogEnds } from '#platform/event-log/copy-log.js';
import { dataVersion } from '../data-version.js';
import { CommandFailed, exitCode } from '../exit.js';
import type { Installation } from '../installation.js';

export interface BackedUpFile {
  /** Relative to the data folder, parts separated by `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What a backup contains; docs/formats/backup.md. */
export interface Manifest extends Installation {
  /** Of Meridian, for people. */
  readonly meridian: string;
  /** `linux-x64`: the database can only be read on its own kind of machine. */
  readonly platform: string;
  /** Major version of the database; null if there is none. */
  readonly postgres: string | null;
  readonly begunMs: number;
  /** The instant that the event log and the database have in common. */
  readonly takenMs: number;
  readonly endedMs: number;
  readonly log: LogEnds;
  /** Folders that must exist, with files or without. */
  readonly folders: readonly string[];
  readonly files: readonly BackedUpFile[];
}

export const manifestFile = 'backup.manifest';
const formatVersion = 1;
const firstLine = /^meridian-backup (\d{1,6}) ([0-9a-f]{64})$/;

export function encodeManifest(manifest: Manifest): string {
  const body = JSON.stringify(manifest, undefined, 1);
  return `meridian-backup ${formatVersion} ${sha256(body)}\n${body}`;
}

/**
 * Of a whole backup in `folder`. Throws `CommandFailed` with one sentence for anything else, and for a backup
 * that this program cannot restore.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const refuse = (why: string, code: number = exitCode.failed) =>
    new CommandFailed(`${folder} ${why}. Nothing was restored.`, code);
  const text = await readFile(join(folder, manifestFile), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw refuse(`cannot be read (${error.message})`);
  });
  if (text === undefined)
    throw refuse(
      `is not a backup, or one that was never finished: it has no ${manifestFile}`,
      exitCode.notFound,
    );
  const end = text.indexOf('\n');
  const [, version, sum] = firstLine.exec(text.slice(0, Math.max(0, end))) ?? [];
  if (version === undefined) throw refuse(`is damaged: ${manifestFile} does not begin like one`);
  if (Number(version) > formatVersion)
    throw refuse(`is a backup in format ${version}; this program reads format ${formatVersion}`);
  const body = text.slice(end + 1);
  if (sha256(body) !== sum) throw refuse(`is damaged: ${manifestFile} does not match its checksum`);
  const manifest = JSON.parse(body) as Manifest;
  if (manifest.data > dataVersion)
    throw refuse(
      `has data of version ${manifest.data}; this program knows version ${dataVersion}: use a newer one`,
    );
  return manifest;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
