import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Migration, Sql, UpgradeStep } from '#platform/sql/sql.js';
import { type DatabaseServer, startDatabaseServer } from './server.js';

let server: DatabaseServer;
beforeAll(async () => {
  server = await startDatabaseServer();
});
afterAll(() => server?.close());

const made = { name: '0001-create', sql: "CREATE TYPE stage AS ENUM ('a'); CREATE TABLE step (stage stage)" };
const filled = { name: '0002-fill', sql: "INSERT INTO step VALUES ('a')" };
/** The last one uses a value that the first one adds, which PostgreSQL allows once that is committed. */
const steps: readonly [UpgradeStep, UpgradeStep, UpgradeStep] = [
  { name: '0003-add', sql: "ALTER TYPE stage ADD VALUE 'b'; ALTER TYPE stage ADD VALUE 'c'", commit: true },
  { name: '0004-use', sql: "INSERT INTO step VALUES ('b')" },
  { name: '0005-use', sql: "INSERT INTO step VALUES ('c')" },
];
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const baseline: Migration = {
  name: '0001-baseline',
  sql: "CREATE TYPE stage AS ENUM ('a', 'b', 'c'); CREATE TABLE step (stage stage)",
  replaces: {
    since: 'version 1',
    recorded: { [made.name]: sha256(made.sql), [filled.name]: sha256(filled.sql) },
    steps,
  },
};
const next: Migration = { name: '0002-next', sql: "INSERT INTO step VALUES ('a')" };

const stagesOf = async (sql: Sql) =>
  (await sql.query<{ stage: string }>('SELECT stage FROM step')).rows.map(({ stage }) => stage);
const recordOf = async (sql: Sql) =>
  (await sql.query<{ name: string }>('SELECT name FROM schema_migration ORDER BY 1')).rows.map(
    ({ name }) => name,
  );

test('an empty database gets only the baseline', async () => {
  const sql = await server.open(await server.create());
  await sql.migrate('s', [baseline, next]);
  expect(await stagesOf(sql)).toEqual(['a']);
  expect(await recordOf(sql)).toEqual(['0001-baseline', '0002-next']);
});

test.each([0, 1, 2, 3])('a database with %d applied steps gets the others, once', async (ran) => {
  const address = await server.create();
  const [sql, other] = [await server.open(address), await server.open(address)];
  await sql.migrate('s', [made, filled, ...steps.slice(0, ran)]);
  await Promise.all([sql.migrate('s', [baseline, next]), other.migrate('s', [baseline, next])]);
  await sql.migrate('s', [baseline, next]);
  expect(await stagesOf(sql)).toEqual(['a', 'b', 'c', 'a']);
  expect(await recordOf(sql)).toEqual(['0001-baseline', '0002-next']);
  await expect(sql.migrate('s', [made, filled])).rejects.toThrow('older than the database');
  await expect(sql.migrate('s', [baseline])).rejects.toThrow('older than the database');
  await expect(sql.migrate('s', [{ ...baseline, sql: 'SELECT 1' }, next])).rejects.toThrow('was edited');
});

const edited = (migration: Migration) => ({ ...migration, sql: `${migration.sql} ` });
test.each<readonly [string, readonly Migration[], string]>([
  ['is too short', [made], '0002-fill'],
  ['lacks a migration', [made, ...steps], '0002-fill'],
  ['starts differently', [{ ...made, name: '0000-create' }, filled], '0001-create'],
  ['has an edited migration', [made, edited(filled)], '0002-fill'],
  ['has an edited step', [made, filled, edited(steps[0])], '0003-add'],
  ['continues differently', [made, filled, ...steps, { name: '0006-more', sql: 'SELECT 1' }], '0006-more'],
])('rejects a history that %s with a sentence, and changes nothing', async (_, history, odd) => {
  const sql = await server.open(await server.create());
  await sql.migrate('s', history);
  const before = await stagesOf(sql);
  await expect(sql.migrate('s', [baseline, next])).rejects.toThrow(
    `The database differs from one of version 1 or later at the migration s/${odd}: ` +
      'start the program of version 1 on it first, or use an empty database.',
  );
  expect(await stagesOf(sql)).toEqual(before);
  expect(await recordOf(sql)).toEqual(history.map(({ name }) => name));
});

test('a failing step rolls back the steps of its transaction, not the committed one', async () => {
  const sql = await server.open(await server.create());
  await sql.migrate('s', [made, filled]);
  const broken = { ...baseline.replaces!, steps: [steps[0], steps[1], { ...steps[2], sql: 'SELEKT' }] };
  await expect(sql.migrate('s', [{ ...baseline, replaces: broken }])).rejects.toThrow(
    's/0001-baseline failed and was rolled back',
  );
  expect(await stagesOf(sql)).toEqual(['a']);
  expect(await recordOf(sql)).toEqual(['0001-create', '0002-fill', '0003-add']);
  await sql.migrate('s', [baseline]);
  expect(await stagesOf(sql)).toEqual(['a', 'b', 'c']);
});
