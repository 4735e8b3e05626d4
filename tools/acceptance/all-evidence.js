import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namedRows } from './named-rows.js';
import { readEvidence } from './read-evidence.js';

/** Its own test holds statements that are wrong on purpose. */
const ownTest = 'tests/tools/acceptance.test.ts';

/**
 * The statements of all tests and benches, and the rows in titles.
 *
 * @param {string} root
 */
export function allEvidence(root) {
  const areas = JSON.parse(readFileSync(join(root, 'tools/acceptance/rows.json'), 'utf8'));
  const rows = new Set(Object.values(areas).flatMap((area) => Object.values(area).flatMap(Object.keys)));
  const files = ['tests', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((name) => `${folder}/${String(name).replaceAll('\\', '/')}`)
      .filter((file) => file.endsWith('.ts') && file !== ownTest),
  );
  const evidence = [];
  const wrong = [];
  /** Row → files of tests. */
  const names = new Map();
  for (const file of files.sort()) {
    const text = readFileSync(join(root, file), 'utf8');
    const read = readEvidence(file, text, rows);
    evidence.push(...read.found);
    wrong.push(...read.wrong);
    if (!file.startsWith('tests/')) continue;
    for (const row of namedRows(text)) names.set(row, (names.get(row) ?? new Set()).add(file));
  }
  for (const row of names.keys()) if (!rows.has(row)) wrong.push(`a title names ${row}, which is no row`);
  return { areas, rows, evidence, names, wrong };
}
