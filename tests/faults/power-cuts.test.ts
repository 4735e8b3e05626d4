import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open as openLmdb } from 'lmdb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSql } from '#platform/sql/open-sql.js';
import { eventually } from '../eventually.js';
import { startProgram } from '../main-job/running-platform.js';
import { driversOf, unlimited } from '../programs/drivers-of.js';
import { allStored, batchesInLog } from '../programs/read-back.js';
import { startSenders } from '../programs/recorded-senders.js';
import { CuttableDisk, mayMount } from './cuttable-disk.js';
import { HotelUnderFault } from './hotel-under-fault.js';

const unflushedWriter = fileURLToPath(new URL('./unflushed-writer.mjs', import.meta.url));

async function countIn(folder: string): Promise<number> {
  const environment = openLmdb<number, number>({ path: folder, readOnly: true });
  const count = environment.getCount();
  await environment.close();
  return count;
}

/** Cuts of the log, and as many of PostgreSQL; `npm run prove power-cuts` makes 300. */
const cuts = Number(process.env['POWER_CUTS'] ?? 3);
const timeout = 240_000 + 10_000 * cuts;

// Only root may mount a disk that can be cut.
describe.skipIf(!mayMount())('the power is cut under load', () => {
  let disk: CuttableDisk;
  beforeAll(() => {
    disk = CuttableDisk.open(1_024);
  });
  afterAll(() => disk?.close());

  /** Ids that were acknowledged before the cut and are not on the disk after it, over all cuts. */
  async function lostBatches(): Promise<string[]> {
    const data = join(disk.folder, 'ingest');
    const ingest = await startProgram('ingest', { data, env: unlimited });
    const users = Array.from({ length: 12 }, (_, n) => `cut-${n}`);
    const drivers = await driversOf(data, users);
    const senders = startSenders(ingest.url, drivers);
    const lost: string[] = [];
    for (let cut = 0; cut < cuts; cut += 1) {
      await senders.more(20 + Math.floor(Math.random() * 60));
      let acknowledged: string[] = [];
      const after = await disk.cut([ingest.pid], () => {
        acknowledged = senders.batches
          .filter(({ fate }) => fate === 'acknowledged')
          .map((one) => one.batchId);
      });
      const inLog = new Set(await batchesInLog({ MERIDIAN_DATA: join(after.folder, 'ingest') }, drivers));
      await after.close();
      lost.push(...acknowledged.filter((id) => !inLog.has(id)));
    }
    await senders.stop();
    await ingest.stop();
    await rm(data, { recursive: true });
    return lost;
  }

  it('the embedded log has every batch that was acknowledged', { timeout }, async () => {
    expect(await lostBatches()).toEqual([]);
  });

  it('control: the cut loses what a store of the same kind acknowledges without a flush', async () => {
    const folder = join(disk.folder, 'unflushed');
    const writer = spawn(process.execPath, [unflushedWriter, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let last = 0;
    writer.stdout.on('data', (chunk: Buffer) => (last = Number(String(chunk).trimEnd().split('\n').at(-1))));
    await eventually(() => expect(last).toBeGreaterThan(100));
    let acknowledged = 0;
    const after = await disk.cut([writer.pid!], () => (acknowledged = last));
    writer.kill('SIGKILL');
    await once(writer, 'close');
    const there = await countIn(join(after.folder, 'unflushed')).catch(() => 0);
    await after.close();
    expect(there).toBeLessThan(acknowledged);
  });

  it('a platform that loses its power right after its first start is ready again, with everything', {
    timeout,
  }, async () => {
    const data = join(disk.folder, 'platform');
    const args = ['--drivers', '0'];
    const up = await startProgram('up', { data, args, env: unlimited });
    const drivers = await driversOf(data, ['first-1', 'first-2']);
    const senders = startSenders(up.url, drivers);
    await senders.more(10);
    await disk.cutForGood([up.pid]);
    await senders.stop();
    await rm(join(data, 'sql', 'home', 'cluster', 'postmaster.pid'), { force: true });
    const again = await startProgram('up', { data, args, env: unlimited });
    const tokens = await driversOf(data, ['first-1', 'first-2']);
    await allStored(again.url, tokens, senders.batches);
    await again.stop();
    await rm(data, { recursive: true });
  });

  /** Of reservations, as above; `alter` changes settings of the server before. */
  async function lostReservations(alter: readonly string[], times: number): Promise<string[]> {
    const data = join(disk.folder, 'hotel');
    await mkdir(data);
    const hotel = await HotelUnderFault.open({ rooms: 2_000, data });
    const settings = await hotel.sql();
    for (const setting of alter) await settings.query(`ALTER SYSTEM SET ${setting}`);
    await settings.query('SELECT pg_reload_conf()');
    await settings.close();
    const guests = await hotel.guests(8);
    const lost: string[] = [];
    for (let cut = 0; cut < times; cut += 1) {
      await guests.more(10 + Math.floor(Math.random() * 40));
      let acknowledged: string[] = [];
      const after = await disk.cut([hotel.program.pid], () => {
        acknowledged = guests.asked.filter(({ fate }) => fate === 'reserved').map(({ id }) => id);
      });
      const folder = join(after.folder, 'hotel', 'sql');
      // It names a process that ends with the power; here it still runs.
      await rm(join(folder, 'home', 'cluster', 'postmaster.pid'));
      const sql = await openSql(`embedded:${folder}`, { connectionsMax: 2 });
      const { rows } = await sql.query<{ reservation_id: string }>('SELECT reservation_id FROM reservation');
      const wrong = await sql.query(
        `SELECT i.date FROM room_type_inventory i WHERE i.total_reserved <> (SELECT coalesce(sum(r.room_count), 0)
           FROM reservation r WHERE r.hotel_id = i.hotel_id AND r.room_type_id = i.room_type_id
             AND i.date BETWEEN r.start_date AND r.end_date AND r.status = 'pending_payment')`,
      );
      await sql.close();
      await after.close();
      expect(wrong.rows).toEqual([]);
      const there = new Set(rows.map((row) => row.reservation_id));
      lost.push(...acknowledged.filter((id) => !there.has(id)));
    }
    await guests.stop();
    await hotel.close();
    return lost;
  }
  // Only commits write the log of PostgreSQL: its own writer would hide a commit that does not wait.
  const quiet = ['wal_writer_delay = 10000', "wal_writer_flush_after = '1GB'"];

  it('PostgreSQL has every reservation that was acknowledged, and its counts', { timeout }, async () => {
    expect(await lostReservations(quiet, cuts)).toEqual([]);
  });

  it('control: without flushes, the cut loses reservations', { timeout }, async () => {
    const loses = lostReservations([...quiet, 'fsync = off'], 1).catch(() => ['it does not even start']);
    expect(await loses).not.toEqual([]);
  });
});
