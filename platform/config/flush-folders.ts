import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Makes the names in a folder durable, and in all folders below it. The files themselves must be already. */
export async function flushFolders(folder: string, { below = true } = {}): Promise<void> {
  if (process.platform === 'win32') return; // Windows cannot open a folder and journals its entries itself.
  if (below)
    for (const entry of await readdir(folder, { withFileTypes: true }))
      if (entry.isDirectory()) await flushFolders(join(folder, entry.name));
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
