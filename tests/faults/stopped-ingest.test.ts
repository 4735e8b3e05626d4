import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { driversOf, unlimited } from '../programs/drivers-of.js';
import { batchesInLog, lostBatches, strangeBatches } from '../programs/read-back.js';
import { startSenders } from '../programs/recorded-senders.js';

const stoppedMs = 10_000;

describe('ingest is stopped under load and continued', () => {
  let data: string;
  let ingest: RunningProgram;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-stopped-'));
    ingest = await startProgram('ingest', { data, env: unlimited });
  });
  afterAll(async () => {
    ingest?.signal('SIGCONT');
    await ingest?.stop();
    await rm(data, { recursive: true, force: true });
  });

  proves('F2', {
    asked: 'SIGSTOP for 10 s, then SIGCONT: clients time out, no effect twice, nothing lost',
    shown: 'eight senders that give up after 2 s and send again with the same id: nothing lost or twice',
    settings: ['no rate limits'],
    control: {
      in: 'ingest/receive-location-batch.ts',
      change: '    if (first !== undefined) {',
      to: "    if (first !== undefined && seenKey === '') {",
    },
    from: 'outside',
  });
  it('F2: stopped for 10 s and continued, it loses nothing and has no batch twice', async () => {
    const drivers = await driversOf(
      data,
      Array.from({ length: 8 }, (_, i) => `stopped-${i}`),
    );
    const senders = startSenders(ingest.url, drivers, { apartMs: 600_000, answerWithinMs: 2_000 });
    await senders.more(50);
    ingest.signal('SIGSTOP');
    const acknowledged = senders.acknowledged();
    await sleep(stoppedMs);
    // What was in the sockets may have been read later; nothing is acknowledged meanwhile.
    expect(senders.acknowledged()).toBeLessThanOrEqual(acknowledged + drivers.length);
    expect(senders.faults.get('NO_ANSWER')).toBeGreaterThan(drivers.length);
    ingest.signal('SIGCONT');
    await senders.more(50);
    await senders.stop();
    const inLog = await batchesInLog({ MERIDIAN_DATA: data }, drivers);
    expect(lostBatches(senders.batches, new Set(inLog))).toEqual([]);
    expect(strangeBatches(senders.batches, new Set(inLog))).toEqual([]);
    expect(inLog.filter((id, at) => inLog.indexOf(id) !== at)).toEqual([]);
  });
});
