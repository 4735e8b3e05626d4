import { chownSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const nobody = 65534;
const isRoot = process.getuid() === 0;

/** Root gives the file or folder to the user that `asOrdinaryUser` becomes; any other user keeps it. */
export function handOver(path) {
  if (isRoot) chownSync(path, nobody, nobody);
}

/** Makes a folder that only the ordinary user enters. */
export function makeOwnFolder(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  handOver(folder);
}

/**
 * PostgreSQL refuses to run as root and Redis has no need to, so root runs both as `nobody`. A folder above
 * the data may be closed to `nobody` (a clone under root's home); then the process keeps the one capability
 * to pass through and read, never to write.
 * @returns {{file: string, args: string[]}}
 */
export function asOrdinaryUser(folder, { file, args }) {
  if (!isRoot) return { file, args };
  const capability = '+dac_read_search';
  const passage = canBePassed(dirname(folder))
    ? []
    : [`--inh-caps=${capability}`, `--ambient-caps=${capability}`];
  const user = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', ...passage];
  return { file: 'setpriv', args: [...user, '--', file, ...args] };
}

function canBePassed(folder) {
  const { mode, uid } = statSync(folder);
  if (uid !== nobody && (mode & 0o001) === 0) return false;
  return dirname(folder) === folder || canBePassed(dirname(folder));
}
