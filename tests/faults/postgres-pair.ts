import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect } from 'vitest';
import { WireCut } from '../contracts/wire-cut.js';
import { eventually } from '../eventually.js';
import { freePort } from '../main-job/running-platform.js';

const nobody = 65_534;
const isRoot = process.getuid!() === 0;
const installed = '/usr/lib/postgresql';

/** Debian's newest PostgreSQL, which has the programs of a standby; the one from npm has not. */
const programs = (): string => {
  const [newest] = readdirSync(installed).toSorted((a, b) => Number(b) - Number(a));
  return join(installed, newest!, 'bin');
};
/** PostgreSQL does not run as root. */
const asUser = (args: readonly string[]): readonly [string, readonly string[]] =>
  isRoot
    ? ['setpriv', [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', ...args]]
    : [args[0]!, args.slice(1)];

function run(program: string, ...args: readonly string[]): void {
  const [file, all] = asUser([join(programs(), program), ...args]);
  const { status, stderr } = spawnSync(file, all, { cwd: '/' });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
}

class Server {
  readonly folder: string;
  readonly port: number;
  #process: ChildProcess | undefined;

  constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
  }

  async start(...more: readonly string[]): Promise<void> {
    const settings = [`port=${this.port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', ...more];
    const [file, args] = asUser([
      join(programs(), 'postgres'),
      ...['-D', this.folder],
      ...settings.flatMap((setting) => ['-c', setting]),
    ]);
    this.#process = spawn(file, args, { cwd: '/', stdio: 'ignore' });
    await eventually(() => this.query('SELECT 1'), { deadlineMs: 30_000, everyMs: 50 });
  }

  async query(text: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: this.port,
      user: 'postgres',
      database: 'postgres',
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const running = this.#process;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    running.kill(signal);
    await once(running, 'exit');
  }
}

/** A primary that waits for its standby before it acknowledges a commit. */
export class PostgresPair {
  readonly #folder: string;
  readonly primary: Server;
  readonly standby: Server;
  /** Between the two. */
  readonly #wire: WireCut;

  private constructor(folder: string, primary: Server, standby: Server, wire: WireCut) {
    this.#folder = folder;
    this.primary = primary;
    this.standby = standby;
    this.#wire = wire;
  }

  static async open(): Promise<PostgresPair> {
    const folder = mkdtempSync(join(tmpdir(), 'meridian-pair-'));
    const places = ['primary', 'standby'].map((name) => join(folder, name));
    if (isRoot) chownSync(folder, nobody, nobody);
    for (const place of places) {
      mkdirSync(place, { mode: 0o700 });
      if (isRoot) chownSync(place, nobody, nobody);
    }
    const [primary, standby] = [
      new Server(places[0]!, await freePort()),
      new Server(places[1]!, await freePort()),
    ];
    run(
      'initdb',
      '--auth=trust',
      '--username=postgres',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '-D',
      places[0]!,
    );
    await primary.start();
    await primary.query('CREATE ROLE meridian LOGIN CREATEDB');
    await primary.query('CREATE DATABASE meridian OWNER meridian');
    const from = ['-h', '127.0.0.1', '-p', `${primary.port}`, '-U', 'postgres'];
    run('pg_basebackup', ...from, '-D', places[1]!, '-R', '-X', 'stream', '--checkpoint=fast');
    const wire = new WireCut({ host: '127.0.0.1', port: primary.port });
    await wire.mend();
    await standby.start(`primary_conninfo=host=127.0.0.1 port=${wire.port} user=postgres`);
    await primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await primary.query('SELECT pg_reload_conf()');
    await eventually(
      async () =>
        expect(await primary.query('SELECT sync_state FROM pg_stat_replication')).toEqual([
          { sync_state: 'sync' },
        ]),
      { everyMs: 100 },
    );
    return new PostgresPair(folder, primary, standby, wire);
  }

  /**
   * The standby is cut off for a second, the primary is killed, and the standby takes its place behind
   * `address`. Resolves with when the primary was dead, by `performance.now()`.
   */
  async failOver(address: WireCut): Promise<number> {
    // The standby receives nothing any more, also not what was on its way.
    await this.#wire.cut();
    await sleep(1_000);
    await this.primary.stop('SIGKILL');
    const diedAt = performance.now();
    await address.cut();
    await this.standby.query('SELECT pg_promote()');
    address.moveTo({ host: '127.0.0.1', port: this.standby.port });
    await address.mend();
    return diedAt;
  }

  async close(): Promise<void> {
    await this.primary.stop('SIGKILL');
    await this.standby.stop('SIGINT');
    await this.#wire.cut();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }
}
