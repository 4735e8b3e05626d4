import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { survivesKilledWriters } from '../../contracts/killed-location-writer.js';

test('F1: after kill -9 every acknowledged point is there, and none that was never sent', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-locations-'));
  await expect(survivesKilledWriters(`lmdb:${folder}`, 'user-', true)).resolves.toBeUndefined();
  await rm(folder, { recursive: true });
});
