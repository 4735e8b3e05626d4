import { accessSync, constants, mkdirSync } from 'node:fs';

/** Makes sure that a folder exists and can be written; throws one sentence that names the setting otherwise. */
export function ensureWritableFolder(folder: string, setting: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `${setting} names the folder ${folder}, which cannot be written (${code}); create it for this user or name another.`,
      { cause: error },
    );
  }
}
