import { join } from 'node:path';
import type { Config } from '#platform/config/settings.js';
import { lockForLife } from '#platform/lmdb/folder-lock.js';
import { CommandFailed, exitCode } from './exit.js';

/** Ends a program that cannot share a data folder if another process of its kind uses the folder. */
export async function requireSingleInstance({ MERIDIAN_DATA: data }: Config, what: string): Promise<void> {
  const holder = await lockForLife(join(data, 'locks'), what);
  if (holder === undefined) return;
  throw new CommandFailed(
    `The data folder ${data} is in use by another ${what}, process ${holder.pid}. ` +
      'Stop that process, or set MERIDIAN_DATA to another folder.',
    exitCode.usage,
  );
}
