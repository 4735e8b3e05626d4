import { open } from 'lmdb';
import { makeFolder } from '../config/folders.js';
import { lmdbWrite } from './lmdb-write.js';
import { lives, type ProcessIdentity, thisProcess } from './process-identity.js';

/**
 * Acquires a lock for the lifetime of this process, or returns the process that holds it. The holder is read
 * and written in one LMDB transaction, so that one of two concurrent starts gets it. A killed holder does not
 * count.
 */
export async function lockForLife(folder: string, name: string): Promise<ProcessIdentity | undefined> {
  makeFolder(folder);
  const env = open<ProcessIdentity, string>({ path: folder, noSubdir: false });
  try {
    const { committed, flushed } = lmdbWrite(env, () => {
      const holder = env.get(name);
      const self = thisProcess();
      if (holder !== undefined && holder.pid !== self.pid && lives(holder)) return holder;
      env.putSync(name, self);
      return undefined;
    });
    await flushed;
    return await committed;
  } finally {
    await env.close();
  }
}
