import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { driversOf, unlimited } from './drivers-of.js';
import { batchesInLog, lostBatches, strangeBatches } from './read-back.js';
import { startSenders } from './recorded-senders.js';

const disk = mkdtempSync(join(tmpdir(), 'meridian-full-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', disk]).status === 0;
if (!mounted) rmSync(disk, { recursive: true });

/** How often the disk becomes full and has space again; the acceptance row requires 20. */
const rounds = Number(process.env['FULL_DISKS'] ?? 1);

// A disk that is really full needs a separate file system, which only root may mount.
describe.skipIf(!mounted)('ingest on a disk of 48 MB', () => {
  let ingest: RunningProgram;
  beforeAll(async () => {
    ingest = await startProgram('ingest', { data: join(disk, 'data'), env: unlimited });
  });
  afterAll(async () => {
    await ingest?.stop('SIGKILL');
    spawnSync('umount', ['-l', disk]);
    await rm(disk, { recursive: true, force: true });
  });

  proves('F8', {
    asked: '503, no 202, recovers when there is space, 20 times',
    shown: 'once on 48 MB: 503, Retry-After, not ready, recovers, nothing lost',
    scaled: '1 : 20',
    settings: ['no rate limits'],
    proof: 'full-disk',
    control: {
      in: 'platform/event-log/lmdb-event-log.ts',
      change:
        '    await checkFreeSpace(this.#files, this.#queue.failedBytes).catch(cannotWrite(this.#folder));\n',
      to: '    if (this.#queue.failedBytes < 0) await checkFreeSpace(this.#files, 1).catch(cannotWrite(""));\n',
    },
    from: 'outside',
  });
  it('F8: when full: 503, Retry-After, not ready; it recovers with space and loses nothing', {
    timeout: 240_000 + 60_000 * rounds,
  }, async () => {
    const data = join(disk, 'data');
    const filler = join(disk, 'filler');
    const drivers = await driversOf(
      data,
      Array.from({ length: 16 }, (_, i) => `u${i + 1}`),
    );
    const senders = startSenders(ingest.url, drivers, { apartMs: 0 });
    for (let round = 0; round < rounds; round++) {
      await senders.more(20);
      await writeFile(filler, Buffer.alloc(60 * 2 ** 20)).catch(() => {});
      const refusedBefore = senders.retryAfterS.length;
      await eventually(async () => {
        expect(senders.retryAfterS.length).toBeGreaterThan(refusedBefore);
        const readiness = await fetch(`${ingest.url}/readyz`);
        expect(readiness.status).toBe(503);
        expect(readiness.headers.get('retry-after')).toBe('1');
        expect(await readiness.text()).toContain('/event log');
      });
      // It stays so as long as there is no space.
      await sleep(2_500);
      expect((await fetch(`${ingest.url}/readyz`)).status).toBe(503);
      await rm(filler);
      await senders.more(20);
      await ingest.ready();
    }
    await senders.stop();
    expect(senders.retryAfterS.filter((seconds) => !(seconds > 0))).toEqual([]);
    expect(ingest.output()).not.toContain('never caught');
    const inLog = new Set(await batchesInLog({ MERIDIAN_DATA: data }, drivers));
    expect(lostBatches(senders.batches, inLog)).toEqual([]);
    expect(strangeBatches(senders.batches, inLog)).toEqual([]);
  });
});
