import { randomBytes } from 'node:crypto';
import { chmod, cp, lstat, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OrdinaryUser } from './ordinary-user.js';
import type { PostgresPrograms } from './postgres-programs.js';

/**
 * The same programs in a folder where `user` may run them. PostgreSQL checks with `access()` whether it may
 * run its own parts, and that ignores capabilities. So when the package lies under a closed folder, a copy in
 * the system's folder for temporary files takes its place. All clones on the machine share it, and it is used
 * only when only root can have written it.
 */
export async function reachablePrograms(
  programs: PostgresPrograms,
  user: OrdinaryUser,
): Promise<PostgresPrograms> {
  if (await user.mayPass(programs.folder)) return programs;
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    if (!(await user.mayPass(parent))) continue;
    const folder = join(parent, `meridian-postgresql-${programs.version}`);
    if (!(await isOurs(folder))) await copyWhole(programs.folder, folder);
    if (await isOurs(folder)) {
      return {
        ...programs,
        folder,
        initdb: join(folder, 'bin', 'initdb'),
        postgres: join(folder, 'bin', 'postgres'),
      };
    }
  }
  throw new Error(
    `The embedded PostgreSQL in ${programs.folder} cannot run: PostgreSQL refuses to run as root, ` +
      'and other users cannot enter that folder. Start this program as an ordinary user, ' +
      'or let others enter the folders above it.',
  );
}

/** Creates the copy atomically; an existing folder stays. */
async function copyWhole(from: string, to: string): Promise<void> {
  const partial = `${to}.${randomBytes(4).toString('hex')}`;
  try {
    await cp(from, partial, { recursive: true });
    await chmod(partial, 0o755);
    await rename(partial, to).catch(() => {}); // Another start was faster, or something else is in the way.
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function isOurs(folder: string): Promise<boolean> {
  const entry = await lstat(folder).catch(() => undefined);
  return entry?.isDirectory() === true && entry.uid === 0 && (entry.mode & 0o022) === 0;
}
