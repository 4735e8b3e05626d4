import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @returns {string | undefined} the program's full path; Debian's servers may be outside a user's PATH */
export function onPath(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
