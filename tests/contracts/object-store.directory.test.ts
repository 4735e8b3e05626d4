import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openObjectStore } from '#platform/object-store/open-object-store.js';
import { objectStoreContract } from './object-store.contract.js';

objectStoreContract('directory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-objects-'));
  return {
    one: await openObjectStore(`dir:${folder}`),
    other: await openObjectStore(`dir:${folder}`),
    runs: 60,
    dispose: () => rm(folder, { recursive: true }),
  };
});
