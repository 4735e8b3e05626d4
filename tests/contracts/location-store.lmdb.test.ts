import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import { locationStoreContract } from './location-store.contract.js';

locationStoreContract('lmdb', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-locations-'));
  const retentionMs = 40 * 24 * 3_600_000;
  const one = await openLocationStore(`lmdb:${folder}`, { retentionMs });
  const other = await openLocationStore(`lmdb:${folder}`, { retentionMs });
  await one.prepare();
  await other.prepare();
  return {
    one,
    other,
    retentionMs,
    runs: 60,
    dispose: async () => {
      await one.close();
      await other.close();
      await rm(folder, { recursive: true });
    },
  };
});
