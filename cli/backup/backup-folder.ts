import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { flushFolders } from '#platform/config/flush-folders.js';

/** A folder that appears under its name when it is complete, and before that is nothing. */
export interface NewFolder {
  /** Where its content is made. */
  readonly partial: string;
  /** Moves it into place by one rename. */
  finish(): Promise<void>;
  /** Removes what was made. */
  giveUp(): Promise<void>;
}

/**
 * Begins a folder that must be absent or empty; a sentence says if it is not. Removes what earlier processes
 * left beside it when they died.
 */
export async function beginFolder(folder: string, kind: 'backup' | 'restore'): Promise<NewFolder | string> {
  const place = resolve(folder);
  const parent = dirname(place);
  const names = await readdir(place).catch((error: NodeJS.ErrnoException) => error);
  if (names instanceof Error && names.code === 'ENOTDIR') return `${folder} is a file. Name a new folder.`;
  if (names instanceof Error && names.code !== 'ENOENT')
    return `${folder} cannot be read (${names.message}).`;
  if (!(names instanceof Error) && names.length > 0)
    return `${folder} is not empty. Name a new or an empty folder.`;
  if ((await stat(parent).catch(() => undefined))?.isDirectory() !== true)
    return `There is no folder ${parent}. Create it, or name another one.`;
  const prefix = `.${basename(place)}.${kind}-`;
  try {
    await removeAbandoned(parent, prefix);
    const partial = join(parent, `${prefix}${process.pid}`);
    await rm(partial, { recursive: true, force: true });
    // A backup holds keys and personal data; a data folder has the modes that programs give it.
    await mkdir(partial, kind === 'backup' ? { mode: 0o700 } : {});
    return {
      partial,
      async finish() {
        await flushFolders(partial);
        await rename(partial, place);
        await flushFolders(parent, { below: false });
      },
      giveUp: () => rm(partial, { recursive: true, force: true }),
    };
  } catch (error) {
    return `${parent} cannot be written (${(error as Error).message}).`;
  }
}

/** Whether `inner` is `outer` or below it. */
export function isInside(inner: string, outer: string): boolean {
  const way = relative(resolve(outer), resolve(inner));
  return way === '' || !(way.startsWith('..') || resolve(way) === way);
}

async function removeAbandoned(parent: string, prefix: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(name.slice(prefix.length));
    if (Number.isInteger(pid) && pid > 0 && !isAlive(pid))
      await rm(join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
