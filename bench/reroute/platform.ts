import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DevelopmentIssuer, openDevelopmentIssuer } from '#platform/auth/development-issuer.js';
import { meridianCommand } from '../routing/open-area.js';

/** The programs of the platform as processes of their own, on embedded adapters in one folder. */
export interface Programs {
  readonly folder: string;
  /** Addresses of the ingest server and of the gateway. */
  readonly doorUrl: string;
  readonly apiUrl: string;
  readonly issuer: DevelopmentIssuer;
  readonly processIds: readonly number[];
  /** Ends them as an operator would; what they wrote stays. */
  stop(): Promise<void>;
  remove(): void;
}

const startWithinMs = 120_000;

/** `one`: `meridian up`. `three`: ingest server, consumer groups and gateway as separate processes. */
export async function startPrograms(extract: string, shape: 'one' | 'three'): Promise<Programs> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-'));
  const { MERIDIAN_PEERS: _peers, MERIDIAN_EXTRACTS: _extracts, ...others } = process.env;
  const env = { ...others, MERIDIAN_DATA: folder, LOG_LEVEL: 'warn', BATCHES_PER_USER: '100000' };
  const running: ChildProcess[] = [];
  process.on('exit', () => {
    for (const child of running) child.kill('SIGKILL');
  });
  const firstPort = 20_000 + (process.pid % 20_000);
  const start = async (nth: number, ...args: string[]): Promise<string> => {
    const port = firstPort + nth;
    const child = spawn(process.execPath, [meridianCommand, ...args], {
      env: { ...env, PORT: String(port), INTERNAL_PORT: '0' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    running.push(child);
    const url = `http://127.0.0.1:${port}`;
    for (const end = Date.now() + startWithinMs; ; ) {
      const ready = await fetch(`${url}/readyz`).catch(() => undefined);
      if (ready?.status === 200) return url;
      if (child.exitCode !== null || Date.now() > end) throw new Error(`meridian ${args[0]} did not start`);
      await new Promise((wake) => setTimeout(wake, 100));
    }
  };
  const apiUrl =
    shape === 'one'
      ? await start(0, 'up', '--drivers', '0', '--osm', extract)
      : await start(0, 'api', '--osm', extract);
  if (shape === 'three') await start(1, 'processors', '--osm', extract);
  const doorUrl = shape === 'one' ? apiUrl : await start(2, 'ingest');
  return {
    folder,
    doorUrl,
    apiUrl,
    issuer: await openDevelopmentIssuer({
      folder: join(folder, 'dev-issuer'),
      issuer: 'meridian-development',
      audience: 'meridian',
      internalAudience: 'meridian-internal',
      production: false,
    }),
    processIds: running.map(({ pid }) => pid!),
    async stop() {
      for (const child of running) child.kill('SIGTERM');
      const alive = running.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
      await Promise.all(alive.map((child) => once(child, 'close')));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
