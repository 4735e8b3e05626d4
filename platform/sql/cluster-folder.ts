import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  access,
  chmod,
  constants,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { flushFolders } from '../config/flush-folders.js';
import { makeFolder } from '../config/folders.js';
import { keeper } from './keeper.js';
import { OrdinaryUser } from './ordinary-user.js';
import { linkLibraries, type PostgresPrograms } from './postgres-programs.js';

export const superuser = 'meridian';

const run = promisify(execFile);
const abandonedAfterMs = 10 * 60 * 1000;

/**
 * The folders of an embedded PostgreSQL. `home` belongs to the user that the server runs as and is closed to
 * others.
 */
export interface ClusterFolder {
  readonly home: string;
  readonly cluster: string;
  readonly libraries: string;
  /** A named pipe: the server lives as long as a process holds it open for writing. */
  readonly lifeline: string;
  readonly log: string;
  readonly password: string;
  readonly port: string;
}

/**
 * Finds the cluster of `folder` or creates it. A new one is created under a temporary name and renamed when
 * it is complete, so that neither a crash nor two concurrent starts leave an incomplete one.
 */
export async function openClusterFolder(
  folder: string,
  programs: PostgresPrograms,
  user: OrdinaryUser,
): Promise<ClusterFolder> {
  const root = resolve(folder);
  const place = join(root, 'home');
  makeFolder(root);
  if (!(await exists(place))) await makeCluster(root, place, programs, user);
  const paths = pathsIn(place);
  await access(place, constants.W_OK | constants.X_OK).catch((cause: unknown) => {
    throw new Error(
      `The folder ${place} of the embedded PostgreSQL belongs to another user. ` +
        'Start this program as that user, or use another folder.',
      { cause },
    );
  });
  await linkLibraries(programs, paths.libraries);
  return paths;
}

async function makeCluster(
  root: string,
  place: string,
  programs: PostgresPrograms,
  user: OrdinaryUser,
): Promise<void> {
  await removeAbandoned(root);
  const partial = join(root, `partial-${process.pid}-${randomBytes(4).toString('hex')}`);
  const paths = pathsIn(partial);
  try {
    for (const made of [partial, paths.libraries]) {
      await mkdir(made, { mode: 0o700 });
      await user.own(made);
    }
    // The server keeps only a hash of it: a power cut that loses it would lock out everybody.
    await writeFile(paths.password, randomBytes(24).toString('hex'), { mode: 0o600, flush: true });
    await user.own(paths.password);
    await makeLifeline(paths.lifeline, user);
    await linkLibraries(programs, paths.libraries);
    await initialise(paths, programs, user);
    await flushFolders(partial, { below: false });
    await rename(partial, place).catch((error: unknown) => {
      // Another process that started at the same time was faster; we use its cluster.
      if (
        !(
          error instanceof Error &&
          'code' in error &&
          (error.code === 'ENOTEMPTY' || error.code === 'EEXIST')
        )
      )
        throw error;
    });
    await flushFolders(root, { below: false });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function makeLifeline(path: string, user: OrdinaryUser): Promise<void> {
  await run('mkfifo', ['-m', '600', path]);
  await user.own(path);
}

/**
 * Makes a cluster usable whose files were copied to `home` of `folder`: its pipe, its folder of libraries,
 * and the owner and the modes without which PostgreSQL refuses to start.
 */
export async function finishCopiedCluster(folder: string): Promise<void> {
  const user = await OrdinaryUser.find();
  const { home, libraries, lifeline } = pathsIn(join(folder, 'home'));
  await mkdir(libraries);
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    await chmod(path, entry.isDirectory() ? 0o700 : 0o600);
    await user.own(path);
  }
  await chmod(home, 0o700);
  await user.own(home);
  await makeLifeline(lifeline, user);
}

async function initialise(
  paths: ClusterFolder,
  programs: PostgresPrograms,
  user: OrdinaryUser,
): Promise<void> {
  // The built-in locale sorts by code point and is the same on every machine.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const login = [`--username=${superuser}`, '--auth=scram-sha-256', `--pwfile=${paths.password}`];
  const initdb = [programs.initdb, '-D', paths.cluster, ...login, ...locale, '--no-instructions'];
  // Its standard input is a pipe of this process, so that it ends when this process does.
  const shell = ['-c', keeper, 'meridian-initdb', libraryPath(paths, programs), ...initdb];
  const { file, args, ...ids } = await user.command('/bin/sh', shell, [paths.home, programs.folder]);
  try {
    await run(file, [...args], { ...ids, cwd: '/', env: { PATH: process.env['PATH'] } });
  } catch (cause) {
    const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : String(cause);
    throw new Error(
      `The embedded PostgreSQL could not create its files in ${paths.home}: ${said.slice(-500)}`,
      { cause },
    );
  }
}

/** Removes what a process left that was killed while it created a cluster. */
async function removeAbandoned(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (!name.startsWith('partial-')) continue;
    const { mtimeMs } = await stat(join(root, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > abandonedAfterMs) await rm(join(root, name), { recursive: true, force: true });
  }
}

/**
 * The folders in which the programs find their libraries: the one with the links, and the one with the
 * libraries themselves.
 */
export function libraryPath(paths: ClusterFolder, programs: PostgresPrograms): string {
  return `${paths.libraries}:${join(programs.folder, 'lib')}`;
}

export async function readPassword(paths: ClusterFolder): Promise<string> {
  return (await readFile(paths.password, 'utf8')).trim();
}

function pathsIn(home: string): ClusterFolder {
  return {
    home,
    cluster: join(home, 'cluster'),
    libraries: join(home, 'libraries'),
    lifeline: join(home, 'lifeline'),
    log: join(home, 'server.log'),
    password: join(home, 'password'),
    port: join(home, 'port'),
  };
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
