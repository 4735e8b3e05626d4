import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { open as openLmdb, type RootDatabase } from 'lmdb';
import { lmdbMapBytes } from './map-size.js';

const lookEveryMs = 2;

/** A copy of all that was committed at one instant, while others write. */
export interface EnvironmentCopy {
  /** The instant is over: what is committed from now on is not in the copy. */
  readonly taken: Promise<void>;
  /** The copy is complete and durable; rejects with `taken`. */
  readonly whole: Promise<void>;
}

/** Copies an open environment to `data.mdb` of a new folder, without the free pages of the original. */
export function copyEnvironment(env: Pick<RootDatabase, 'backup'>, into: string): EnvironmentCopy {
  const file = join(into, 'data.mdb');
  let isOver = false;
  const copied = mkdir(into, { recursive: true })
    .then(() => env.backup(into, true))
    .finally(() => {
      isOver = true;
    });
  // LMDB begins its read transaction before it writes the first byte.
  const begun = async (): Promise<void> => {
    while (!isOver && !((await stat(file).catch(() => undefined))?.size ?? 0)) await delay(lookEveryMs);
    if (isOver) await copied;
  };
  const whole = copied.then(() => flushed(file));
  const taken = begun();
  for (const promise of [taken, whole]) promise.catch(() => {});
  return { taken, whole };
}

/** The same for a folder that this process has not open. */
export async function copyLmdbFolder(folder: string, into: string): Promise<void> {
  const env = openLmdb({ path: folder, noSubdir: false, readOnly: true, mapSize: lmdbMapBytes });
  try {
    await copyEnvironment(env, into).whole;
  } finally {
    await env.close();
  }
}

/** An environment that was opened to change its copy leaves this; it holds nothing. */
export const removeLockFile = (folder: string): Promise<void> =>
  rm(join(folder, 'lock.mdb'), { force: true });

async function flushed(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
