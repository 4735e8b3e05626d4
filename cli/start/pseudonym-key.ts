import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '#platform/config/folders.js';

/**
 * Created once and stored: drivers must have the same pseudonyms after a restart, and no other party may
 * compute them. The file is renamed when it is complete, so that no crash leaves a short key.
 */
export async function pseudonymKey(folder: string): Promise<string> {
  const file = join(folder, 'pseudonym.key');
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
