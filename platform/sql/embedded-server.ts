import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import {
  type ClusterFolder,
  libraryPath,
  openClusterFolder,
  readPassword,
  superuser,
} from './cluster-folder.js';
import { keeper } from './keeper.js';
import { sqlLimits } from './limits.js';
import { OrdinaryUser } from './ordinary-user.js';
import { findPostgresPrograms, type PostgresPrograms } from './postgres-programs.js';
import type { PostgresServer } from './postgres-sql.js';
import { reachablePrograms } from './reachable-programs.js';
import { type ServerState, serverState } from './server-state.js';
import { SocketFolder, socketAsksForPassword } from './socket-folder.js';

const loopback = '127.0.0.1';
/**
 * `home` relative to the cluster, the server's working folder, so that the path of the socket is short for
 * any data folder.
 */
const homeOfCluster = '..';

const settings: Readonly<Record<string, string | number>> = {
  listen_addresses: loopback,
  unix_socket_permissions: '0700',
  max_connections: 100,
  shared_buffers: '64MB',
  io_method: 'sync',
  jit: 'off',
  wal_level: 'replica', // `minimal` allows no backup while it runs.
  max_wal_senders: 0,
  deadlock_timeout: '200ms',
  log_min_messages: 'log', // Errors of statements hold the values of people; the client gets them anyway.
  log_checkpoints: 'off',
};

/**
 * A real PostgreSQL in a folder, shared by all processes of this machine that open the folder. The first
 * process starts it, it lives as long as one of them does, and after a kill it is started again. Our own
 * statements go through its Unix socket, which costs less than TCP for each round trip, or over loopback
 * where there is none.
 */
export class EmbeddedServer {
  readonly #programs: PostgresPrograms;
  readonly #user: OrdinaryUser;
  readonly #paths: ClusterFolder;
  readonly #lifeline: number;
  #keeper: ChildProcess | undefined;
  readonly #socket: SocketFolder;
  #withSocket = false;
  #port = 0;
  #watch: NodeJS.Timeout | undefined;
  #restarting: Promise<void> | undefined;

  private constructor(programs: PostgresPrograms, user: OrdinaryUser, paths: ClusterFolder) {
    this.#programs = programs;
    this.#user = user;
    this.#paths = paths;
    // Reading and writing, since a pipe that is opened for writing alone waits for its reader.
    this.#lifeline = openSync(paths.lifeline, constants.O_RDWR);
    this.#socket = new SocketFolder(paths.home);
  }

  static async open(
    folder: string,
  ): Promise<{ readonly embedded: EmbeddedServer; readonly server: PostgresServer }> {
    if (process.platform === 'win32') {
      throw new Error(
        'The embedded PostgreSQL does not run on Windows. ' +
          'Set SQL=postgres://user:password@host:5432/database.',
      );
    }
    const user = await OrdinaryUser.find();
    const programs = await reachablePrograms(findPostgresPrograms(), user);
    const paths = await openClusterFolder(folder, programs, user);
    const password = await readPassword(paths);
    const embedded = new EmbeddedServer(programs, user, paths);
    try {
      const host = await embedded.#join(password);
      embedded.#superviseFromNowOn();
      const server = {
        host,
        port: embedded.#port,
        database: 'postgres',
        user: superuser,
        password,
      };
      return { embedded, server };
    } catch (error) {
      await embedded.release();
      throw error;
    }
  }

