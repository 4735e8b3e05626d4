import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hotelMigrations } from '#hotel/migrations.js';
import { openSql } from '#platform/sql/open-sql.js';
import { layMap, meridian, spawnProgram } from '../main-job/running-platform.js';

let data: string;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'meridian-downgrade-'));
  await layMap(data);
  const sql = await openSql(`embedded:${join(data, 'sql')}`);
  await sql.migrate('hotel', hotelMigrations);
  await sql.query(
    `INSERT INTO schema_migration (schema, name, checksum) VALUES ('hotel', '9999-of-the-future', 'x')`,
  );
  await sql.close();
}, 240_000);
afterAll(() => rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

const env = { PORT: '0', INTERNAL_PORT: '0' };

it.each([['bookings'], ['up']])(
  '%s: a database of a newer version is refused with one sentence',
  {
    timeout: 120_000,
  },
  async (name) => {
    const program = await spawnProgram(name, { data, env, args: name === 'up' ? ['--drivers', '0'] : [] });
    expect(await program.ended).toBe(1);
    expect(program.output()).toContain(`${name}: database is unavailable: The database has the migration`);
    expect(program.output()).toContain('older than the database. Start a newer version.');
  },
);

it('a data folder of a newer version, or a damaged note of it, is refused by every program', {
  timeout: 60_000,
}, async () => {
  const file = join(data, 'installation.json');
  const noted = JSON.parse(await readFile(file, 'utf8')) as { readonly data: number };
  await writeFile(file, JSON.stringify({ ...noted, data: noted.data + 1 }));
  for (const name of ['ingest', 'up', 'bookings']) {
    const { code, stderr } = await meridian([name], { MERIDIAN_DATA: data, ...env });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The data in .* has version 2; .*newer version.*\n$/),
    ]);
  }
  await writeFile(file, 'x');
  const { code, stderr } = await meridian(['ingest'], { MERIDIAN_DATA: data, ...env });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/installation\.json is damaged/)]);
});
