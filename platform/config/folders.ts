import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Makes sure that a folder exists and is writable; otherwise throws one sentence that names the setting. */
export function ensureWritableFolder(folder: string, setting: string): void {
  try {
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `${setting} is the folder ${folder}, which cannot be written (${code}). ` +
        'Create it for this user or use another folder.',
      { cause: error },
    );
  }
}

/**
 * Creates a folder and its missing parents; a file of that name is an error. Level by level, because
 * recursive `mkdir` of Node 20 never returns below /proc, where an existing folder refuses new entries.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let at = resolve(folder); !existsSync(at); at = dirname(at)) missing.push(at);
  for (const path of missing.toReversed()) {
    try {
      mkdirSync(path, { mode });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  // The path exists, so this only checks whether it is a folder.
  mkdirSync(folder, { recursive: true });
}
