import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * A suite that several adapters run is started by the file of one of them.
 *
 * @returns {string | undefined} a file that Vitest runs
 */
export function testFileOf(root, file) {
  if (file.endsWith('.test.ts')) return file;
  const name = `${basename(file, '.ts')}.js'`;
  const importers = readdirSync(join(root, 'tests'), { recursive: true })
    .map((path) => `tests/${String(path).replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && path !== file)
    .filter((path) => readFileSync(join(root, path), 'utf8').includes(name))
    .sort();
  for (const importer of importers) {
    const found = testFileOf(root, importer);
    if (found !== undefined) return found;
  }
  return undefined;
}
