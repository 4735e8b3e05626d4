import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../tools/line-width.js', import.meta.url));
const wide = 'word '.repeat(23).trim();

function check(text: string, file = 'page.md'): { status: number | null; stdout: string } {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-line-width-'));
  try {
    spawnSync('git', ['init', '--quiet'], { cwd: folder });
    writeFileSync(join(folder, file), text);
    return spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it('reports wide prose by file and line', () => {
  const { status, stdout } = check(`# Title\n\n${wide}\n`);
  expect(stdout).toContain('page.md:3');
  expect(status).toBe(1);
});

it('accepts prose of 110 columns, tables, fenced blocks, images and long addresses', () => {
  const url = `https://example.com/${'a'.repeat(120)}`;
  const text = [
    'x'.repeat(10).concat(' y'.repeat(50)),
    `| ${wide} |`,
    '```',
    wide,
    '```',
    `![${wide}](a.png)`,
    url,
  ];
  expect(check(text.join('\n'))).toMatchObject({ status: 0, stdout: '' });
});

it('accepts lines of a template, also after a product, which is no comment', () => {
  const product = 'const sql = `a * 1000 + b`;';
  expect(check([product, 'const text = `', wide, '`;'].join('\n'), 'a.ts')).toMatchObject({ status: 0 });
  expect(check([product, `// ${wide}`].join('\n'), 'a.ts')).toMatchObject({ status: 1 });
});
