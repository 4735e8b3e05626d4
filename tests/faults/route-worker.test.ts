import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { percentile } from '#bench/routing/statistics.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { unlimited } from '../programs/drivers-of.js';

const preload = fileURLToPath(new URL('./broken-route-worker.mjs', import.meta.url));
const threads = 2;
const heapMb = 512;

/** `meridian api` whose route threads break when the test says so. */
describe('a thread that searches routes breaks', () => {
  let data: string;
  let fault: string;
  let api: RunningProgram;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-route-worker-'));
    fault = join(data, 'fault');
    api = await startProgram('api', {
      data,
      env: {
        ...unlimited,
        ROUTING_THREADS: String(threads),
        BROKEN_WORKER: fault,
        NODE_OPTIONS: `--import ${preload} --max-old-space-size=${heapMb}`,
      },
    });
    // Until the threads have made what searches use first, it may be one of those tasks that breaks.
    const untilMs = performance.now() + 30_000;
    for (let quick = 0; quick < 20 && performance.now() < untilMs; quick += 1)
      if ((await route()).ms > 500) quick = 0;
  });
  afterAll(async () => {
    await api?.stop();
    await rm(data, { recursive: true, force: true });
  });

  interface Answer {
    readonly status: number;
    readonly ms: number;
    readonly text: string;
    readonly retryAfterS: number;
    /** Unix milliseconds. */
    readonly atMs: number;
  }
  let asked = 0;
  /** No two queries are equal, so none is answered from memory. */
  async function route(): Promise<Answer> {
    asked += 1;
    const from = performance.now();
    const origin = `${35.911 - asked / 1e5},14.502`;
    const answer = await fetch(`${api.url}/v1/nav?origin=${origin}&destination=35.878,14.472`);
    const text = await answer.text();
    const retryAfterS = Number(answer.headers.get('retry-after'));
    return { status: answer.status, ms: performance.now() - from, text, retryAfterS, atMs: Date.now() };
  }

  /** Routes are asked one after the other by two clients, until the one with the fault is answered. */
  async function routesDuring(kind: 'loop' | 'memory'): Promise<Answer[]> {
    const answers: Answer[] = [];
    let failed = false;
    await writeFile(fault, kind);
    const client = async (): Promise<void> => {
      while (!failed) {
        const answer = await route();
        answers.push(answer);
        if (answer.status !== 200) failed = true;
        expect(answers.length).toBeLessThan(20_000);
        await sleep(5);
      }
    };
    await Promise.all([client(), client()]);
    expect(existsSync(fault)).toBe(false);
    return answers;
  }

  /** All but one have a route, quickly; the one is a 503 that may be sent again; then every thread works. */
  async function othersAreFine(answers: readonly Answer[]): Promise<Answer> {
    const bad = answers.filter(({ status }) => status !== 200);
    expect(bad.map(({ status, retryAfterS }) => [status, retryAfterS > 0])).toEqual([[503, true]]);
    const others = answers.filter(({ status }) => status === 200).map(({ ms }) => ms);
    expect(others.length).toBeGreaterThan(20);
    expect(percentile(others, 0.99)).toBeLessThan(3_000);
    const after = await Promise.all(Array.from({ length: 4 * threads }, route));
    expect(after.map(({ status }) => status)).toEqual(after.map(() => 200));
    expect(api.output()).not.toContain('never caught');
    return bad[0]!;
  }

  /** Of each thread when it could take its first task, in Unix milliseconds. */
  async function readyThreads(): Promise<number[]> {
    return (await readFile(`${fault}.threads`, 'utf8')).split('\n').filter(Boolean).map(Number);
  }

  proves('F30', {
    asked: 'an endless task: the deadline ends the thread, p99 of others, the pool is whole again',
    shown:
      'one of two threads never ends: 503 with Retry-After at the deadline, others have routes meanwhile',
    settings: ['ROUTING_THREADS=2', 'no rate limits', 'a preload keeps a thread from answering'],
    control: {
      in: 'platform/worker-pool/worker-pool.ts',
      change: 'else deadline.abort(error);',
      to: 'else void deadline;',
    },
    from: 'outside',
  });
  it('F30: a search that never ends is 503 at its deadline, and others are answered meanwhile', {
    timeout: 60_000,
  }, async () => {
    const { ms } = await othersAreFine(await routesDuring('loop'));
    expect(ms).toBeGreaterThan(9_000);
    expect(ms).toBeLessThan(20_000);
  });

  proves('F29', {
    asked: 'a thread out of memory is replaced within 24 ms; that request 503, others fine',
    shown: 'one of two uses all of its heap: one 503, a new thread within 3 s of it; others have routes',
    scaled:
      '3 s : 24 ms, to a thread that has loaded its code, on processors that are shared; 0.4 s was seen',
    settings: ['ROUTING_THREADS=2', 'no rate limits', 'heaps of 512 MB', 'a preload uses the memory'],
    control: {
      in: 'api/http/pool-failure.ts',
      change: "return code?.startsWith('ERR_WORKER') === true ?",
      to: "return code?.startsWith('ERR_WORKER') === undefined ?",
    },
    from: 'outside',
  });
  it('F29: a search that runs out of memory is 503, and others are answered meanwhile', {
    timeout: 120_000,
  }, async () => {
    const startMs = Date.now();
    const { text, atMs } = await othersAreFine(await routesDuring('memory'));
    expect(text).toContain('ended without a result');
    const replacedMs = await eventually(async () => {
      const later = (await readyThreads()).filter((readyMs) => readyMs > startMs);
      expect(later.length).toBeGreaterThan(0);
      return later.at(-1)!;
    });
    expect(replacedMs - atMs).toBeLessThan(3_000);
  });
});
