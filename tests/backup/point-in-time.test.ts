import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { OrdinaryUser } from '#platform/sql/ordinary-user.js';
import { freePort } from '../main-job/running-platform.js';

const debian = '/usr/lib/postgresql';
/** The tools of a server that was installed; npm's package has no `pg_basebackup`. */
const programs = existsSync(debian)
  ? readdirSync(debian)
      .map((version) => join(debian, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'pg_basebackup')))
  : undefined;

let root: string | undefined;
const running = new Set<string>();

afterAll(async () => {
  for (const cluster of running) await shell(`pg_ctl --pgdata=${cluster} --mode=immediate stop`, {});
  if (root !== undefined) await rm(root, { recursive: true, force: true });
});

async function shell(script: string, env: Readonly<Record<string, string>>): Promise<string> {
  const user = await OrdinaryUser.find();
  const { file, args, ...ids } = await user.command('/bin/sh', ['-euc', script], [root!]);
  const path = `${programs}:${process.env['PATH']}`;
  const { stdout } = await promisify(execFile)(file, [...args], {
    ...{ ...ids, cwd: '/', env: { ...env, PATH: path, LC_ALL: 'C' } },
  });
  return stdout.trim();
}

it.skipIf(programs === undefined)(
  'the commands of docs/backup.md bring a PostgreSQL back to a point in time, and to the end',
  { timeout: 120_000 },
  async () => {
    const page = await readFile(new URL('../../docs/backup.md', import.meta.url), 'utf8');
    const [takeBackup, recover] = [...page.matchAll(/```sh pitr\n([\s\S]*?)```/g)].map(([, code]) => code!);
    const settings = /```conf\n([\s\S]*?)```/.exec(page)![1]!;
    root = await mkdtemp(join(tmpdir(), 'meridian-pitr-'));
    const user = await OrdinaryUser.find();
    await chmod(root, 0o700);
    await user.own(root);
    const [archive, base, cluster] = ['archive', 'base', 'cluster'].map((name) => join(root!, name)) as [
      string,
      string,
      string,
    ];
    await mkdir(archive);
    await user.own(archive);
    const own = {
      PGHOST: root,
      PGPORT: String(await freePort()),
      PGUSER: 'meridian',
      PGDATABASE: 'postgres',
    };
    const sql = (query: string, port = own.PGPORT): Promise<string> =>
      shell(`psql --no-psqlrc --tuples-only --no-align --command "${query}"`, { ...own, PGPORT: port });
    const start = async (folder: string): Promise<void> => {
      running.add(folder);
      await shell(`pg_ctl --pgdata=${folder} --wait --log=${folder}.log start`, {});
    };
    await shell(`initdb --pgdata=${cluster} --username=meridian --auth=trust`, {});
    await appendFile(
      join(cluster, 'postgresql.conf'),
      `${settings.replaceAll('$ARCHIVE', archive)}\nport = ${own.PGPORT}\nunix_socket_directories = '${root}'\nlisten_addresses = ''\n`,
    );
    await start(cluster);
    await sql('CREATE TABLE booked (id int)');
    await sql('INSERT INTO booked VALUES (1)');
    await shell(takeBackup!, { ...own, BASE: base });
    await sql('INSERT INTO booked VALUES (2)');
    const point = await sql('SELECT clock_timestamp()');
    await sql('DELETE FROM booked');
    await sql('INSERT INTO booked VALUES (3)');
    await sql('SELECT pg_switch_wal()');
    await shell(`pg_ctl --pgdata=${cluster} --wait stop`, {});
    running.delete(cluster);

    const recovered = async (name: string, commands: string): Promise<string> => {
      const folder = join(root!, name);
      running.add(folder);
      const quiet = commands.replace('--wait start', `--wait --log=${folder}.log start`);
      await shell(quiet, { BASE: base, ARCHIVE: archive, RESTORED: folder, POINT: point });
      return sql('SELECT id FROM booked ORDER BY id');
    };
    expect(await recovered('before', recover!)).toBe('1\n2');
    await shell(`pg_ctl --pgdata=${join(root, 'before')} --mode=immediate --wait stop`, {});
    running.delete(join(root, 'before'));
    const toTheEnd = recover!.replaceAll(/.*recovery_target_(time|action).*\n/g, '');
    expect(await recovered('after', toTheEnd)).toBe('3');
  },
);
