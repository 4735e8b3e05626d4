import type pg from 'pg';
import {
  appliedMigrations,
  checksumOf,
  inOneTransaction,
  type MigrationRecord,
  record,
} from './recorded-migrations.js';
import { type EarlierHistory, type Migration, SchemaRefused, type UpgradeStep } from './sql.js';

/**
 * Upgrades a database of the history that `baseline` replaces; one that is empty or has the baseline is left
 * alone. Each step that must be committed before the next is one transaction; the rest and the baseline's
 * record are another. After a crash, the database is at a later step of the earlier history, and the next
 * call continues there. The caller holds the lock of the schema.
 */
export async function replaceHistory(
  client: pg.Client,
  schema: string,
  baseline: Migration,
  earlier: EarlierHistory,
): Promise<void> {
  const applied = await appliedMigrations(client, schema);
  if (applied.length === 0 || applied.some(({ name }) => name === baseline.name)) return;
  const steps = missingSteps(schema, applied, earlier);
  while (steps.some(({ commit }) => commit)) {
    const batch = steps.splice(0, steps.findIndex(({ commit }) => commit) + 1);
    await inOneTransaction(client, `${schema}/${batch.at(-1)!.name}`, async () => {
      for (const step of batch) {
        await client.query(step.sql);
        await record(client, schema, step);
      }
    });
  }
  await inOneTransaction(client, `${schema}/${baseline.name}`, async () => {
    for (const step of steps) await client.query(step.sql);
    await client.query('DELETE FROM schema_migration WHERE schema = $1', [schema]);
    await record(client, schema, baseline);
  });
}

function missingSteps(
  schema: string,
  applied: readonly MigrationRecord[],
  { since, recorded, steps }: EarlierHistory,
): UpgradeStep[] {
  const least = Object.entries(recorded).map(([name, checksum]) => ({ name, checksum }));
  const known = [...least, ...steps.map((step) => ({ name: step.name, checksum: checksumOf(step) }))];
  const expected = known.slice(0, Math.max(applied.length, least.length));
  const wrong = expected.findIndex(
    ({ name, checksum }, index) => applied[index]?.name !== name || applied[index]?.checksum !== checksum,
  );
  const odd = wrong >= 0 ? expected[wrong] : applied[known.length];
  if (odd !== undefined) {
    throw new SchemaRefused(
      `The database differs from one of ${since} or later at the migration ${schema}/${odd.name}: ` +
        `start the program of ${since} on it first, or use an empty database.`,
    );
  }
  return steps.slice(applied.length - least.length);
}
