import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scenarioNames } from '#simulated-city/scenarios.js';
import { filesOf, hashFiles } from '../../tools/prove/hash-files.js';
import { proofs } from '../../tools/prove/proofs.js';
import type { SourceTree } from '../../tools/prove/source-trees.js';

const files = {
  'package.json': '{"dependencies":{"pg":"1.0.0"},"devDependencies":{"vite":"1.0.0"}}',
  'schemas/proto/a.proto': 'message A {}',
  'tests/a.test.ts': "import { b } from '#platform/b.js';\nimport { c } from './c.js';",
  'tests/c.ts': 'export const c = 1;',
  'platform/b.ts': "const d = await import('./d.js');\nimport type { Pool } from 'pg';",
  'platform/d.ts': "new URL('./worker.js', import.meta.url); compiledFile('ingest/task.js');",
  'platform/worker.ts': "import { b } from './b.js';",
  'ingest/task.ts': "const child = '../../dist/tests/child.js'; start('bin/meridian.js');",
  'tests/child.ts': '',
  'bin/meridian.js': "import '../dist/cli/main.js';",
  'cli/main.ts': '',
  'tests/other.ts': '',
};
const treeOf = (changed: Record<string, string> = {}): SourceTree => {
  const all = new Map(Object.entries({ ...files, ...changed }));
  return {
    read: (path) => (all.has(path) ? Buffer.from(all.get(path)!) : undefined),
    list: (folder) => [...all.keys()].filter((path) => path.startsWith(`${folder}/`)),
  };
};
const hash = (changed?: Record<string, string>) => hashFiles(treeOf(changed), ['tests/a.test.ts']);

describe('the files of a long run', () => {
  it("a run's files are those the entry imports, loads later, or starts as worker or program", () => {
    expect(filesOf(treeOf(), ['tests/a.test.ts'])).toEqual([
      'bin/meridian.js',
      'ingest/task.ts',
      'platform/b.ts',
      'platform/d.ts',
      'platform/worker.ts',
      'schemas/proto/a.proto',
      'tests/a.test.ts',
      'tests/c.ts',
      'tests/child.ts',
    ]);
  });

  it('these files change the hash, and no others do', () => {
    for (const file of filesOf(treeOf(), ['tests/a.test.ts']))
      expect(hash({ [file]: `${files[file as keyof typeof files]}\n` }), file).not.toBe(hash());
    expect(hash({ 'tests/other.ts': 'x', 'cli/main.ts': 'x' })).toBe(hash());
  });

  it("the files stay the same when a test's statement changes, and change with the test", () => {
    const stated = (asked: string, body = '') =>
      hash({
        'tests/a.test.ts': `import { proves } from '#tools/proves.js';
${files['tests/a.test.ts']}
  proves('M-001', {
    asked: '${asked}',
    control: { in: 'tests/other.js', change: 'a', to: 'b' },
  });
  it('M-001: x', () => {
    f(${body});
  });
`,
      });
    expect(stated('twice')).toBe(stated('once'));
    expect(stated('once', '1')).not.toBe(stated('once'));
  });

  it('the files include the packages of production, not those of the tools', () => {
    expect(hash({ 'package.json': files['package.json'].replace('"pg":"1', '"pg":"2') })).not.toBe(hash());
    expect(hash({ 'package.json': files['package.json'].replace('"vite":"1', '"vite":"2') })).toBe(hash());
  });
});

