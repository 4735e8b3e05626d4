import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Migration } from './sql.js';

/** A row of `schema_migration`. */
export interface MigrationRecord {
  readonly name: string;
  readonly checksum: string;
}

export async function appliedMigrations(
  client: pg.Client,
  schema: string,
): Promise<readonly MigrationRecord[]> {
  const { rows } = await client.query<MigrationRecord>(
    'SELECT name, checksum FROM schema_migration WHERE schema = $1 ORDER BY name COLLATE "C"',
    [schema],
  );
  return rows;
}

export async function record(client: pg.Client, schema: string, migration: Migration): Promise<void> {
  await client.query('INSERT INTO schema_migration (schema, name, checksum) VALUES ($1, $2, $3)', [
    schema,
    migration.name,
    checksumOf(migration),
  ]);
}

/** Line ends differ between checkouts on Windows and elsewhere; they do not count as an edit. */
export function checksumOf(migration: Migration): string {
  return createHash('sha256').update(migration.sql.replaceAll('\r\n', '\n')).digest('hex');
}

/** All of `work` or nothing; an error names the migration `what`. */
export async function inOneTransaction(
  client: pg.Client,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await client.query('BEGIN');
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The migration ${what} failed and was rolled back: ${reason}`, { cause: error });
  }
}
