import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { HotelUnderFault } from './hotel-under-fault.js';

const disk = mkdtempSync(join(tmpdir(), 'meridian-full-sql-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', disk]).status === 0;
if (!mounted) rmSync(disk, { recursive: true });

// A disk that is really full needs a separate file system, which only root may mount.
describe.skipIf(!mounted)('PostgreSQL on a disk of 160 MB', () => {
  let hotel: HotelUnderFault;
  beforeAll(async () => {
    await chmod(disk, 0o755);
    await mkdir(join(disk, 'data'));
    hotel = await HotelUnderFault.open({ rooms: 2_000, data: join(disk, 'data') });
  });
  afterAll(async () => {
    await hotel?.close();
    spawnSync('umount', ['-l', disk]);
    await rm(disk, { recursive: true, force: true });
  });

  proves('F20', {
    asked: 'the disk is full: 53100 becomes 503, the server stays up, nothing is lost after space is freed',
    shown: 'once on 160 MB: no reservation but 503, then served again; all acknowledged ones are there',
    settings: ['no rate limits'],
    control: {
      in: 'platform/sql/pg-fault.ts',
      change: 'const temporary = /^(08|53|57P)',
      to: 'const temporary = /^(08|57P)',
    },
    from: 'outside',
  });
  it('F20: when full, reservations get 503; with space they continue, and none is lost', async () => {
    const guests = await hotel.guests(8);
    await guests.more(50);
    const filler = join(disk, 'filler');
    await writeFile(filler, Buffer.alloc(200 * 2 ** 20)).catch(() => {});
    await eventually(() => expect(guests.statuses.get(503)).toBeGreaterThan(10));
    await rm(filler);
    await guests.more(50);
    await guests.stop();
    const final = [...guests.statuses.keys()].filter((status) => ![0, 200, 201, 409, 503].includes(status));
    expect(final).toEqual([]);
    expect(await hotel.lost(guests.asked)).toEqual([]);
    await hotel.countsAreRight();
  });
});
