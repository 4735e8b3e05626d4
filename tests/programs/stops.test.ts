import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processesBelow, stillThere, type TreeProcess } from '#bench/shutdown/process-tree.js';
import { proves } from '#tools/acceptance/proves.js';
import { freePort, startProgram } from '../main-job/running-platform.js';
import { driversOf, unlimited } from './drivers-of.js';
import { batchesInLog, lostBatches, strangeBatches } from './read-back.js';
import { type Driver, type SentBatch, startSenders } from './recorded-senders.js';

/**
 * The requirement of the acceptance row: every process of the program has ended this soon after the signal.
 */
const goneWithinMs = 10_000;

/**
 * Of five signals one goes to `up` and two to `ingest`, all with the default drain time, and two to an
 * `ingest` whose drain time ends immediately, so that it ends with writes in progress. A run of all tests
 * sends five; `STOP_SIGNALS=200` sends as many as the acceptance row requires and takes an hour.
 */
const signals = Number(process.env['STOP_SIGNALS'] ?? 5);
const posters = 30;
/** Two hundred runs of some hundred batches fit into the hour between the first point and now. */
const apartMs = 15_000;

const kinds = [
  { title: 'up', program: 'up', share: 1 / 5, env: {} },
  { title: 'ingest', program: 'ingest', share: 2 / 5, env: {} },
  {
    title: 'ingest without time to drain (DRAIN_MS=1)',
    program: 'ingest',
    share: 2 / 5,
    env: { DRAIN_MS: '1' },
  },
] as const;

// The processes of a program are read from /proc.
describe.skipIf(process.platform !== 'linux').each(kinds)('$title', ({ program, share, env }) => {
  let data: string;
  let drivers: Driver[];
  const sent: SentBatch[] = [];

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-stops-'));
    drivers = await driversOf(
      data,
      Array.from({ length: posters }, (_, i) => `u${i + 1}`),
    );
  });
  afterAll(() => rm(data, { recursive: true, force: true }));

  async function msUntilAllAreGone(): Promise<number> {
    const running = await startProgram(program, {
      data,
      ports: [await freePort(), await freePort()],
      env: { ...unlimited, ...env },
    });
    const senders = startSenders(running.url, drivers, { apartMs });
    await senders.more(100 + Math.floor(Math.random() * 300));
    const known = new Map<string, TreeProcess>();
    const look = (): void => {
      for (const one of processesBelow(running.pid)) known.set(`${one.pid}/${one.startedAt}`, one);
    };
    look();
    const signalledAt = performance.now();
    running.signal('SIGTERM');
    let ended = false;
    void running.ended.then(() => {
      ended = true;
    });
    let left = [...known.values()];
    while ((!ended || left.length > 0) && performance.now() - signalledAt < goneWithinMs) {
      await sleep(20);
      look();
      left = [...stillThere([...known.values()])];
    }
    const tookMs = Math.round(performance.now() - signalledAt);
    if (!ended) running.signal('SIGKILL');
    await senders.stop();
    sent.push(...senders.batches);
    expect({ ended, left: left.map(({ command }) => command) }, running.output().slice(-2_000)).toEqual({
      ended: true,
      left: [],
    });
    return tookMs;
  }

  proves('F3', {
    asked: 'exit 0 within 10 s, nothing lost, 200 signals',
    shown: 'five signals under load: every process ends within 10 s',
    scaled: '5 : 200; an hour',
    settings: ['no rate limits', 'DRAIN_MS 1 for two of five'],
    proof: 'stops',
  });
  it('F3: after SIGTERM under load every process ends within 10 s and loses nothing', async () => {
    const tookMs: number[] = [];
    for (let i = 0; i < Math.max(1, Math.round(signals * share)); i++) tookMs.push(await msUntilAllAreGone());
    const sorted = tookMs.toSorted((a, b) => a - b);
    console.log(`${program} ${JSON.stringify(env)} gone after (ms): ${sorted.join(' ')}`);
    const inLog = new Set(await batchesInLog({ MERIDIAN_DATA: data }, drivers));
    expect(lostBatches(sent, inLog)).toEqual([]);
    expect(strangeBatches(sent, inLog)).toEqual([]);
  }, 7_200_000);
});
