import { createHash } from 'node:crypto';
import type pg from 'pg';
import { sqlLimits } from './limits.js';
import type { Migration } from './sql.js';

/** "MERI", so that our locks are not another program's. */
const lockSpace = 0x4d455249;

/**
 * Applies the migrations of one history on a connection of its own and ends with the lock released. Each is
 * one transaction with the row that says it ran, so a crash leaves it whole or not at all.
 */
export async function applyMigrations(
  client: pg.Client,
  schema: string,
  migrations: readonly Migration[],
): Promise<void> {
  checkNames(schema, migrations);
  await client.query(`SET lock_timeout = ${sqlLimits.migrationLockTimeoutMs}`);
  await client.query('SELECT pg_advisory_lock($1, hashtext($2))', [lockSpace, schema]);
  // Histories have locks of their own, and CREATE IF NOT EXISTS is not safe against itself.
  await client.query('SELECT pg_advisory_lock($1, 0)', [lockSpace]);
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migration (
    schema text NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (schema, name)
  )`);
  await client.query('SELECT pg_advisory_unlock($1, 0)', [lockSpace]);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM schema_migration WHERE schema = $1 ORDER BY name COLLATE "C"',
    [schema],
  );
  for (const migration of outstanding(schema, rows, migrations)) await apply(client, schema, migration);
}

async function apply(client: pg.Client, schema: string, migration: Migration): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(migration.sql);
    await client.query('INSERT INTO schema_migration (schema, name, checksum) VALUES ($1, $2, $3)', [
      schema,
      migration.name,
      checksumOf(migration),
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The migration ${schema}/${migration.name} failed and was rolled back: ${reason}`, {
      cause: error,
    });
  }
}

function outstanding(
  schema: string,
  applied: ReadonlyArray<{ readonly name: string; readonly checksum: string }>,
  migrations: readonly Migration[],
): readonly Migration[] {
  for (const [index, { name, checksum }] of applied.entries()) {
    const migration = migrations[index];
    if (!migrations.some((known) => known.name === name)) {
      throw new Error(
        `The database has the migration ${schema}/${name}, which this program does not know: ` +
          'it is older than the database. Start a newer version.',
      );
    }
    if (migration?.name !== name) {
      throw new Error(
        `The migration ${schema}/${migration?.name} comes before ${name}, which has already run. ` +
          'Give it a higher number.',
      );
    }
    if (checksumOf(migration) !== checksum) {
      throw new Error(
        `The migration ${schema}/${name} was edited after it had run. ` +
          'Undo the edit and write a new migration.',
      );
    }
  }
  return migrations.slice(applied.length);
}

function checkNames(schema: string, migrations: readonly Migration[]): void {
  if (!/^[a-z][a-z0-9_-]{0,62}$/.test(schema)) {
    throw new Error(
      `'${schema}' is not a valid schema name for migrations: use lower-case letters, digits, - and _.`,
    );
  }
  for (const [index, { name }] of migrations.entries()) {
    if (!/^\d{4}-[a-z0-9-]{1,80}$/.test(name)) {
      throw new Error(`The migration ${schema}/${name} must be named like 0001-create-inventory.`);
    }
    const before = migrations[index - 1]?.name.slice(0, 4);
    if (before !== undefined && before >= name.slice(0, 4)) {
      throw new Error(`The migration ${schema}/${name} does not have a higher number than the previous one.`);
    }
  }
}

/** Line ends differ between checkouts on Windows and elsewhere; they are no edit. */
function checksumOf(migration: Migration): string {
  return createHash('sha256').update(migration.sql.replaceAll('\r\n', '\n')).digest('hex');
}
