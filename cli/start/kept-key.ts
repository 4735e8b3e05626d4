import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFolders } from '#platform/config/flush-folders.js';
import { makeFolder } from '#platform/config/folders.js';

/**
 * 32 random bytes in base64url, created once and stored in `name` of the folder. The file is linked when it
 * is complete and flushed, so that no crash and no power cut leaves a short key, or none after it was used.
 */
export async function keptKey(folder: string, name: string): Promise<string> {
  const file = join(folder, name);
  try {
    return await readFile(file, 'utf8');
  } catch {
    makeFolder(folder);
    // Several threads of one process may request it at once.
    const draft = `${file}.${randomUUID()}`;
    await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(draft);
    await flushFolders(folder, { below: false });
    return readFile(file, 'utf8');
  }
}
