import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { eventually } from '../eventually.js';
import { freePort, meridian } from '../main-job/running-platform.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the README's command starts. */
export interface DefaultPlatform {
  readonly url: string;
  readonly internalUrl: string;
  readonly data: string;
  /** Its complete output so far. */
  output(): string;
  token(sub: string, scope: string): Promise<string>;
  /** Runs one command of `meridian` beside it, to its end. */
  command(...args: readonly string[]): ReturnType<typeof meridian>;
  /** The exit code after a SIGTERM to npm. */
  stop(): Promise<number | null>;
  /** Ends what still runs, and deletes the data. */
  dispose(): Promise<void>;
}

/**
 * `npm start` on an empty data folder. Folder and ports say where it is and not how it behaves; nothing else
 * is set, and no variable of this process reaches it.
 */
export async function npmStart(): Promise<DefaultPlatform> {
  const data = await mkdtemp(join(tmpdir(), 'meridian-defaults-'));
  const [port, internalPort] = [await freePort(), await freePort()];
  const { PATH = '', HOME = '' } = process.env;
  const place = { MERIDIAN_DATA: data, PORT: String(port), INTERNAL_PORT: String(internalPort) };
  const npm: ChildProcess = spawn('npm', ['start'], {
    cwd: root,
    // A group of its own, so that nothing of it outlives a test that fails.
    detached: true,
    env: { PATH, HOME, ...place },
  });
  let output = '';
  npm.stdout!.on('data', (chunk) => (output += chunk));
  npm.stderr!.on('data', (chunk) => (output += chunk));
  const ended = once(npm, 'close').then(([code]) => code as number | null);
  const [url, internalUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${internalPort}`];
  const platform: DefaultPlatform = {
    ...{ url, internalUrl, data },
    output: () => output,
    async token(sub, scope) {
      const { stdout, stderr } = await platform.command('token', '--sub', sub, '--scope', scope);
      if (stdout.trim() === '') throw new Error(`no token: ${stderr}`);
      return stdout.trim();
    },
    command: (...args) => meridian(args, place),
    async stop() {
      npm.kill('SIGTERM');
      return ended;
    },
    async dispose() {
      if (npm.exitCode === null && npm.signalCode === null) process.kill(-npm.pid!, 'SIGKILL');
      await ended;
      await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
  const isReady = async (): Promise<void> => {
    expect(npm.exitCode, output).toBeNull();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  };
  await eventually(isReady, { deadlineMs: 240_000, everyMs: 200 });
  return platform;
}
