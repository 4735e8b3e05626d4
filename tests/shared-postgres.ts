import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openSql, type SqlDeps } from '#platform/sql/open-sql.js';
import { type Migration, type Sql, SqlUnavailable } from '#platform/sql/sql.js';
import { expectNoCardData } from './card-data-left.js';

/** Without our prefix, because programs reject settings that they do not know. */
const variable = 'TEST_POSTGRES';

export interface TestDatabase {
  readonly sql: Sql;
  readonly address: string;
  /** Rejects if tests left card data in a database of the run's server. */
  dispose(): Promise<void>;
}

/** Set-up of a run: one PostgreSQL for the databases of all its files, removed afterwards. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-postgres-'));
  const sql = await openSql(`embedded:${folder}`, { connectionsMax: 1 });
  // Its data is not kept after the run. Tests of crashes have their own server.
  await sql.query('ALTER SYSTEM SET fsync = off');
  await sql.query('SELECT pg_reload_conf()');
  const [password, port] = await Promise.all(
    ['password', 'port'].map((name) => readFile(join(folder, 'home', name), 'utf8')),
  );
  process.env[variable] = `postgres://meridian:${password!.trim()}@127.0.0.1:${port!.trim()}`;
  return async () => {
    await sql.close();
    await rm(folder, { recursive: true });
  };
}

/**
 * An empty database with the tables of `schema`: a copy of the one that the first file of the run migrates.
 * Without a server of the run it gets its own.
 */
export async function openDatabase(
  schema: string,
  migrations: readonly Migration[],
  deps: SqlDeps = {},
  parent?: string,
): Promise<TestDatabase> {
  const server = process.env[variable];
  if (server === undefined) return openOwnDatabase(schema, migrations, deps, parent);
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withOneConnection(server, async (admin) => {
    await makeTemplate(server, admin, schema, migrations);
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${schema}`);
  });
  const address = `${server}/${name}`;
  const sql = await openSql(address, deps);
  return {
    sql,
    address,
    async dispose() {
      try {
        await expectNoCardData(sql);
      } finally {
        await sql.close();
        await withOneConnection(server, (admin) => admin.query(`DROP DATABASE ${name} WITH (FORCE)`));
      }
    },
  };
}

/** A separate embedded server in a new folder below `parent`, for a test that kills it or reads its files. */
export async function openOwnDatabase(
  schema: string,
  migrations: readonly Migration[],
  deps: SqlDeps = {},
  parent = tmpdir(),
): Promise<TestDatabase> {
  const folder = await mkdtemp(join(parent, `meridian-${schema}-`));
  const address = `embedded:${folder}`;
  const sql = await openSql(address, deps);
  await sql.migrate(schema, migrations);
  return {
    sql,
    address,
    async dispose() {
      try {
        await searchIfItAnswers(sql);
      } finally {
        await sql.close();
        await rm(folder, { recursive: true });
      }
    },
  };
}

/** A test may have killed the server: it may come back, and until then connections from before are tried. */
async function searchIfItAnswers(sql: Sql, withinMs = 5_000): Promise<void> {
  const end = performance.now() + withinMs;
  for (;;) {
    try {
      return await expectNoCardData(sql);
    } catch (error) {
      if (!(error instanceof SqlUnavailable)) throw error;
      if (performance.now() > end) return;
      await delay(20);
    }
  }
}

async function withOneConnection(server: string, work: (admin: Sql) => Promise<unknown>): Promise<void> {
  const admin = await openSql(`${server}/postgres`, { connectionsMax: 1 });
  try {
    await work(admin);
  } finally {
    await admin.close();
  }
}

/** Under a session lock, because parallel files need it at the same moment. */
async function makeTemplate(
  server: string,
  admin: Sql,
  schema: string,
  migrations: readonly Migration[],
): Promise<void> {
  await admin.query('SELECT pg_advisory_lock(hashtext($1))', [schema]);
  const { rows } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [schema]);
  if (rows.length > 0) return;
  const unfinished = `${schema}_${randomBytes(8).toString('hex')}`;
  await admin.query(`CREATE DATABASE ${unfinished}`);
  const sql = await openSql(`${server}/${unfinished}`, { connectionsMax: 1 });
  await sql.migrate(schema, migrations);
  await sql.close();
  await admin.query(`ALTER DATABASE ${unfinished} RENAME TO ${schema}`);
}
