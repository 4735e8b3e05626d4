import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reports-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const test = (fullName: string, why?: string) => ({
  fullName,
  status: why === undefined ? 'passed' : 'failed',
  failureMessages: why === undefined ? [] : [why],
});
const file = (name: string, ...assertionResults: readonly { readonly status: string }[]) => ({
  name: join(process.cwd(), 'tests', name),
  status: assertionResults.every(({ status }) => status !== 'failed') ? 'passed' : 'failed',
  assertionResults,
});
const report = (name: string, ...testResults: readonly object[]) =>
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ testResults }));
const run = (script: string, ...args: readonly string[]) => {
  const { status, stdout } = spawnSync(process.execPath, [`.ci/${script}.js`, ...args], { encoding: 'utf8' });
  return { status, lines: stdout.trim().split('\n') };
};
const chance = () => run('second-chance', join(folder, 'embedded.json'));
const sum = () => run('sum', folder, '0');

it('a test that failed once and passes alone is named, and CI passes', () => {
  const steady = file('steady.test.ts', test('works'));
  report('embedded', steady, file('slow.test.ts', test('waits', 'still open\nat line 3'), test('works')));
  report('real', steady);
  expect(chance()).toMatchObject({ status: 0, lines: [join(process.cwd(), 'tests/slow.test.ts')] });
  report('embedded-again', file('slow.test.ts', test('waits'), test('works')));
  expect(sum()).toEqual({
    status: 0,
    lines: [
      'PASSED ONLY WHEN RUN AGAIN: tests/slow.test.ts: waits: still open',
      '4 passed, 0 failed, 0 skipped',
    ],
  });
});

it('a test that fails twice fails CI', () => {
  const broken = file('broken.test.ts', test('counts', 'expected 1 to be 2'), test('works'));
  report('embedded', broken);
  report('embedded-again', broken);
  report('real', file('steady.test.ts', test('works')));
  expect(sum()).toEqual({
    status: 1,
    lines: ['FAILED: tests/broken.test.ts: counts: expected 1 to be 2', '2 passed, 1 failed, 0 skipped'],
  });
});

it('no second chance for a counterexample, for many files, or without a report', () => {
  expect(chance().status).toBe(1);
  report(
    'embedded',
    file('bounds.test.ts', test('holds', 'Error: Property failed after 3 tests\n{ seed: 7 }')),
  );
  expect(chance().status).toBe(1);
  report('embedded', file('bounds.test.ts', test('parses everything (seed 7)', 'expected 1 to be 2')));
  expect(chance().status).toBe(1);
  report('embedded', ...Array.from({ length: 9 }, (_, at) => file(`${at}.test.ts`, test('waits', 'open'))));
  expect(chance().status).toBe(1);
});

it('a suite that broke before its first test fails CI', () => {
  report('embedded', { ...file('broken.test.ts'), status: 'failed', message: 'no database' });
  report('real', file('steady.test.ts', test('works')));
  expect(sum()).toMatchObject({
    status: 1,
    lines: ['FAILED: tests/broken.test.ts: the suite: no database', '1 passed, 1 failed, 0 skipped'],
  });
});
