import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '#platform/config/folders.js';

/**
 * 32 random bytes in base64url, created once and stored in `name` of the folder. The file is renamed when it
 * is complete, so that no crash leaves a short key.
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
    return readFile(file, 'utf8');
  }
}
