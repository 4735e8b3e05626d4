// The command that runs a file with tests, or a bench.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { selected } from '../../tests/selection.js';

const filesOf = (selection) => new Set(Object.values(selected(selection)).flat());

/**
 * @param {string} root
 * @returns {(file: string) => string[]} `test`, `test:full`, `test:real` or `bench`
 */
export function whereItRuns(root) {
  const usual = filesOf('usual');
  const full = filesOf('full');
  const all = readdirSync(join(root, 'tests'), { recursive: true })
    .map((name) => `tests/${String(name).replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts'));
  const direct = (file) => {
    if (file.startsWith('bench/')) return 'bench';
    if (file.endsWith('.real.test.ts')) return 'test:real';
    return usual.has(file) ? 'test' : full.has(file) ? 'test:full' : undefined;
  };
  // A suite that several adapters run lies beside them and is imported by their test files.
  const importers = (file) => {
    const name = `${basename(file, '.ts')}.js'`;
    return all.filter((test) => readFileSync(join(root, test), 'utf8').includes(name));
  };
  return (file) => {
    const own = direct(file);
    return own === undefined ? [...new Set(importers(file).map(direct))].sort() : [own];
  };
}
