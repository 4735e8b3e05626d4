import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const oneTest = (title: string, call: string): string => `
import { expect, it } from 'vitest';
import { isChild } from '#people/age.js';

it('${title}', () => expect(${call}).toBe(true));
`;
const moved = 'export const isChild = (age: number) => age < 18;\n';

let folder: string;
let now: string;
let before: string;

function write(root: string, file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
    cwd,
    encoding: 'utf8',
  });

/** A checkout of one package: its module changes, and the test of the limit stays or is removed. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'meridian-mutants-'));
  now = join(folder, 'now');
  before = join(folder, 'before');
  for (const file of ['tools/mutants.js', 'tools/mutants', 'tools/prove', 'vitest.timeouts.js'])
    cpSync(join(repository, file), join(now, file), { recursive: true });
  write(now, 'package.json', '{ "type": "module", "imports": { "#people/*.js": "./people/*.ts" } }');
  write(now, 'people/old-age.ts', moved);
  write(now, 'people/age.ts', "export { isChild } from './old-age.js';\n");
  write(now, 'tests/people/limit.test.ts', oneTest('the limit', '!isChild(18)'));
  write(now, 'tests/people/rough.test.ts', oneTest('a child', 'isChild(1)'));
  write(now, '.gitignore', 'node_modules\n');
  git(now, 'init', '--quiet');
  git(now, 'add', '.');
  git(now, 'commit', '--quiet', '-m', 'before');
  git(folder, 'clone', '--quiet', now, before);
  write(now, 'people/age.ts', moved);
  git(now, 'rm', '--quiet', '-f', 'people/old-age.ts', 'tests/people/limit.test.ts');
  git(now, 'add', '.');
  git(now, 'commit', '--quiet', '-m', 'now');
  for (const root of [now, before]) symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function judge(): { status: number | null; stdout: string } {
  const args = ['--sample', '5', '--state', join(folder, 'state.json'), '--before', before];
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/mutants.js', ...args], {
    cwd: now,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return { status, stdout };
}

it('a mutant that only a deleted test kills survives, and a second run keeps the results', () => {
  const first = judge();
  expect(first.stdout).toContain('lost: people/age.ts:1 < → <=, killed before by tests/people/limit.test.ts');
  expect(first.stdout).toContain('people: 2 mutants, 0 killed by npm test, 0 more by test:full, 2 survive');
  expect(first.status).toBe(1);
  const kept = readFileSync(join(folder, 'state.json'), 'utf8');
  expect(judge().status).toBe(1);
  expect(readFileSync(join(folder, 'state.json'), 'utf8')).toBe(kept);
});
