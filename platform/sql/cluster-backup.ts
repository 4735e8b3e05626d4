import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type ClusterFiles, clusterFiles } from './cluster-files.js';
import { EmbeddedServer } from './embedded-server.js';
import { sqlLimits } from './limits.js';
import type { PostgresServer } from './postgres-sql.js';
import { isDeadlockOrConflict, sqlState } from './sql.js';

const walSegmentBytes = 16n * 1024n * 1024n;

/** What a copy needs beside the files: it ends at one point of the write-ahead log. */
export interface ClusterEnd {
  /** Contents of `backup_label`. */
  readonly label: string;
  /** Names of the segments below `pg_wal`. */
  readonly segments: readonly string[];
}

/** Whether the folder has an embedded PostgreSQL. */
export const hasCluster = (folder: string): Promise<boolean> =>
  stat(join(folder, 'home', 'cluster', 'PG_VERSION')).then(
    () => true,
    () => false,
  );

/**
 * A base backup of the embedded PostgreSQL by PostgreSQL's low-level interface, while programs use it; a
 * server that is stopped is started for it. The package of npm has no `pg_basebackup`.
 *
 * ```ts
 * const backup = await ClusterBackup.begin('./data/sql');
 * const { files } = await backup.files(); // copy them
 * const { label, segments } = await backup.holdWrites(tables, () => backup.end()); // copy these, too
 * await backup.close();
 * ```
 *
 * A process that dies meanwhile leaves nothing: the server ends the backup with its connection.
 */
export class ClusterBackup {
  readonly home: string;
  readonly #embedded: EmbeddedServer;
  readonly #session: pg.Client;
  readonly #server: PostgresServer;
  #start = '';

  static async begin(folder: string): Promise<ClusterBackup> {
    const { embedded, server } = await EmbeddedServer.open(folder);
    const session = await connected(server);
    const backup = new ClusterBackup(join(resolve(folder), 'home'), embedded, session, server);
    try {
      await backup.#begin();
      return backup;
    } catch (error) {
      await backup.close();
      throw error;
    }
  }

  private constructor(home: string, embedded: EmbeddedServer, session: pg.Client, server: PostgresServer) {
    this.home = home;
    this.#embedded = embedded;
    this.#session = session;
    this.#server = server;
  }

  /** Relative to the cluster in `home`. */
  files(): Promise<ClusterFiles> {
    return clusterFiles(join(this.home, 'cluster'));
  }

  /**
   * Runs `work` while nobody writes to these tables; statements of others wait. Waits for transactions that
   * wrote to them, and gives way when that takes long, so that nobody waits for more than the lock's timeout.
   */
  async holdWrites<Result>(tables: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const gate = await connected(this.#server);
    try {
      // In a deadlock, this session notices first and is the one that gives way.
      await gate.query(
        `SET deadlock_timeout = '20ms'; SET lock_timeout = ${sqlLimits.holdWritesLockTimeoutMs}`,
      );
      const { rows } = await gate.query<{ name: string }>(
        'SELECT name FROM unnest($1::text[]) name WHERE to_regclass(name) IS NOT NULL',
        [tables],
      );
      const present = rows.map(({ name }) => name);
      await gate.query('BEGIN');
      if (present.length > 0) await lock(gate, present);
      return await work();
    } finally {
      await gate.end().catch(() => {});
    }
  }

  /** Ends the backup now: what is committed later is not in it. */
  async end(): Promise<ClusterEnd> {
    const { rows } = await this.#session.query<{ label: string; map: string; segment: string; lsn: string }>(
      `SELECT labelfile AS label, spcmapfile AS map, pg_walfile_name(lsn) AS segment, lsn::text
       FROM pg_backup_stop(wait_for_archive => false)`,
    );
    const { label, map, segment } = rows[0]!;
    if (map.trim() !== '')
      throw new Error('The embedded PostgreSQL has tablespaces, which no program makes.');
    const names = await this.#session.query<{ name: string }>(
      `SELECT DISTINCT pg_walfile_name('0/0'::pg_lsn + at) AS name
       FROM generate_series($1::pg_lsn - '0/0'::pg_lsn, $2::pg_lsn - '0/0'::pg_lsn + $3::numeric, $3::numeric) at
       ORDER BY 1`,
      [this.#start, rows[0]!.lsn, walSegmentBytes.toString()],
    );
    const segments = names.rows.map(({ name }) => name).filter((name) => name <= segment);
    return { label, segments };
  }

  /** The server lives on for the other programs. */
  async close(): Promise<void> {
    await this.#session.end().catch(() => {});
    await this.#embedded.release();
  }

  async #begin(): Promise<void> {
    const { rows } = await this.#session.query<{ wal_level: string }>('SHOW wal_level');
    if (rows[0]!.wal_level === 'minimal')
      throw new Error(
        'The database was started by an earlier version of Meridian, which allows no copy while it runs. ' +
          'Restart the programs that use it, and try again.',
      );
    // Keeps the write-ahead log from here on, and ends with this session.
    await this.#session.query('SELECT pg_create_physical_replication_slot($1, true, true)', [
      `meridian_backup_${process.pid}`,
    ]);
    const started = await this.#session.query<{ lsn: string }>(
      'SELECT pg_backup_start($1, fast => true)::text AS lsn',
      ['meridian backup'],
    );
    this.#start = started.rows[0]!.lsn;
  }
}

async function lock(gate: pg.Client, tables: readonly string[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await gate.query(
        `SAVEPOINT held; LOCK TABLE ${tables.map((name) => `"${name}"`).join(', ')} IN SHARE MODE`,
      );
      return;
    } catch (error) {
      const isBusy = isDeadlockOrConflict(error) || sqlState(error) === '55P03';
      if (!isBusy || attempt === sqlLimits.holdWritesAttempts) throw error;
      await gate.query('ROLLBACK TO held');
      await delay(attempt * sqlLimits.holdWritesPauseMs);
    }
  }
}

async function connected({ host, port, user, password, database }: PostgresServer): Promise<pg.Client> {
  const client = new pg.Client({
    ...{ host, port, user, database },
    ...(password === undefined ? {} : { password }),
    connectionTimeoutMillis: sqlLimits.acquireTimeoutMs,
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}
