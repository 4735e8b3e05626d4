import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goneWithinMs, oneShutdown, type Shutdown } from '#bench/shutdown/one-shutdown.js';
import { randomCases } from '#bench/shutdown/random-cases.js';
import { layMap } from '../main-job/running-platform.js';

/** `SIGNALS=1000 meridian bench shutdown` sends more. */
const signals = process.env['TESTS'] === 'full' ? 24 : 9;
const lanes = 3;
const script = fileURLToPath(new URL('../../bin/meridian.js', import.meta.url));

// The processes of a program are read from /proc.
describe.skipIf(process.platform !== 'linux')('SIGTERM at random moments', () => {
  let folders: { readonly ingest: string; readonly up: string }[];
  beforeAll(async () => {
    const folder = () => mkdtemp(join(tmpdir(), 'meridian-moments-'));
    folders = await Promise.all(
      Array.from({ length: lanes }, async () => ({ ingest: await folder(), up: await folder() })),
    );
    for (const { up } of folders) await layMap(up);
  });
  afterAll(async () => {
    for (const { ingest, up } of folders)
      for (const each of [ingest, up]) await rm(each, { recursive: true, force: true, maxRetries: 20 });
  });

  it(`F3: after each of ${signals}, every process of the program has ended within 10 s`, async () => {
    const cases = randomCases(signals, { upEvery: 9 });
    const seen: Shutdown[] = [];
    await Promise.all(
      folders.map(async (data) => {
        for (let wanted = cases.shift(); wanted !== undefined; wanted = cases.shift()) {
          const shutdown = await oneShutdown({ script, data: data[wanted.program] }, wanted);
          expect(shutdown.left, `${JSON.stringify(wanted)}\n${shutdown.output.slice(-2_000)}`).toEqual([]);
          seen.push(shutdown);
        }
      }),
    );
    const greatestMs = Math.max(...seen.map(({ tookMs }) => tookMs));
    console.log(`${seen.length} signals, greatest ${greatestMs} ms`);
    expect(seen).toHaveLength(signals);
    expect(greatestMs).toBeLessThan(goneWithinMs);
    // Drained, something was late, killed by itself or the guard, ended before the handler was there.
    expect(seen.filter(({ code }) => code !== null && code !== 0 && code !== 1)).toEqual([]);
    expect(seen.filter(({ acknowledged }) => acknowledged > 0).length).toBeGreaterThan(signals / 3);
  }, 600_000);

  it('control: a program that ignores the signal, and its child, are found', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'meridian-ignores-'));
    const ignores = join(folder, 'ignores.mjs');
    const child = `spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true })`;
    await writeFile(
      ignores,
      `import { spawn } from 'node:child_process'; process.on('SIGTERM', () => {}); ${child}; ` +
        'setInterval(() => {}, 1000)',
    );
    const command = { script: ignores, data: folder, withinMs: 300 };
    const { left } = await oneShutdown(command, { program: 'ingest', phase: 'start', afterMs: 2_000 });
    expect(left).toHaveLength(2);
    await rm(folder, { recursive: true });
  });
});
