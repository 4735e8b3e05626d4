import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import { openObjectStore } from '#platform/object-store/open-object-store.js';

const disk = mkdtempSync(join(tmpdir(), 'meridian-checks-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk]).status === 0;
if (!mounted) rmSync(disk, { recursive: true });

// A disk that is really full needs a separate file system, which only root may mount.
describe.skipIf(!mounted)('the checks behind /readyz', () => {
  afterAll(() => {
    spawnSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  });

  it.each([
    ['event log', () => openEventLog(`embedded:${disk}/log`)],
    ['location store', () => openLocationStore(`lmdb:${disk}/locations`, { retentionMs: 86_400_000 })],
    ['object store', () => openObjectStore(`dir:${disk}/objects`, {})],
  ])('F8: the %s fails on a full disk, and heals', async (_, open) => {
    const store = await open();
    await store.check();
    const filler = join(disk, 'filler');
    await writeFile(filler, Buffer.alloc(32 * 2 ** 20)).catch(() => {});
    await expect(store.check()).rejects.toThrow(/full|space/i);
    await rm(filler);
    await store.check();
    // Nothing is left of the checks.
    await store.check();
    await store.close();
  });
});
