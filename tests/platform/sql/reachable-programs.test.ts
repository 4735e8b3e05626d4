import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OrdinaryUser } from '#platform/sql/ordinary-user.js';
import { reachablePrograms } from '#platform/sql/reachable-programs.js';

let root: string;
let user: OrdinaryUser;
const version = () => `test-${process.pid}`;
const copy = () => join(tmpdir(), `meridian-postgresql-${version()}`);
const programs = () => {
  const folder = join(root, 'native');
  return {
    folder,
    version: version(),
    initdb: join(folder, 'bin', 'initdb'),
    postgres: join(folder, 'bin', 'postgres'),
  };
};

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'meridian-sql-'));
  await mkdir(join(root, 'native', 'bin'), { recursive: true });
  await writeFile(join(root, 'native', 'bin', 'initdb'), 'initdb');
  user = await OrdinaryUser.find();
});
afterEach(async () => {
  await rm(root, { recursive: true });
  for (const parent of [tmpdir(), '/var/tmp']) {
    await rm(join(parent, `meridian-postgresql-${version()}`), { recursive: true, force: true });
  }
});

test('does not copy programs that the server’s user can run', async () => {
  await chmod(root, 0o755);
  expect(await reachablePrograms(programs(), user)).toEqual(programs());
});

describe.runIf(process.getuid?.() === 0)('root under a closed folder', () => {
  test('runs one copy that only root can have written', async () => {
    const found = await reachablePrograms(programs(), user);
    expect(found.initdb).toBe(join(copy(), 'bin', 'initdb'));
    expect(await readFile(found.initdb, 'utf8')).toBe('initdb');
    const { mtimeMs, ino } = await stat(copy());
    expect(await reachablePrograms(programs(), user)).toEqual(found);
    expect(await stat(copy())).toMatchObject({ mtimeMs, ino });
  });

  test('never runs a program that another user has put there', async () => {
    await mkdir(join(copy(), 'bin'), { recursive: true });
    await writeFile(join(copy(), 'bin', 'initdb'), 'planted');
    await chown(copy(), 65534, 65534);
    const found = await reachablePrograms(programs(), user);
    expect(found.folder).not.toBe(copy());
    expect(await readFile(found.initdb, 'utf8')).toBe('initdb');
  });

  test('never runs a program that another user may change', async () => {
    await mkdir(copy());
    await writeFile(join(copy(), 'initdb'), 'planted');
    await chmod(copy(), 0o777);
    expect((await reachablePrograms(programs(), user)).folder).not.toBe(copy());
  });
});
