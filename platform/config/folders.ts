import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes sure that a folder exists and can be written; throws one sentence that names the setting otherwise.
 */
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
 * A folder and those above it, where they are missing; a file of that name is an error. Step by step: Node
 * 20's own recursive way never returns below /proc, where an existing folder refuses to hold another.
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
