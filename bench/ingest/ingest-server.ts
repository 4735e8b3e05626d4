import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEventLog } from '#platform/event-log/open-event-log.js';

const command = fileURLToPath(new URL('../../../bin/meridian.js', import.meta.url));

export interface Server {
  readonly child: ChildProcess;
  readonly port: number;
}

/** `meridian ingest` as a separate process with its own data, and without limits on a single user. */
export interface IngestServer {
  /** The addresses of the log and the store that the process receives. */
  readonly addresses: { readonly log: string; readonly schemas: string; readonly locations: string };
  /** Starts or restarts it on the same port; resolves when it is ready. */
  start(part?: 'door' | 'both'): Promise<Server>;
  /** Standard output of a command on the same data. Throws its error output if it fails. */
  meridian(...args: string[]): string;
  /** Of drivers `name-0`, `name-1`, …. */
  tokens(count: number, name?: string): readonly string[];
  /** Batches that the event log ever got; a server's log has those of earlier runs too. */
  countLogged(): Promise<number>;
  remove(): void;
}

export function openIngestServer(more: Readonly<Record<string, string>> = {}, nth = 0): IngestServer {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-'));
  // Where the benches find extracts is no setting of the program, which refuses what it does not know.
  const { MERIDIAN_EXTRACTS: _extracts, ...inherited } = process.env;
  const env: NodeJS.ProcessEnv = {
    ...inherited,
    MERIDIAN_DATA: folder,
    LOG_LEVEL: 'warn',
    RATE_PER_USER: '1000000',
    BATCHES_PER_USER: '1000000',
    ...more,
  };
  // Below the ports that the kernel gives to clients; a different one for each server of a run.
  const port = 20_000 + (process.pid % 10_000) + nth;
  const addresses = {
    log: env['EVENT_LOG'] ?? `embedded:${join(folder, 'log')}`,
    schemas: env['SCHEMA_REGISTRY_URL'] ?? `embedded:${join(folder, 'schemas')}`,
    locations: env['LOCATIONS'] ?? `lmdb:${join(folder, 'locations')}`,
  };
  const running = new Set<ChildProcess>();
  // However the run ends, its servers end with it.
  process.on('exit', () => {
    for (const child of running) child.kill('SIGKILL');
  });

  function meridian(...args: string[]): string {
    const { stdout, stderr, status } = spawnSync(process.execPath, [command, ...args], {
      env,
      encoding: 'utf8',
      maxBuffer: 2 ** 31 - 1,
    });
    if (status !== 0) throw new Error(`meridian ${args.join(' ')} failed: ${stderr}`);
    return stdout;
  }

  return {
    addresses,
    meridian,
    async start(part = 'door') {
      const child = spawn(process.execPath, [command, 'ingest', ...(part === 'door' ? ['door'] : [])], {
        env: { ...env, PORT: String(port), INTERNAL_PORT: '0' },
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      running.add(child);
      child.on('close', () => running.delete(child));
      for (const end = Date.now() + 30_000; ; ) {
        const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
        if (ready?.status === 200) return { child, port };
        if (child.exitCode !== null || Date.now() > end) throw new Error('ingest did not start');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    tokens: (count, name = 'bench') =>
      Array.from({ length: count }, (_, i) =>
        meridian('token', '--sub', `${name}-${i}`, '--scope', 'driver').trim(),
      ),
    async countLogged() {
      const log = await openEventLog(addresses.log);
      const offsets = await log.offsets('location.batch.recorded.v1').catch(() => []);
      await log.close();
      return offsets.reduce((sum, { end }) => sum + end, 0);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
