import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, rename, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rebuildFolderOf } from '#platform/location-store/interrupted-rebuild.js';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import type { UserId } from '#schemas/units.js';
import { eventually } from '../eventually.js';
import { meridian, spawnProgram, startProgram } from '../main-job/running-platform.js';
import { driversOf, unlimited } from './drivers-of.js';
import { type Driver, type SentBatch, startSenders } from './recorded-senders.js';

describe('meridian doctor --repair, killed', () => {
  let data: string;
  let store: string;
  let drivers: Driver[];
  let sent: readonly SentBatch[];

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-repair-kills-'));
    store = join(data, 'locations');
    drivers = await driversOf(data, ['k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7', 'k8']);
    const ingest = await startProgram('ingest', { data, env: unlimited });
    const senders = startSenders(ingest.url, drivers, { apartMs: 0 });
    await senders.more(600);
    await senders.stop();
    sent = senders.batches;
    await ingest.stop();
  });
  afterAll(() => rm(data, { recursive: true, force: true }));

  const repaired = async (...names: string[]) => {
    const { stdout } = await meridian(['doctor', '--repair', ...names, '--json'], { MERIDIAN_DATA: data });
    const lines = JSON.parse(stdout) as { check: string; state: string; detail: string }[];
    return lines.find(({ check }) => check === 'locations')!;
  };

  /** Every point that was acknowledged; none that was never sent. */
  async function allIsThere(): Promise<void> {
    const opened = await openLocationStore(`lmdb:${store}`, { retentionMs: 30 * 86_400_000 });
    for (const { userId } of drivers) {
      const request = { fromMs: 0, toMs: Date.now(), limit: 1_000 };
      const { locations } = await opened.read(userId as UserId, request);
      const stored = new Set(locations.map(({ timestamp }) => timestamp));
      const own = sent.filter((batch) => batch.userId === userId);
      const of = (...fates: SentBatch['fate'][]) =>
        own.filter(({ fate }) => fates.includes(fate)).flatMap(({ locs }) => locs.map(([, , ms]) => ms));
      expect(of('acknowledged').filter((ms) => !stored.has(ms))).toEqual([]);
      const possible = new Set(of('acknowledged', 'unknown'));
      expect([...stored].filter((ms) => !possible.has(ms))).toEqual([]);
    }
    await opened.close();
  }

  /** No program takes the store for whole, and another repair completes it. */
  async function refusedThenWhole(): Promise<void> {
    const ingest = await spawnProgram('ingest', { data, env: unlimited });
    expect([await ingest.ended, ingest.output()]).toEqual([
      1,
      expect.stringContaining('its repair was interrupted, run it again'),
    ]);
    const examined = await meridian(['doctor', '--json'], { MERIDIAN_DATA: data });
    expect(examined.stdout).toContain('its repair was interrupted, run it again');
    await wholeAfterRepair();
  }

  async function wholeAfterRepair(): Promise<void> {
    expect((await repaired()).detail).toMatch(/^rebuilt from the log/);
    expect((await readdir(data)).filter((name) => name.endsWith('.rebuilding'))).toEqual([]);
    await allIsThere();
  }

  it('while the new store is written: it is not opened, and a second run completes it', async () => {
    await truncate(join(store, 'data.mdb'), 8_192);
    const repair = await spawnProgram('doctor', { data, args: ['--repair'] });
    await eventually(() => expect(existsSync(join(rebuildFolderOf(store), 'data.mdb'))).toBe(true), {
      everyMs: 1,
    });
    await repair.stop('SIGKILL');
    await refusedThenWhole();
  });

  // The states of the folders between the steps at the end, which no kill hits on purpose.
  it.each([
    ['before the old store is moved', () => cp(store, rebuildFolderOf(store), { recursive: true })],
    ['after the old store is moved', () => rename(store, rebuildFolderOf(store))],
  ])('%s: it is not opened, and a second run completes it', async (_, step) => {
    await step();
    await refusedThenWhole();
  });

  it('at six moments of its whole run: afterwards the store is refused, or whole', async () => {
    for (let moment = 0; moment < 6; moment += 1) {
      const repair = await spawnProgram('doctor', { data, args: ['--repair', 'locations'] });
      const timer = setTimeout(() => repair.signal('SIGKILL'), 300 + 250 * moment);
      await repair.ended;
      clearTimeout(timer);
      const wasInterrupted = existsSync(rebuildFolderOf(store));
      const { detail } = await repaired();
      expect(detail).toMatch(wasInterrupted ? /^rebuilt from the log/ : /^whole in/);
    }
    await allIsThere();
  });
});
