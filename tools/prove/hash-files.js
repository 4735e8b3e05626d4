// The files that a long run depends on, and the hash over them: while it is the same the result is valid.
import { createHash } from 'node:crypto';
import { posix } from 'node:path';

/** Read at run time by every program, as a folder. */
const readByAll = 'schemas/proto';

/** The command line can load every program; a proof names those that it starts among its entries. */
const commandLine = 'bin/meridian.js';

/** The file that a literal `….js` stands for: as an import, a worker or a compiled file of `dist/`. */
function resolve(tree, from, literal) {
  const path = literal.startsWith('#') ? literal.slice(1) : literal.replace(/^(\.\.\/)*dist\//, '');
  const places = path !== literal ? [path] : [posix.join(posix.dirname(from), literal), literal];
  for (const place of places) {
    const base = posix.normalize(place).replace(/\.m?js$/, '');
    if (base.startsWith('node_modules/') || base.startsWith('..')) continue;
    for (const ending of ['.ts', '.tsx', '.js', '.mjs'])
      if (tree.read(`${base}${ending}`) !== undefined) return `${base}${ending}`;
  }
  return undefined;
}

/**
 * Everything that the entries import, directly or not. Any literal that names a file of the project counts:
 * imports at run time and workers are named so too. One file too many makes a result expire early; one too
 * few would keep it valid too long.
 *
 * @param {import('./source-trees.js').SourceTree} tree
 * @param {readonly string[]} entries paths from the root
 * @returns {string[]} sorted
 */
export function filesOf(tree, entries) {
  const seen = new Set(tree.list(readByAll));
  const waiting = [...entries];
  while (waiting.length > 0) {
    const file = waiting.pop();
    if (seen.has(file)) continue;
    seen.add(file);
    if (file === commandLine) continue;
    const text = withoutStatements(tree.read(file) ?? Buffer.alloc(0)).toString();
    for (const [, literal] of text.matchAll(/['"`]([#.\w/-]+\.m?js)['"`]/g)) {
      const found = resolve(tree, file, literal);
      if (found !== undefined) waiting.push(found);
    }
  }
  return [...seen].sort();
}

/**
 * What is stated of a test changes nothing in it: without the statements a better word for what a run of an
 * hour shows does not make the run expire.
 */
const statement = /^( *)proves\(.*\n(?:\1 .*\n)*\1\}\);\n/gm;
const importOfStatements = /^import \{ proves \} from .*\n/m;
export const withoutStatements = (content) =>
  content.includes('proves(')
    ? content.toString().replace(importOfStatements, '').replaceAll(statement, '')
    : content;

/** The packages that run with the product; those of the development tools change no result. */
function packagesOf(tree) {
  const { dependencies, optionalDependencies } = JSON.parse(tree.read('package.json')?.toString() ?? '{}');
  return JSON.stringify({ dependencies, optionalDependencies });
}

/** @returns {string} SHA-256, the first 16 bytes in hex */
export function hashFiles(tree, entries) {
  const hash = createHash('sha256').update(packagesOf(tree));
  for (const file of filesOf(tree, entries)) {
    const content = createHash('sha256')
      .update(withoutStatements(tree.read(file) ?? Buffer.from('absent')))
      .digest('hex');
    hash.update(`\n${file} ${content}`);
  }
  return hash.digest('hex').slice(0, 32);
}
