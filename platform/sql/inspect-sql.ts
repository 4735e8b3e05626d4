import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { hasCluster } from './cluster-backup.js';
import { superuser } from './cluster-folder.js';
import { serverOf } from './open-sql.js';
import { postgresMajor } from './postgres-programs.js';
import type { PostgresServer } from './postgres-sql.js';
import { checksumOf } from './recorded-migrations.js';
import { serverState } from './server-state.js';
import type { Migration } from './sql.js';

export interface SqlState {
  /** `18.4` */
  readonly version: string;
  /** What the server's clock is ahead of ours, milliseconds. */
  readonly aheadMs: number;
  /** By history, what a start would do. */
  readonly histories: readonly HistoryState[];
}

export interface HistoryState {
  readonly schema: string;
  /** Migrations that the next start applies. */
  readonly pending: number;
  /** Why this program must not use the database. */
  readonly refusal?: string;
}

export type SqlFound =
  | { readonly kind: 'absent' }
  | { readonly kind: 'stopped' }
  | ({ readonly kind: 'runs' } & SqlState);

const answerWithinMs = 4_000;

/**
 * Looks at the database of `address` and changes nothing: an embedded server that is stopped stays so.
 * Rejects with a sentence if a server does not answer, or its files are of another version.
 */
export async function inspectSql(
  address: string,
  known: Readonly<Record<string, readonly Migration[]>>,
): Promise<SqlFound> {
  const folder = /^embedded:(.*)$/s.exec(address)?.[1];
  if (folder === undefined) return { kind: 'runs', ...(await ask(serverOf(address), known)) };
  if (!(await hasCluster(folder))) return { kind: 'absent' };
  const home = join(folder, 'home');
  const cluster = join(home, 'cluster');
  const major = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (major !== postgresMajor())
    throw new Error(`its files are of PostgreSQL ${major}, and this program carries ${postgresMajor()}`);
  const state = await serverState(cluster);
  if (state.kind !== 'ready') return { kind: 'stopped' };
  const password = (await readFile(join(home, 'password'), 'utf8')).trim();
  const at = { host: '127.0.0.1', port: state.port, database: 'postgres', user: superuser, password };
  return { kind: 'runs', ...(await ask(at, known)) };
}

async function ask(
  { tls, password, ...server }: PostgresServer,
  known: Readonly<Record<string, readonly Migration[]>>,
): Promise<SqlState> {
  const client = new pg.Client({
    ...server,
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { ssl: tls }),
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const askedMs = Date.now();
    const { rows } = await client.query<{ version: string; now: Date; has: boolean }>(
      `SELECT current_setting('server_version') AS version, clock_timestamp() AS now,
         to_regclass('schema_migration') IS NOT NULL AS has`,
    );
    const { version, now, has } = rows[0]!;
    const aheadMs = now.getTime() - (askedMs + Date.now()) / 2;
    const recorded = has
      ? await client.query<{ schema: string; name: string; checksum: string }>(
          'SELECT schema, name, checksum FROM schema_migration ORDER BY schema, name COLLATE "C"',
        )
      : { rows: [] };
    const histories = Object.entries(known).map(([schema, migrations]) =>
      compare(
        schema,
        migrations,
        recorded.rows.filter((row) => row.schema === schema),
      ),
    );
    return { version: version.split(' ')[0]!, aheadMs, histories };
  } finally {
    await client.end().catch(() => {});
  }
}

function compare(
  schema: string,
  migrations: readonly Migration[],
  recorded: ReadonlyArray<{ readonly name: string; readonly checksum: string }>,
): HistoryState {
  const earlier = migrations[0]?.replaces;
  const isEarlier =
    recorded[0] !== undefined && earlier !== undefined && recorded[0].name in earlier.recorded;
  if (isEarlier) return { schema, pending: migrations.length };
  for (const { name, checksum } of recorded) {
    const migration = migrations.find((each) => each.name === name);
    if (migration === undefined)
      return { schema, pending: 0, refusal: `it has the migration ${schema}/${name} of a newer program` };
    if (checksumOf(migration) !== checksum)
      return { schema, pending: 0, refusal: `its migration ${schema}/${name} differs from ours` };
  }
  return { schema, pending: recorded.length === 0 ? 0 : migrations.length - recorded.length };
}