  /** Releases the server and waits until it has stopped, unless another process still uses it. */
  async release(): Promise<void> {
    clearInterval(this.#watch);
    await this.#restarting;
    closeSync(this.#lifeline);
    this.#socket.close();
    const started = Date.now();
    for (;;) {
      const { kind } = await serverState(this.#paths.cluster);
      if (kind === 'absent') return;
      const waitedMs = Date.now() - started;
      if (waitedMs > (kind === 'stopping' ? sqlLimits.stopTimeoutMs : sqlLimits.sharedServerGraceMs)) return;
      await delay(10);
    }
  }

  /** The host through which the server answers, once it does. */
  async #join(password: string): Promise<string> {
    const end = Date.now() + sqlLimits.startTimeoutMs;
    for (let starts = 0; Date.now() < end; await delay(15)) {
      const state = await this.#look();
      if (state.kind === 'ready') {
        const host = await this.#reach(state, password);
        if (host === undefined || (this.#keeper === undefined && !(await this.#stays(state)))) continue;
        this.#port = state.port;
        return host;
      }
      if (state.kind !== 'absent' || this.#keeperRuns()) continue;
      if (starts === sqlLimits.startAttemptsMax) break;
      starts += 1;
      // PostgreSQL does not start if it cannot create its socket, for example on a file system without
      // sockets. The last attempt uses no socket.
      const mayHaveSocket = starts < sqlLimits.startAttemptsMax;
      const withSocket = mayHaveSocket && (await socketAsksForPassword(this.#paths.cluster));
      await this.#start(await this.#choosePort(), withSocket);
    }
    const said = (await readFile(this.#paths.log, 'utf8').catch(() => ''))
      .trim()
      .split('\n')
      .slice(-3)
      .join(' ');
    throw new Error(
      `The embedded PostgreSQL in ${this.#paths.home} does not start: ${said} ` +
        'Correct that, or move the folder away to start with an empty database.',
    );
  }

  async #start(port: number, withSocket: boolean): Promise<void> {
    const { cluster, lifeline, log, home } = this.#paths;
    const all = { ...settings, unix_socket_directories: withSocket ? homeOfCluster : '', port };
    const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = [this.#programs.postgres, '-D', cluster, ...options];
    const libraries = libraryPath(this.#paths, this.#programs);
    const shell = ['-c', keeper, 'meridian-postgres', libraries, ...server];
    const { file, args, ...ids } = await this.#user.command('/bin/sh', shell, [home, this.#programs.folder]);
    const reading = openSync(lifeline, constants.O_RDONLY);
    const logging = openSync(log, 'w', 0o600);
    try {
      this.#keeper = spawn(file, args, {
        ...ids,
        cwd: '/',
        env: { PATH: process.env['PATH'], LC_ALL: 'C' },
        // A separate process group: Ctrl-C is for us, and we stop the server ourselves.
        detached: true,
        stdio: [reading, logging, logging],
      });
      this.#keeper.on('error', () => {}); // Shows as a keeper that does not run.
      this.#keeper.unref();
    } finally {
      closeSync(reading);
      closeSync(logging);
    }
  }

  /** A killed server restarts on the same port and socket, which the pools use. */
  #superviseFromNowOn(): void {
    this.#watch = setInterval(() => {
      this.#restarting ??= this.#restartWhenAbsent()
        .catch(() => {}) // The next round tries again; callers hear of it from their statements.
        .finally(() => {
          this.#restarting = undefined;
        });
    }, sqlLimits.superviseIntervalMs);
    this.#watch.unref();
  }

  async #restartWhenAbsent(): Promise<void> {
    const { kind } = await this.#look();
    if (kind === 'absent' && !this.#keeperRuns()) await this.#start(this.#port, this.#withSocket);
  }

  async #look(): Promise<ServerState> {
    const state = await serverState(this.#paths.cluster);
    // If there was a socket, a pool of some process may still use it.
    this.#withSocket ||= state.kind === 'ready' && state.socketFolder === this.#paths.home;
    return state;
  }

  #keeperRuns(): boolean {
    return (
      this.#keeper?.pid !== undefined && this.#keeper.exitCode === null && this.#keeper.signalCode === null
    );
  }

  async #reach(
    { port, socketFolder }: ServerState & { readonly kind: 'ready' },
    password: string,
  ): Promise<string | undefined> {
    const socket = socketFolder === this.#paths.home ? this.#socket.host(port) : undefined;
    if (socket !== undefined && (await this.#answers(socket, port, password))) return socket;
    return (await this.#answers(loopback, port, password)) ? loopback : undefined;
  }

  async #answers(host: string, port: number, password: string): Promise<boolean> {
    const client = new pg.Client({
      host,
      port,
      user: superuser,
      password,
      database: 'postgres',
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('SELECT 1');
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** The server may have seen the last lifeline close just before ours was opened. */
  async #stays(state: ServerState & { readonly kind: 'ready' }): Promise<boolean> {
    await delay(sqlLimits.joinGraceMs);
    const later = await serverState(this.#paths.cluster);
    return later.kind === 'ready' && later.processId === state.processId;
  }

  /** The port of the last start, unless another program uses it. */
  async #choosePort(): Promise<number> {
    const last = Number(await readFile(this.#paths.port, 'utf8').catch(() => '0'));
    const free = (await freePort(last)) ?? (await freePort(0))!;
    if (free !== last) await writeFile(this.#paths.port, `${free}\n`);
    return free;
  }
}

async function freePort(wanted: number): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen(wanted, loopback);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch {
    return undefined;
  } finally {
    server.close();
  }
}
