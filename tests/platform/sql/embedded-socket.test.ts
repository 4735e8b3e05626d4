import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openSql } from '#platform/sql/open-sql.js';
import { PostgresSql } from '#platform/sql/postgres-sql.js';
import { socketAsksForPassword } from '#platform/sql/socket-folder.js';
import type { Sql } from '#platform/sql/sql.js';
import { compiledTree } from '../../compiled-tree.js';
import { until } from '../../contracts/until.js';

// One cluster for all tests, because creating one takes seconds; each test leaves it stopped and unchanged.
let folder: string;
const home = () => join(folder, 'home');
const open: Sql[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-sql-'));
  await opened();
  await stopped();
});
afterEach(stopped);
afterAll(() => rm(folder, { recursive: true }));

async function opened(address = `embedded:${folder}`): Promise<Sql> {
  const sql = await openSql(address);
  open.push(sql);
  return sql;
}

/** A stopped server has removed its socket. */
async function stopped(): Promise<void> {
  await Promise.all(open.splice(0).map((sql) => sql.close()));
  await until('the end of the server', async () => {
    const left = [...(await readdir(home())), ...(await readdir(join(home(), 'cluster')))];
    return !left.some((name) => name === 'postmaster.pid' || name.startsWith('.s.PGSQL'));
  });
}

const read = async (name: string): Promise<string> => (await readFile(join(home(), name), 'utf8')).trim();

/** A connection over TCP has a server's address, one over a socket has none. */
async function way(sql: Sql): Promise<'tcp' | 'socket'> {
  const { rows } = await sql.query('SELECT inet_server_addr() AS address');
  return rows[0]!['address'] === null ? 'socket' : 'tcp';
}

test('statements use a socket in the data folder, others loopback, all with a password', async () => {
  expect(await way(await opened())).toBe('socket');
  const port = await read('port');
  const password = await read('password');
  expect(await way(await opened(`postgres://meridian:${password}@127.0.0.1:${port}/postgres`))).toBe('tcp');
  expect((await stat(join(home(), `.s.PGSQL.${port}`))).mode & 0o777).toBe(0o700);

  const server = { host: home(), port: Number(port), database: 'postgres', user: 'meridian' };
  const deps = { connectionsMax: 1, statementTimeoutMs: 60_000, random: Math.random, onError: () => {} };
  const guessing = new PostgresSql({ ...server, password: 'guess' }, deps);
  await expect(guessing.query('SELECT 1')).rejects.toThrow('password authentication failed');
  await guessing.close();
});

test('a data folder too deep for a socket path still has a socket on Linux, and TCP elsewhere', async () => {
  const shallow = folder;
  folder = join(shallow, 'deep'.repeat(30), 'folder');
  await mkdir(folder, { recursive: true });
  await rename(join(shallow, 'home'), home());
  try {
    expect(await way(await opened())).toBe(process.platform === 'linux' ? 'socket' : 'tcp');
  } finally {
    await stopped();
    await rename(home(), join(shallow, 'home'));
    await rm(dirname(folder), { recursive: true });
    folder = shallow;
  }
});

test('a process in another working directory finds the socket of the running server', async () => {
  const sql = await opened();
  const started = 'SELECT inet_server_addr() IS NULL AS socket, pg_postmaster_start_time()::text AS started';
  const script = `
    const { openSql } = await import('#platform/sql/open-sql.js');
    process.chdir(process.argv[1]);
    const sql = await openSql('embedded:' + process.argv[2]);
    console.log(JSON.stringify((await sql.query(process.argv[3])).rows));
    await sql.close();
  `;
  const args = ['--input-type=module', '-e', script, dirname(folder), basename(folder), started];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: compiledTree });
  const { rows } = await sql.query(started);
  expect(JSON.parse(stdout)).toEqual(rows);
  expect(rows[0]!['socket']).toBe(true);
});

test('F18: the socket file of a killed server does not prevent the next start', async () => {
  const sql = await opened();
  const lock = `.s.PGSQL.${await read('port')}.lock`;
  const [before] = (await read(lock)).split('\n');
  process.kill(Number(before), 'SIGKILL');
  await until('the return under the same pool', () =>
    way(sql).then(
      (found) => found === 'socket',
      () => false,
    ),
  );
  const [after] = (await read(lock)).split('\n');
  expect(after).not.toBe(before);
});

test('if no socket can be created the server starts without one, and all clients use TCP', async () => {
  const obstacle = join(home(), `.s.PGSQL.${await read('port')}`);
  await mkdir(obstacle);
  const first = await opened();
  expect(await way(first)).toBe('tcp');
  await rmdir(obstacle);
  expect(await way(await opened())).toBe('tcp');
});

test('a cluster that would accept connections at the socket without a password gets no socket', async () => {
  const rules = join('cluster', 'pg_hba.conf');
  const asMade = await readFile(join(home(), rules), 'utf8');
  await writeFile(join(home(), rules), `local all all trust\n${asMade}`);
  try {
    expect(await way(await opened())).toBe('tcp');
  } finally {
    await stopped();
    await writeFile(join(home(), rules), asMade);
  }
});

test.each([
  ['local all all scram-sha-256', true],
  ['  # local all all trust\n\nhost all all 127.0.0.1/32 trust\nlocal all all scram-sha-256 # all', true],
  ['local all all trust', false],
  ['\tlocal all "scram-sha-256" trust', false],
  ['local all all scram-sha-256\ninclude_if_exists more.conf', false],
  ['local all all \\\n trust', false],
])('the rules %j require the password at the socket: %s', async (rules, asks) => {
  const cluster = await mkdtemp(join(tmpdir(), 'meridian-sql-'));
  await writeFile(join(cluster, 'pg_hba.conf'), rules);
  expect(await socketAsksForPassword(cluster)).toBe(asks);
  await rm(cluster, { recursive: true });
  expect(await socketAsksForPassword(cluster)).toBe(false);
});
