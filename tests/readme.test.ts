import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPlatform, startPlatform } from './main-job/running-platform.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = await readFile(join(root, 'README.md'), 'utf8');
/** Blocks marked `sh run` are for a terminal next to `npm start`; here they run unchanged. */
const blocks = [...readme.matchAll(/```sh run\n([\s\S]*?)```/g)].map(([, text]) => text!);

describe('the README', () => {
  let platform: RunningPlatform;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meridian-readme-'));
    platform = await startPlatform(folder, ['--drivers', '0'], {}, { newMap: true });
  });
  afterAll(async () => {
    await platform?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('contains blocks to run', () => {
    expect(blocks.length).toBeGreaterThanOrEqual(3);
  });

  it.each(blocks.map((text, i) => [i + 1, text]))('block %i does what it says', (_, text) => {
    const script = String(text).replaceAll('http://localhost:8080', platform.url);
    const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, MERIDIAN_DATA: folder },
    });
    expect(status, stderr).toBe(0);
    expect(stdout).not.toBe('');
    // A problem document is JSON too: it would pass as output, but the reader was promised something else.
    expect(stdout).not.toContain('"type":"/problems/');
  });

  it('stops cleanly on SIGINT, as Ctrl-C sends it', async () => {
    expect(await platform.stop('SIGINT'), platform.output()).toBe(0);
  });
});
