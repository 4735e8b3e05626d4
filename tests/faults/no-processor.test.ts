import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processResidentMib } from '#bench/process-cpu.js';
import { proves } from '#tools/acceptance/proves.js';
import { type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { driversOf, unlimited } from '../programs/drivers-of.js';
import { batchesInLog, lostBatches, strangeBatches } from '../programs/read-back.js';
import { startSenders } from '../programs/recorded-senders.js';

const busyMs = 8_000;
const growthMibMax = 150;

describe('other processes use all processors', () => {
  const others: ChildProcess[] = [];
  let data: string;
  let ingest: RunningProgram;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-busy-'));
    ingest = await startProgram('ingest', { data, env: unlimited });
  });
  afterAll(async () => {
    for (const other of others) other.kill('SIGKILL');
    await ingest?.stop();
    await rm(data, { recursive: true, force: true });
  });

  proves('F40', {
    asked: 'processors busy, little memory in a cgroup: sheds; nothing is killed for memory',
    shown: 'six processes for each processor: batches are accepted, fewer than 2 % are shed',
    settings: ['no rate limits'],
    control: {
      in: 'platform/http/admission/turn-clock.ts',
      change: '> this.#budgetMs &&\n      ownCpuMs() - this.#cpuAtStartMs > this.#budgetMs;',
      to: '> this.#budgetMs / 10;',
    },
    from: 'outside',
  });
  it('F40: without a free processor batches are accepted, and nothing is lost', async () => {
    const drivers = await driversOf(
      data,
      Array.from({ length: 64 }, (_, i) => `busy-${i}`),
    );
    const senders = startSenders(ingest.url, drivers, { apartMs: 600_000 });
    // Code that is not compiled yet takes longer.
    await senders.more(2_000);
    const before = processResidentMib(ingest.pid);
    for (let n = 0; n < 6 * cpus().length; n += 1)
      others.push(spawn(process.execPath, ['-e', 'for(;;);'], { stdio: 'ignore' }));
    const acknowledged = senders.acknowledged();
    await sleep(busyMs);
    expect(senders.acknowledged() - acknowledged).toBeGreaterThan(drivers.length);
    expect(processResidentMib(ingest.pid) - before).toBeLessThan(growthMibMax);
    for (const other of others.splice(0)) other.kill('SIGKILL');
    await senders.more(200);
    await senders.stop();
    // A thread is charged while the host pauses the virtual machine, and sheds then: up to 0.2 % was seen.
    // Were the time of others counted, it would be 4 %.
    const { 202: accepted = 0, 503: shed = 0, ...otherwise } = Object.fromEntries(senders.statuses);
    expect(otherwise).toEqual({});
    expect(shed).toBeLessThan(accepted * 0.02);
    expect(senders.retryAfterS.every((seconds) => seconds >= 1)).toBe(true);
    expect([...senders.faults]).toEqual([]);
    const inLog = new Set(await batchesInLog({ MERIDIAN_DATA: data }, drivers));
    expect(lostBatches(senders.batches, inLog)).toEqual([]);
    expect(strangeBatches(senders.batches, inLog)).toEqual([]);
  });
});
