import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.js';
import { layMap, meridian } from '../main-job/running-platform.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** All processes whose environment names this folder; a dead one that nobody has waited for has none. */
const usersOf = (data: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`MERIDIAN_DATA=${data}`);
      } catch {
        return false;
      }
    })
    .map(Number);

describe.runIf(existsSync('/proc/self/environ'))('a SIGTERM to npm start', () => {
  let data: string;
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-npm-start-'));
    await layMap(data);
  });
  afterEach(async () => {
    for (const pid of usersOf(data)) process.kill(pid, 'SIGKILL');
    await rm(data, { recursive: true, force: true });
  });
  const start = () => {
    const settings = { MERIDIAN_DATA: data, PORT: '0', INTERNAL_PORT: '0', PID_FILE: join(data, 'pid') };
    return spawn('npm', ['start', '--', '--drivers', '0'], {
      cwd: root,
      env: { ...process.env, ...settings },
      stdio: 'ignore',
    });
  };
  const allGone = async (): Promise<void> => {
    const from = performance.now();
    await eventually(() => expect(usersOf(data)).toEqual([]), { deadlineMs: 15_000 });
    // From the signal of the exit guard's latest moment on, on a machine with work to do.
    expect(performance.now() - from).toBeLessThan(11_000);
  };

  it('ends the platform and everything it started', async () => {
    const npm = start();
    await eventually(() => expect(existsSync(join(data, 'pid'))).toBe(true), { deadlineMs: 120_000 });
    npm.kill('SIGTERM');
    await once(npm, 'close');
    await allGone();
  });

  it('ends a build in progress', async () => {
    const npm = start();
    // npm, start.js, build.js: the platform itself has not begun.
    await eventually(() => expect(usersOf(data).length).toBeGreaterThan(2), { everyMs: 1 });
    expect(existsSync(join(data, 'pid'))).toBe(false);
    npm.kill('SIGTERM');
    await once(npm, 'close');
    await allGone();
    expect(existsSync(join(data, 'pid'))).toBe(false);
  });
});

it('DRAIN_MS that would take more than ten seconds is refused', async () => {
  const { code, stderr } = await meridian(['config'], { DRAIN_MS: '9001' });
  expect([code, stderr]).toEqual([2, expect.stringContaining('DRAIN_MS must be <= 9000')]);
});
