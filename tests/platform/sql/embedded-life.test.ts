import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import { proves } from '#tools/acceptance/proves.js';
import { compiledTree } from '../../compiled-tree.js';
import { killedWriter } from '../../contracts/killed-writer.js';
import { until } from '../../contracts/until.js';

const run = promisify(execFile);
let folder: string;
const open: Sql[] = [];
// One cluster for all tests except those that need a new one: creating it takes a second or two.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-sql-'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((sql) => sql.close()));
  await until('the end of the server', async () => (await serverProcess()) === undefined);
});
afterAll(() => rm(folder, { recursive: true }));

async function opened(): Promise<Sql> {
  const sql = await openSql(`embedded:${folder}`);
  open.push(sql);
  return sql;
}

async function closed(sql: Sql): Promise<void> {
  open.splice(open.indexOf(sql), 1);
  await sql.close();
}

/** Process id of the server on our folder, while it lives. */
async function serverProcess(home = join(folder, 'home')): Promise<number | undefined> {
  const file = await readFile(join(home, 'cluster', 'postmaster.pid'), 'utf8').catch(() => undefined);
  return file === undefined ? undefined : isAlive(Number(file.split('\n')[0]));
}

function isAlive(processId: number): number | undefined {
  try {
    process.kill(processId, 0);
    return processId;
  } catch {
    return undefined;
  }
}

const writer = `
  const { openSql } = await import('#platform/sql/open-sql.js');
  const sql = await openSql('embedded:' + process.argv[1]);
  await sql.query('CREATE TABLE IF NOT EXISTS written (n bigint PRIMARY KEY, twin bigint NOT NULL)');
  let next = Number(process.argv[2]);
  await Promise.all(Array.from({ length: 8 }, async () => {
    for (;;) {
      const n = next++;
      await sql.transaction(async (tx) => {
        await tx.query('INSERT INTO written VALUES ($1, 0)', [n]);
        await tx.query('UPDATE written SET twin = n WHERE n = $1', [n]);
      });
      process.stdout.write(n + '\\n');
    }
  }));
`;

proves('F18', {
  asked: 'PostgreSQL: kill -9, 15 times; nothing committed is lost',
  shown: 'two kills of the program and one of the server: all acknowledged rows are complete',
  scaled: '3 : 15',
});
test('F18: after kill -9 of the program the server stops, and committed data is complete', async () => {
  const acknowledged = new Set<number>();
  for (let round = 0; round < 2; round += 1) {
    for (const line of await killedWriter(writer, [folder, String(round * 1_000_000)], 150))
      acknowledged.add(Number(line));
  }
  // The second writer started while the first one's server was still stopping.
  await until('the end of the orphan', async () => (await serverProcess()) === undefined);
  const sql = await opened();
  const { rows } = await sql.query<{ n: bigint; twin: bigint }>('SELECT n, twin FROM written');
  const found = new Set(rows.map((row) => Number(row.n)));
  expect([...acknowledged].filter((n) => !found.has(n))).toEqual([]);
  expect(rows.every((row) => row.n === row.twin)).toBe(true);
});

test('F18: a killed server returns under the same pool, with the committed data', async () => {
  const sql = await opened();
  await sql.query('CREATE TABLE kept (n int)');
  await sql.query('INSERT INTO kept VALUES (1)');
  const before = (await serverProcess())!;
  process.kill(before, 'SIGKILL');
  await until('another server', async () => ![undefined, before].includes(await serverProcess()));
  await until(
    'the return',
    () =>
      sql.query('SELECT n FROM kept').then(
        ({ rows }) => rows.length === 1,
        () => false,
      ),
    15_000,
  );
  expect((await sql.query('SELECT n FROM kept')).rows).toEqual([{ n: 1 }]);
});