/** A separate repository with the tool and three runs; the second fails as long as `ok` is `no`. */
describe('npm run prove', () => {
  let root: string;
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const run = (command: string, ...args: string[]) => {
    const ended = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
    return { status: ended.status, text: ended.stdout + ended.stderr };
  };
  const git = (...args: string[]) =>
    run('git', '-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args).text;
  const commit = () => {
    git('add', '-A');
    git('commit', '-q', '-m', 'x');
  };
  const prove = (...args: string[]) => run(process.execPath, 'tools/prove.js', ...args);
  const ran = () => readFileSync(join(root, 'ran'), 'utf8').trim().split('\n');
  const lines = () => readFileSync(join(root, 'tests/proofs.ndjson'), 'utf8').trim().split('\n');

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'meridian-prove-test-'));
    cpSync('tools/prove', join(root, 'tools/prove'), { recursive: true });
    cpSync('tools/prove.js', join(root, 'tools/prove.js'));
    write('tools/build.js', '');
    write('tools/acceptance.js', '');
    write('tests/README.md', '');
    write('package.json', '{"type":"module"}');
    write('.gitignore', 'ran\n');
    write('ok.js', "export const ok = 'no';");
    for (const name of ['one', 'two', 'three'])
      write(
        `${name}.js`,
        `import { appendFileSync } from 'node:fs';
         ${name === 'two' ? "import { ok } from './ok.js';" : "const ok = 'yes';"}
         appendFileSync('ran', '${name}\\n');
         console.log('begins\\n' + JSON.stringify({ ok }, undefined, 2));
         process.exitCode = ok === 'yes' ? 0 : 1;`,
      );
    const proof = (name: string) =>
      `{ name: '${name}', rows: ['F1'], shows: '', command: ['${name}.js'], entries: ['${name}.js'] }`;
    write('tools/prove/proofs.js', `export const proofs = [${['one', 'two', 'three'].map(proof).join()}];`);
    git('init', '-q');
    commit();
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('runs what has no valid result, records each as it ends, and continues with the rest', () => {
    expect(prove('one').status).toBe(0);
    expect(lines()).toHaveLength(1);
    // Like after a stop in the middle: the first is not run again.
    expect(prove().status).toBe(1);
    expect(ran()).toEqual(['one', 'two', 'three']);
    expect(lines().map((line) => (JSON.parse(line) as { outcome: string }).outcome)).toEqual([
      'passed',
      'failed',
      'passed',
    ]);
    write('ok.js', "export const ok = 'yes';");
    commit();
    expect(prove().status).toBe(0);
    expect(ran()).toEqual(['one', 'two', 'three', 'two']);
    expect(JSON.parse(lines().at(-1)!)).toMatchObject({
      name: 'two',
      outcome: 'passed',
      figures: { ok: 'yes' },
      commit: git('rev-parse', 'HEAD').trim(),
    });
    expect(prove('--check').text).toBe('Long runs: 3 valid.\n');
  });

  it('reports what has expired and does not fail for it', () => {
    prove('one', 'three');
    write('one.js', 'console.log("other");');
    const { status, text } = prove('--check');
    expect(text).toBe('Long runs: 1 valid; 1 expired (one); 1 never (two).\n');
    expect(status).toBe(0);
    commit();
    expect(prove('--check')).toEqual({ status, text });
    expect(prove('--list').text).toMatch(/^expired +one .*\nnever +two .*\nvalid +three /);
  });

  it('fails for a result that claims files which its commit does not have', () => {
    prove('one');
    const result = JSON.parse(lines()[0]!) as { hash: string };
    write('one.js', 'console.log("other");');
    commit();
    // The old result gets the hash of today.
    const today = prove('one') && (JSON.parse(lines().at(-1)!) as { hash: string }).hash;
    writeFileSync(join(root, 'tests/proofs.ndjson'), `${JSON.stringify({ ...result, hash: today })}\n`);
    const { status, text } = prove('--check');
    expect(text).toMatch(/one: the hash of its result is not that of the files of [0-9a-f]{40}\./);
    expect(status).toBe(1);
  });

  it('accepts a result of a commit that the clone does not have', () => {
    prove('one');
    const result = JSON.parse(lines()[0]!) as object;
    appendFileSync(
      join(root, 'tests/proofs.ndjson'),
      `${JSON.stringify({ ...result, commit: '0'.repeat(40) })}\n`,
    );
    const { status, text } = prove('--check');
    expect(text).toContain('1 of commits that this clone does not have');
    expect(status).toBe(0);
  });

  it('runs nothing whose files differ from the commit', () => {
    write('one.js', 'console.log("other");');
    const { status, text } = prove('one');
    expect(text).toContain('its files differ from the commit');
    expect(status).toBe(1);
  });
});

describe('long runs of scenarios', () => {
  it('there is one for each scenario of the simulated city but the usual one', () => {
    const named = proofs.map(({ name }) => name).filter((name) => name.startsWith('scenario-'));
    const others = scenarioNames.filter((name) => name !== 'usual');
    expect(named.toSorted()).toEqual(others.map((name) => `scenario-${name}`).toSorted());
  });
});
