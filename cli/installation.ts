import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFolders } from '#platform/config/flush-folders.js';
import { makeFolder } from '#platform/config/folders.js';
import { dataVersion } from './data-version.js';
import { CommandFailed } from './exit.js';

/** What a data folder says of itself. */
export interface Installation {
  readonly installation: string;
  /** `dataVersion` of the newest program that wrote to the folder. */
  readonly data: number;
}

export const installationFile = 'installation.json';

/**
 * Reads the installation of a data folder; a folder without one becomes one. Throws `CommandFailed` for a
 * folder that a newer program has written: this one might read it wrongly.
 */
export async function openInstallation(folder: string): Promise<Installation> {
  const found = await readInstallation(folder);
  if (found !== undefined) return found;
  makeFolder(folder);
  const made: Installation = { installation: randomUUID(), data: dataVersion };
  // Several programs may start at once.
  const draft = join(folder, `${installationFile}.${randomUUID()}`);
  await writeFile(draft, `${JSON.stringify(made)}\n`, { flush: true });
  await link(draft, join(folder, installationFile)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  await flushFolders(folder, { below: false });
  return (await readInstallation(folder))!;
}

/** Undefined for a folder that no program has used yet, or only one from before there were installations. */
export async function readInstallation(folder: string): Promise<Installation | undefined> {
  const file = join(folder, installationFile);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new CommandFailed(`The file ${file} cannot be read: ${error.message}.`);
  });
  if (text === undefined) return undefined;
  const read = parse(text);
  if (read === undefined)
    throw new CommandFailed(`The file ${file} is damaged. Restore it from a backup of the folder.`);
  if (read.data > dataVersion)
    throw new CommandFailed(
      `The data in ${folder} has version ${read.data}; this program knows version ${dataVersion}. ` +
        'Start a newer version of Meridian, or restore a backup from before the upgrade.',
    );
  return read;
}

function parse(text: string): Installation | undefined {
  try {
    const { installation, data } = JSON.parse(text) as Partial<Installation>;
    const isId = typeof installation === 'string' && /^[0-9a-f-]{36}$/.test(installation);
    return isId && Number.isSafeInteger(data) ? { installation, data: data! } : undefined;
  } catch {
    return undefined;
  }
}