test('programs that create a cluster at the same time share one server; the last stops it', async () => {
  const before = folder;
  folder = await mkdtemp(join(tmpdir(), 'meridian-sql-'));
  const [a, b, c] = await Promise.all([opened(), opened(), opened()]);
  const ids = await Promise.all(
    [a, b, c].map((sql) => sql.query('SELECT pg_postmaster_start_time()::text AS t')),
  );
  expect(new Set(ids.map(({ rows }) => rows[0]!['t'])).size).toBe(1);
  expect((await readdir(folder)).toSorted()).toEqual(['home']);
  await closed(a);
  await b.check();
  await closed(b);
  await c.check();
  await closed(c);
  expect(await serverProcess()).toBeUndefined();
  await rm(folder, { recursive: true });
  folder = before;
});

test('a clean close is not reported as lost connections', async () => {
  const lost: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    const sql = await openSql(`embedded:${folder}`, { onError: (error) => lost.push(error.message) });
    await Promise.all(Array.from({ length: 16 }, () => sql.query('SELECT pg_sleep(0.01)')));
    await sql.close();
  }
  expect(lost).toEqual([]);
});

test('a commit is on disk when it is acknowledged, whatever else the server does', async () => {
  const sql = await opened();
  await sql.query('ALTER DATABASE postgres SET synchronous_commit = off');
  const other = await opened();
  for (const one of [sql, other])
    expect((await one.query('SHOW synchronous_commit')).rows).toEqual([{ synchronous_commit: 'on' }]);
  await sql.query('ALTER DATABASE postgres RESET synchronous_commit');
});

test('the server listens only on loopback, requires the password, and does not reveal it', async () => {
  const sql = await opened();
  const { rows } = await sql.query<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings WHERE name IN ('listen_addresses', 'unix_socket_directories', 'fsync', 'synchronous_commit', 'full_page_writes')`,
  );
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    listen_addresses: '127.0.0.1',
    // The server runs in the cluster folder, so this is the folder that is closed to others.
    unix_socket_directories: '..',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
  });
  const home = join(folder, 'home');
  const port = (await readFile(join(home, 'port'), 'utf8')).trim();
  const stranger = await openSql(`postgres://meridian:guess@127.0.0.1:${port}/postgres`);
  await expect(stranger.query('SELECT 1')).rejects.toThrow('password authentication failed');
  await stranger.close();
  const password = (await readFile(join(home, 'password'), 'utf8')).trim();
  const { stdout: shown } = await run('ps', ['-o', 'uid=,args=', '-p', String(await serverProcess())]);
  expect(shown).not.toContain(password);
  expect(shown).toMatch(/^\s*[1-9]\d* .*postgres/);
  expect(await readFile(join(home, 'server.log'), 'utf8')).not.toContain(password);
});

/** Another user can run our files only if every folder above them grants access. */
const othersMayEnter = (() => {
  if (process.getuid?.() !== 0) return true;
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
})();
const reason = othersMayEnter ? '' : ' (skipped: only root may enter this checkout)';

test.skipIf(!othersMayEnter)(
  `an ordinary user runs the server under their own account${reason}`,
  async () => {
    const ids = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const parent = await mkdtemp(join(tmpdir(), 'meridian-sql-'));
    const own = join(parent, 'own');
    await mkdir(own);
    if ('uid' in ids) {
      await chmod(parent, 0o755);
      await chown(own, 65534, 65534);
    }
    const script = `
    const { openSql } = await import('#platform/sql/open-sql.js');
    const sql = await openSql('embedded:' + process.argv[1]);
    console.log((await sql.query('SELECT 40 + 2 AS n')).rows[0].n);
    await sql.close();
  `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, own], {
      ...ids,
      cwd: compiledTree,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(said).toBe('42\n');
    expect(await serverProcess(join(own, 'home'))).toBeUndefined();
    await rm(parent, { recursive: true });
  },
);

test('F41: a cluster that cannot be opened is one sentence with the remedy, and no server', async () => {
  await closed(await opened());
  await writeFile(join(folder, 'home', 'cluster', 'PG_VERSION'), '9\n');
  const failure = await openSql(`embedded:${folder}`).catch((error: unknown) => error);
  expect(String(failure)).toContain('does not start');
  expect(String(failure)).toContain('not compatible');
  expect(String(failure)).toContain('move the folder away');
});
