import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourcesOf } from './related-tests.js';

/**
 * Finds a mutant in a checkout of an earlier commit: in the file of that name, in the file that Git finds as
 * its ancestor, or in the only file that has the line.
 *
 * @param {string} root the working folder, a checkout that knows the commit
 * @returns {(mutant: object) => object | undefined} the mutant with `before`, its place in the earlier
 *   checkout; nothing where its line is not there, or more than once
 */
export function earlierPlaces(root, before) {
  const git = (cwd, ...args) => spawnSync('git', args, { cwd, encoding: 'utf8' }).stdout;
  const commit = git(before, 'rev-parse', 'HEAD').trim();
  const ancestors = new Map(
    git(root, 'diff', '--name-status', '-M40', '-l0', commit, 'HEAD')
      .split('\n')
      .map((line) => line.split('\t'))
      .filter(([status]) => status.startsWith('R'))
      .map(([, from, to]) => [to, from]),
  );
  const texts = new Map(
    sourcesOf(before)
      .filter((file) => !/^(tests|bench)\//.test(file))
      .map((file) => [file, readFileSync(join(before, file), 'utf8')]),
  );
  const filesOfLine = new Map();
  for (const [file, text] of texts)
    for (const line of new Set(trimmedLines(text)))
      filesOfLine.set(line, [...(filesOfLine.get(line) ?? []), file]);

  return (mutant) => {
    const text = readFileSync(join(root, mutant.file), 'utf8');
    const line = lineAt(text, mutant.start);
    if (mutant.end > line.end || timesIn(text, line.trimmed) !== 1) return undefined;
    const own = ancestors.get(mutant.file) ?? mutant.file;
    const holders = filesOfLine.get(line.trimmed) ?? [];
    const file = holders.includes(own) ? own : holders.length === 1 ? holders[0] : undefined;
    if (file === undefined || timesIn(texts.get(file), line.trimmed) !== 1) return undefined;
    const earlier = texts.get(file);
    const start = placeOf(earlier, line.trimmed) + mutant.start - line.start;
    return { ...mutant, before: { file, start, end: start + mutant.end - mutant.start } };
  };
}

const trimmedLines = (text) => text.split('\n').map((line) => line.trim());

const timesIn = (text, trimmed) => trimmedLines(text).filter((line) => line === trimmed).length;

function lineAt(text, offset) {
  const begin = text.lastIndexOf('\n', offset - 1) + 1;
  const after = text.indexOf('\n', offset);
  const line = text.slice(begin, after === -1 ? text.length : after);
  return {
    start: begin + line.length - line.trimStart().length,
    end: begin + line.length,
    trimmed: line.trim(),
  };
}

/** Start of the only line with this text, after its indent. */
function placeOf(text, trimmed) {
  let offset = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === trimmed) return offset + line.length - line.trimStart().length;
    offset += line.length + 1;
  }
  throw new Error(`no line ${trimmed}`);
}
