import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSql } from '#platform/sql/open-sql.js';
import { PostgresSql } from '#platform/sql/postgres-sql.js';
import { type Sql, SqlUnavailable, sqlState } from '#platform/sql/sql.js';
import { proves } from '#tools/acceptance/proves.js';
import { until } from '../../contracts/until.js';

let folder: string;
let sql: Sql;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-sql-'));
  sql = await openSql(`embedded:${folder}`, { connectionsMax: 2, statementTimeoutMs: 200 });
});
afterAll(async () => {
  await sql.close();
  await rm(folder, { recursive: true });
});

proves('F21', {
  asked: 'deadlocks, pool exhausted, slow statements: bounded, then 503',
  shown: 'a slow statement ends, its connection continues; a full pool below; deadlocks in faults',
  settings: ['statementTimeoutMs 200'],
});
test('F21: a slow statement ends by itself and its connection serves the next one', async () => {
  const failures = await Promise.all(
    [1, 2, 3].map(() => sql.query('SELECT pg_sleep(20)').catch((error: unknown) => error)),
  );
  expect(failures.every((failure) => failure instanceof SqlUnavailable)).toBe(true);
  expect((await sql.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
});

test('known long work may take longer than connection and server usually allow, also COPY', async () => {
  // Longer than 200 ms and the five seconds that a server has to answer.
  const long = { statementTimeoutMs: 60_000 };
  const [slept, copied] = await Promise.all([
    sql.transaction((tx) => tx.query('SELECT pg_sleep(5.5), 1 AS n'), long),
    sql.transaction(async (tx) => {
      await tx.query('CREATE TEMP TABLE slow (n int) ON COMMIT DROP');
      const copy = tx.copyIn('COPY slow (n) FROM STDIN');
      await copy.write('1\n');
      await new Promise((resolve) => setTimeout(resolve, 5_500));
      return copy.end();
    }, long),
  ]);
  expect([slept.rows[0]!['n'], copied]).toEqual([1, 1]);
  await expect(sql.query('SELECT pg_sleep(20)')).rejects.toThrow(SqlUnavailable);
});

test("the time limit of a transaction's statements may be shorter, and must be a time", async () => {
  const short = sql.transaction((tx) => tx.query('SELECT pg_sleep(0.15)'), { statementTimeoutMs: 20 });
  await expect(short).rejects.toThrow(SqlUnavailable);
  await sql.query('SELECT pg_sleep(0.05)');
  for (const statementTimeoutMs of [0, -1, Number.NaN, 3_600_001])
    await expect(sql.transaction((tx) => tx.query('SELECT 1'), { statementTimeoutMs })).rejects.toThrow(
      RangeError,
    );
});

test('a missing file in a transaction is not an outage of the database; a missing socket is', async () => {
  const reading = sql.transaction(() => readFile(join(folder, 'nothing')));
  await expect(reading).rejects.toMatchObject({ code: 'ENOENT', syscall: 'open' });
  const server = { host: join(folder, 'nowhere'), port: 1, database: 'x', user: 'x' };
  const away = new PostgresSql(server, {
    connectionsMax: 1,
    statementTimeoutMs: 200,
    random: Math.random,
    onError: () => {},
  });
  await expect(away.query('SELECT 1')).rejects.toBeInstanceOf(SqlUnavailable);
  await away.close();
});

test('I9: the number of calls that wait for a connection is bounded, others are rejected', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holders = [1, 2].map(() =>
    sql.transaction(async (tx) => {
      await tx.query('SELECT 1');
      await held;
    }),
  );
  await until('both connections to be taken', async () => {
    const probe = await openSql(await addressOfOurServer());
    const { rows } = await probe.query(`SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction'`);
    await probe.close();
    return rows.length === 2;
  });
  const waiting = Array.from({ length: 1_000 }, () => sql.query('SELECT 1'));
  const refused = await sql.query('SELECT 1').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(SqlUnavailable);
  expect(String(refused)).toContain('too slow');
  release();
  await Promise.all(holders);
  // On a busy machine the last of them may have waited for the maximum time of a call.
  for (const outcome of await Promise.allSettled(waiting))
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(SqlUnavailable);
});

test('F21: a connection that breaks within a transaction is an error, and the pool continues', async () => {
  await expect(
    sql.transaction(async (tx) => {
      await tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
    }),
  ).rejects.toThrow(SqlUnavailable);
  expect((await sql.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
});

test('an unavailable database is SqlUnavailable: statements, transactions, migrations, check', async () => {
  const away = await openSql('postgres://meridian:hunter2@127.0.0.1:1/meridian');
  for (const call of [
    () => away.query('SELECT 1'),
    () => away.transaction((tx) => tx.query('SELECT 1')),
    () => away.migrate('history', []),
    () => away.check(),
  ]) {
    const failure = await call().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SqlUnavailable);
    expect(String(failure)).not.toContain('hunter2');
    expect(sqlState(failure)).toBeUndefined();
  }
  await away.close();
  await expect(away.query('SELECT 1')).rejects.toThrow(SqlUnavailable);
});

test.each([
  ['', 'must start with postgres:// or embedded:'],
  ['mysql://root@host/db', "not with 'mysql:'"],
  ['embedded:', 'has no folder'],
  ['postgres://', 'has no host'],
  ['postgres://host/db', 'has no user'],
  ['postgres://user:hunter2@host', 'has no database'],
  ['postgres://user:hunter2@host/db?sslmod=require', "unknown parameter 'sslmod'"],
  ['postgres://user@host/db?sslmode=perhaps', "unknown sslmode 'perhaps'"],
])('rejects the address %j: %s', async (address, sentence) => {
  const failure = await openSql(address).catch((error: unknown) => error);
  expect(String(failure)).toContain(sentence);
  expect(String(failure)).not.toContain('hunter2');
});

async function addressOfOurServer(): Promise<string> {
  const [port, password] = await Promise.all(
    ['port', 'password'].map(async (name) => (await readFile(join(folder, 'home', name), 'utf8')).trim()),
  );
  return `postgres://meridian:${password}@127.0.0.1:${port}/postgres`;
}
