import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const readyMs = 150_000;

export interface RunningPlatform {
  readonly url: string;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

/**
 * The whole platform as a newcomer runs it, on free ports and an empty data folder. `MERIDIAN_URL` names one that
 * already runs instead, which is then left running.
 */
export async function startPlatform(): Promise<RunningPlatform> {
  const running = process.env['MERIDIAN_URL'];
  if (running !== undefined) return { url: running, stop: async () => {} };

  const data = await mkdtemp(join(tmpdir(), 'meridian-page-'));
  const port = await freePort();
  const child = spawn(process.execPath, ['bin/meridian.js', 'up', '--drivers', '50', '--seed', '1'], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'test',
      PORT: String(port),
      INTERNAL_PORT: String(await freePort()),
      MERIDIAN_DATA: data,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const hear = (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4_000);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));

  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), 20_000);
    await ended;
    clearTimeout(killer);
    await rm(data, { recursive: true, force: true });
  };

  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + readyMs;
  for (;;) {
    const ready = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return { url, stop };
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`the platform did not become ready; it said:\n${said}`);
    }
    await pause(250);
  }
}
