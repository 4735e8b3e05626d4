import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { meridianCommand } from './routing/open-area.js';

/** What `npm start` starts, on an empty data folder and two free ports, with some number of drivers. */
export interface DefaultPlatform {
  readonly folder: string;
  readonly publicUrl: string;
  readonly internalUrl: string;
  readonly pid: number;
  /** Ends it as an operator would, and deletes its folder. */
  stop(): Promise<void>;
}

const startWithinMs = 300_000;

/** @param drivers simulated ones; without it as many as by default */
export async function startDefaultPlatform(drivers?: number): Promise<DefaultPlatform> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-default-'));
  const [port, internalPort] = [await freePort(), await freePort()];
  const [publicUrl, internalUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${internalPort}`];
  const words = drivers === undefined ? [] : ['--drivers', String(drivers)];
  const child = spawn(process.execPath, [meridianCommand, 'up', ...words], {
    env: {
      ...process.env,
      ...{ MERIDIAN_DATA: folder, PORT: String(port), INTERNAL_PORT: String(internalPort) },
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'close');

  for (const endMs = Date.now() + startWithinMs; ; ) {
    const answer = await fetch(`${internalUrl}/readyz`).catch(() => undefined);
    if (answer?.status === 200) break;
    if (child.exitCode !== null || Date.now() > endMs) throw new Error('the platform did not start');
    await new Promise((wake) => setTimeout(wake, 200));
  }
  return {
    ...{ folder, publicUrl, internalUrl, pid: child.pid! },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      process.off('exit', kill);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
