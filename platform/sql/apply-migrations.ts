import type pg from 'pg';
import { sqlLimits } from './limits.js';
import {
  appliedMigrations,
  checksumOf,
  inOneTransaction,
  type MigrationRecord,
  record,
} from './recorded-migrations.js';
import { replaceHistory } from './replace-history.js';
import { type Migration, SchemaRefused } from './sql.js';

/** "MERI", so that our locks differ from those of other programs. */
const lockSpace = 0x4d455249;

/**
 * Applies the migrations of one history on a connection of its own and releases the lock at the end. Each is
 * one transaction with the row that records it, so a crash leaves it applied completely or not at all.
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
  const [first] = migrations;
  if (first?.replaces !== undefined) await replaceHistory(client, schema, first, first.replaces);
  const applied = await appliedMigrations(client, schema);
  for (const migration of outstanding(schema, applied, migrations)) await apply(client, schema, migration);
}

async function apply(client: pg.Client, schema: string, migration: Migration): Promise<void> {
  await inOneTransaction(client, `${schema}/${migration.name}`, async () => {
    await client.query(migration.sql);
    await record(client, schema, migration);
  });
}

function outstanding(
  schema: string,
  applied: readonly MigrationRecord[],
  migrations: readonly Migration[],
): readonly Migration[] {
  for (const [index, { name, checksum }] of applied.entries()) {
    const migration = migrations[index];
    if (!migrations.some((known) => known.name === name)) {
      throw new SchemaRefused(
        `The database has the migration ${schema}/${name}, which this program does not know: ` +
          'it is older than the database. Start a newer version.',
      );
    }
    if (migration?.name !== name) {
      throw new SchemaRefused(
        `The migration ${schema}/${migration?.name} comes before ${name}, which has already run. ` +
          'Give it a higher number.',
      );
    }
    if (checksumOf(migration) !== checksum) {
      throw new SchemaRefused(
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
